"""`kibitz nets`: the learned evaluations that there are."""

import json
from pathlib import Path
from typing import Annotated

import typer

from kibitz.cli.texts import print_json
from kibitz.core.errors import BadOption
from kibitz.games import catalog
from kibitz.nets import folder
from kibitz.nets.file import BadNet, Net, load

nets = typer.Typer(
    help="List, show, install and remove learned evaluations.",
    invoke_without_command=True,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
Name = Annotated[str, typer.Option(help="Which net of the game.")]
GameText = Annotated[str, typer.Argument(metavar="GAME", help="A game, or the path of a net's file.")]


@nets.callback()
def overview(
    context: typer.Context, as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False
) -> None:
    """List the nets and where they are kept."""
    if context.invoked_subcommand is not None:
        return
    found = list(folder.list_nets())
    if as_json:
        print_json([{"file": str(path), **_facts(net)} for path, net in found])
        return
    print(f"nets are kept in {folder.root()}; those marked * come with Kibitz")
    for path, net in found:
        print(f"  {net if isinstance(net, BadNet) else _line(path, net)}")
    if not found:
        print("  none yet; kibitz learn GAME makes one")


@nets.command()
def show(game: GameText, name: Name = folder.LEARNED) -> None:
    """Show what a net looks at, where it comes from and how it played."""
    path = _path(game, name)
    net = load(path)
    shape = net.network.shape
    looks = [f"the bits of {', '.join(shape.numbers)}"] if shape.numbers else []
    looks += [f"the {size} cells of {field}" for field, size in shape.arrays]
    looks += [f"{shape.features} features of {net.heuristic}"] if shape.features else []
    used = len(set(net.network.maps.ravel().tolist()) - {0})
    print(f"net {net.hash} of {net.game} in {path} ({path.stat().st_size / 1000:.0f} kB)")
    print(f"looks at   {'; '.join(looks)}: {used} rows of {shape.units} units, {net.network.outputs.shape[1]} phases")
    print(
        f"widths     sums up to {net.network.largest_sum} of 32767; "
        f"scales 2^{net.network.unit_bits} and 2^{net.network.output_bits}"
    )
    for key, value in net.provenance.items():
        print(f"{key:10} {value}")
    for match in net.matches:
        print("match      " + ", ".join(f"{key} {value}" for key, value in match.items()))
    print(f"default    {'yes' if net.default else 'no'}")


@nets.command()
def install(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What kibitz learn --out wrote.")],
    game: Annotated[str, typer.Argument(metavar="GAME")],
    name: Name = folder.LEARNED,
    default: Annotated[bool, typer.Option("--default", help="Let the engine use it where nothing is said.")] = False,
) -> None:
    """Keep a net so that engine:heuristic=NAME finds it."""
    from dataclasses import replace

    here = catalog.load(game)
    net = load(file, here)
    path = folder.path_for(here, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    replace(net, default=default).save(path)
    print(f"installed as engine:heuristic={name}; net {net.hash} in {path}")


@nets.command()
def remove(game: GameText, name: Name = folder.LEARNED) -> None:
    """Remove a net of the user's own."""
    path = _path(game, name)
    if path.parent == folder.SHIPPED:
        raise BadOption(f"'{path.name}' comes with Kibitz, expected a net of your own")
    path.unlink()
    print(f"removed {path}")


def _path(game: str, name: str) -> Path:
    if game.endswith(folder.ENDING) and Path(game).is_file():
        return Path(game)
    known = folder.paths_of(catalog.load(game))
    if name not in known:
        listed = ", ".join(known) or "none"
        raise BadOption(f"{game} has no net '{name}' (known: {listed})")
    return known[name]


def _line(path: Path, net: Net) -> str:
    mark = "*" if path.parent == folder.SHIPPED else " "
    name = path.name.removesuffix(folder.ENDING).rpartition(".")[2]
    scores = ", ".join(f"{100 * match['score']:.0f} % v {match['opponent']}" for match in net.matches)
    default = "default" if net.default else "       "
    return f"{mark} {net.game:26} {name:10} {net.network.shape.units:4} units  {net.hash}  {default}  {scores}"


def _facts(net: Net | BadNet) -> dict[str, object]:
    if isinstance(net, BadNet):
        return {"problem": str(net)}
    facts = {"hash": net.hash, **net.facts, "provenance": net.provenance, "matches": list(net.matches)}
    return json.loads(json.dumps(facts | {"default": net.default}))  # type: ignore[no-any-return]
