"""The game's rules under the slots' names and signatures, as the text of small functions to compile or to run.

Authors leave out `rules` where they do not need it, and the types of what they return are theirs; the adapters pass
what is asked for and cast every field of a state to its annotation, so that all kernels see one type only.
"""

from typing import Any

import numpy as np

from kibitz.core.errors import RulesError
from kibitz.core.fields import Field, where
from kibitz.core.heuristic import RULES_OF_A_HEURISTIC, Heuristic
from kibitz.core.result import DRAW, FIRST, ONGOING
from kibitz.core.rulebook import Rulebook, asks
from kibitz.core.seam.call_graph import Function, Gatherer
from kibitz.core.seam.generators import BUFFERS, Mode
from kibitz.core.seam.slots import NO_LIMIT, SLOTS, UNKNOWN, Slot

# Slot: the function that fills it, of the rulebook or the heuristic, and how that function is rewritten.
FILLED: dict[str, tuple[str, Mode]] = {
    "turn": ("turn", "plain"),
    "moves": ("moves", "fill"),
    "moves_once": ("moves_once", "fill"),
    "count_moves": ("moves", "count"),
    "play": ("play", "plain"),
    "result": ("result", "plain"),
    "plies_left": ("plies_left", "plain"),
    "at_limit": ("at_limit", "plain"),
    "horizon": ("horizon", "plain"),
    "outcomes": ("outcomes", "odds"),
    "key": ("key", "plain"),
    "index": ("index", "plain"),
    "unindex": ("unindex", "plain"),
    "unmoves": ("unmoves", "fill"),
    "unplay": ("unplay", "plain"),
    "transform": ("transform", "plain"),
    "transform_move": ("transform_move", "plain"),
    "features": ("features", "plain"),
    "evaluate": ("evaluate", "plain"),
    "is_tactical": ("is_tactical", "plain"),
    "known_result": ("known_result", "plain"),
    "candidates": ("candidates", "fill"),
}
_SECOND = {
    "play": "move",
    "unplay": "move",
    "is_tactical": "move",
    "transform": "symmetry",
}  # what a function takes behind the state
_GIVEN = {"transform_move": ["move", "symmetry"], "unindex": ["number"]}  # instead of a state


def rule_for(book: Rulebook, heuristic: Heuristic, slot: str) -> tuple[Function, Mode] | None:
    """The author's function behind a slot, or None where there is none."""
    name, mode = FILLED[slot]
    rule = getattr(heuristic if name in RULES_OF_A_HEURISTIC else book, name)
    if rule is None and slot == "candidates":
        rule = book.moves_once
    if rule is None and slot in ("moves_once", "candidates"):
        rule = book.moves
    if rule is None:
        return None
    if not isinstance(rule, Function) or rule.__name__ == "<lambda>":
        raise RulesError(f"{where(book.state)}: {name} of '{book.name}' is to be compiled, expected a def")
    return rule, mode


def add_adapters(gatherer: Gatherer, book: Rulebook, heuristic: Heuristic, probe: Slot | None, fit: Any) -> None:
    """Gather the functions of the game and its heuristic and fill the slots with them."""
    rules = {slot: rule_for(book, heuristic, slot) for slot in FILLED}
    links = {f"rule_{slot}": gatherer.add(*rule) for slot, rule in rules.items() if rule is not None}
    links["mix"] = gatherer.add(mix)  # type: ignore[arg-type]
    for slot, text in adapter_texts(book, heuristic).items():
        used = {name: item for name, item in links.items() if f"{name}(" in text}
        names = {"np": np, "fit": fit, "State": book.state}
        gatherer.slots[SLOTS[slot]] = gatherer.add_text(text, names, used)  # type: ignore[index]
    if probe is not None:  # it calls the others, so it comes last
        gatherer.slots[SLOTS["probe"]] = gatherer.add(probe)  # type: ignore[index, arg-type]


def mix(code: np.uint64, part: np.uint64) -> np.uint64:
    """Stir one more word into a hash."""
    code = (code ^ part) * np.uint64(0xD6E8FEB86659FD93)
    return code ^ (code >> np.uint64(32))


def adapter_texts(book: Rulebook, heuristic: Heuristic) -> dict[str, str]:
    """For each slot the text of a function that calls `rule_<slot>`."""
    calls = {slot: _call(book, heuristic, slot) for slot in FILLED}
    return {
        "turn": _function("turn(state, rules)", f"return np.int64({calls['turn']})"),
        "moves": _function("moves(state, rules, _out, _at)", f"return {calls['moves']}"),
        "moves_once": _function("moves_once(state, rules, _out, _at)", f"return {calls['moves_once']}"),
        "count_moves": _function("count_moves(state, rules)", f"return np.int64({calls['count_moves']})"),
        "play": _function("play(state, move, rules)", f"made = {calls['play']}", _fitted(book)),
        "result": _result(book, calls),
        "plies_left": _function("plies_left(state, rules)", f"return np.int64({calls['plies_left'] or NO_LIMIT})"),
        "horizon": _function(
            "horizon(state, rules)", f"return np.int64({calls['horizon'] or calls['plies_left'] or NO_LIMIT})"
        ),
        "outcomes": _function("outcomes(state, rules, _odds, _out, _at)", f"return {calls['outcomes'] or '_at'}"),
        "key": _function("key(state, rules)", f"kept = {calls['key'] or 'state'}", *_hashed(book.state_fields)),
        "write_words": _function("write_words(state, rules, _out, _at)", *_worded(book.state_fields)),
        "read_words": _function("read_words(_words, _at, rules)", *_unworded(book.state_fields)),
        "keyed": _function("keyed(state, rules)", f"made = {calls['key'] or 'state'}", _fitted(book)),
        "index": _function("index(state, rules)", f"return np.int64({calls['index'] or -1})"),
        "unmoves": _function("unmoves(state, rules, _out, _at)", f"return {calls['unmoves'] or '_at'}"),
        "unplay": _function("unplay(state, move, rules)", f"made = {calls['unplay'] or 'state'}", _fitted(book)),
        **(
            {"unindex": _function("unindex(number, rules)", f"made = {calls['unindex']}", _fitted(book))}
            if calls["unindex"]
            else {}
        ),
        "transform": _function(
            "transform(state, symmetry, rules)", f"made = {calls['transform'] or 'state'}", _fitted(book)
        ),
        "transform_move": _function(
            "transform_move(move, symmetry, rules)", f"return np.int64({calls['transform_move'] or 'move'})"
        ),
        "evaluate": _function("evaluate(state, rules, weights, me)", *_weighed(heuristic, calls)),
        "is_tactical": _function("is_tactical(state, move, rules)", f"return bool({calls['is_tactical'] or False})"),
        "known_result": _function("known_result(state, rules)", f"return np.int64({calls['known_result'] or 0})"),
        "probe": _function("probe(state, rules, header, data)", f"return np.int64({UNKNOWN})"),
        "candidates": _function("candidates(state, rules, _out, _at)", f"return {calls['candidates']}"),
    }


def _function(head: str, *lines: str) -> str:
    return f"def {head}:\n" + "".join(f"    {line}\n" for line in lines)


def _weighed(heuristic: Heuristic, calls: dict[str, str]) -> list[str]:
    rule = heuristic.features or heuristic.evaluate
    if heuristic.features is None:
        lines = [f"value = np.float64({calls['evaluate'] or 0.0})"]
    else:
        terms = [f"weights[{index}] * found[{index}]" for index in range(len(heuristic.weights))]
        lines = [f"found = {calls['features']}", f"value = np.float64({' + '.join(terms)})"]
    mine = rule is not None and asks(rule, "me")
    return [*lines, f"return value if me == {FIRST} else -value" if mine else "return value"]


def _call(book: Rulebook, heuristic: Heuristic, slot: str) -> str:
    """The call of the author's function, with `rules` if it asks for them; '' where there is none."""
    found = rule_for(book, heuristic, slot)
    if found is None:
        return ""
    rule, mode = found
    given = _GIVEN.get(slot, ["state", *filter(None, [_SECOND.get(slot)])])
    given += ["me"] if asks(rule, "me") else []
    arguments = given + (["rules"] if asks(rule, "rules") else []) + list(BUFFERS[mode])
    return f"rule_{slot}({', '.join(arguments)})"


def _result(book: Rulebook, calls: dict[str, str]) -> str:
    lines = [f"found = np.int64({calls['result']})"]
    if calls["plies_left"]:
        lines += [
            f"if found == {ONGOING} and {calls['plies_left']} <= 0:",
            f"    return np.int64({calls['at_limit'] or DRAW})",
        ]
    return _function("result(state, rules)", *lines, "return found")


def _fitted(book: Rulebook) -> str:
    fields = ", ".join(f"fit(made.{field.name}, np.{_width(field)}, '{field.name}')" for field in book.state_fields)
    return f"return State({fields})"


def _width(field: Field) -> str:
    return field.dtype.type.__name__


def _hashed(fields: tuple[Field, ...]) -> list[str]:
    lines = ["code = np.uint64(0x9E3779B97F4A7C15)"]
    for field in fields:
        if field.array:
            lines += [f"for part in kept.{field.name}:", "    code = mix(code, np.uint64(part))"]
            lines += [f"code = mix(code, np.uint64(kept.{field.name}.size))"]
        else:
            lines += [f"code = mix(code, np.uint64(kept.{field.name}))"]
    return [*lines, "return code"]


def _worded(fields: tuple[Field, ...]) -> list[str]:
    lines = []
    for field in fields:
        if field.array:
            lines += [f"_out[_at] = state.{field.name}.size", "_at += 1", f"for part in state.{field.name}:"]
            lines += ["    _out[_at] = np.int64(part)", "    _at += 1"]
        else:
            lines += [f"_out[_at] = np.int64(state.{field.name})", "_at += 1"]
    return [*lines, "return _at"]


def _unworded(fields: tuple[Field, ...]) -> list[str]:
    lines = []
    for field in fields:
        if field.array:
            lines += [f"{field.name} = _words[_at + 1 : _at + 1 + _words[_at]].astype(np.{_width(field)})"]
            lines += ["_at += 1 + _words[_at]"]
        else:
            lines += [f"{field.name} = np.{_width(field)}(_words[_at])", "_at += 1"]
    return [*lines, f"return State({', '.join(field.name for field in fields)})"]
