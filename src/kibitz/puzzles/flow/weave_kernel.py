"""The generator's loom, compiled: a graph covered by paths that do not touch themselves, changed a little at a time.

Three moves lead from one such cover to another: an end goes over from its path to the end of a neighbouring path; two
paths whose ends are neighbours become one; a path is cut in two. Each is taken when it makes the cover better, and
sometimes when it makes it worse (simulated annealing). Better means: as many paths as asked for, none shorter than
three nodes, few ends on the border, none on a bridge.
"""

import numpy as np
from numpy.typing import NDArray

from kibitz.core.random_numbers import next_number

Nodes = NDArray[np.int32]

SHORTEST = 3  # nodes of a path: its sources are not neighbours
_SHORT, _COUNT = 3.0, 1.5  # the price of a node that a path lacks, of a path too many or too few

SEED, PATHS = 0, 1  # the entries of the control array


def weave(
    near: Nodes, sides: int, prices: NDArray[np.float64], wanted: int, steps: int, warmth: float, owner: Nodes,
    links: Nodes, tips: Nodes, lengths: Nodes, control: NDArray[np.int64],
) -> int:  # fmt: skip
    """Make `steps` moves while cooling down from `warmth`; the number of paths.

    `near` lists `sides` neighbours a node, -1 for none; `prices` what an end costs on each node. The cover is told by
    the `owner` of each node, its two `links` (-1 for none), and the two `tips` and the length of each path.
    """
    for step in range(steps):
        heat = warmth * (1 - step / steps) + 1e-3
        path = below(int(control[PATHS]), control)
        side = below(2, control)
        if below(8, control) != 0:
            tip = tips[2 * path + side]
            other = near[tip * sides + below(sides, control)]
            if other < 0 or owner[other] == path or not is_tip(other, tips, owner):
                continue
            if below(4, control) == 0:
                merge(tip, other, near, sides, prices, wanted, heat, owner, links, tips, lengths, control)
            else:
                shift(tip, other, near, sides, prices, heat, owner, links, tips, lengths, control)
        elif control[PATHS] < wanted + 2:
            split(path, prices, wanted, heat, owner, links, tips, lengths, control)
    return int(control[PATHS])


def below(bound: int, control: NDArray[np.int64]) -> int:
    """A random number from 0 to bound - 1."""
    control[SEED] = next_number(control[SEED])
    return int(control[SEED] % bound)


def accepted(change: float, heat: float, control: NDArray[np.int64]) -> bool:
    """Is a change of price to be taken? Worse ones with a chance near exp(-change / heat).

    Sums, products and quotients are the same on every machine, exp is not.
    """
    if change <= 0:
        return True
    rest = 1 - change / heat / 8
    if rest <= 0:
        return False
    power = rest * rest
    power *= power
    return below(1000000, control) < 1000000 * power * power


def is_tip(node: int, tips: Nodes, owner: Nodes) -> bool:
    return bool(tips[2 * owner[node]] == node or tips[2 * owner[node] + 1] == node)


def short(length: int) -> float:
    """The price of a path of this length."""
    return _SHORT * max(0, SHORTEST - length)


def odd(paths: int, wanted: int) -> float:
    """The price of this number of paths."""
    return _COUNT * abs(paths - wanted)


def touching(node: int, path: int, near: Nodes, sides: int, owner: Nodes) -> int:
    """How many neighbours of a node lie on a path."""
    count = 0
    for side in range(sides):
        other = near[node * sides + side]
        if other >= 0 and owner[other] == path:
            count += 1
    return count


def tie(one: int, other: int, links: Nodes) -> None:
    links[2 * one + (0 if links[2 * one] < 0 else 1)] = other
    links[2 * other + (0 if links[2 * other] < 0 else 1)] = one


def untie(one: int, other: int, links: Nodes) -> None:
    links[2 * one + (0 if links[2 * one] == other else 1)] = -1
    links[2 * other + (0 if links[2 * other] == one else 1)] = -1


def linked(node: int, links: Nodes) -> int:
    """The one neighbour that the tip of a path is joined to, or -1."""
    return int(max(links[2 * node], links[2 * node + 1]))


def replace_tip(path: int, old: int, new: int, tips: Nodes) -> None:
    tips[2 * path + (0 if tips[2 * path] == old else 1)] = new


def shift(
    tip: int, other: int, near: Nodes, sides: int, prices: NDArray[np.float64], heat: float, owner: Nodes,
    links: Nodes, tips: Nodes, lengths: Nodes, control: NDArray[np.int64],
) -> None:  # fmt: skip
    """Let `other`, the tip of its path, go over to the path of `tip`."""
    path, loser = owner[tip], owner[other]
    back = linked(other, links)
    if back < 0 or touching(other, path, near, sides, owner) != 1:
        return
    change = prices[back] - prices[tip]
    if lengths[path] == 1:  # its node stays a tip
        change = prices[back]
    change += short(lengths[loser] - 1) - short(lengths[loser]) + short(lengths[path] + 1) - short(lengths[path])
    if not accepted(change, heat, control):
        return
    untie(other, back, links)
    tie(tip, other, links)
    replace_tip(loser, other, back, tips)
    replace_tip(path, tip, other, tips)
    owner[other] = path
    lengths[loser] -= 1
    lengths[path] += 1


def merge(
    tip: int, other: int, near: Nodes, sides: int, prices: NDArray[np.float64], wanted: int, heat: float,
    owner: Nodes, links: Nodes, tips: Nodes, lengths: Nodes, control: NDArray[np.int64],
) -> None:  # fmt: skip
    """Make one path of two whose tips are neighbours, if they touch nowhere else."""
    path, gone = owner[tip], owner[other]
    paths = int(control[PATHS])
    change = odd(paths - 1, wanted) - odd(paths, wanted) - prices[tip] - prices[other]
    change += short(lengths[path] + lengths[gone]) - short(lengths[path]) - short(lengths[gone])
    if not accepted(change, heat, control):
        return
    node, before, contacts = other, -1, 0
    while node >= 0:
        contacts += touching(node, path, near, sides, owner)
        if contacts > 1:
            return
        node, before = onward(node, before, links), node
    far = tips[2 * gone] if tips[2 * gone + 1] == other else tips[2 * gone + 1]
    rename(other, gone, path, owner, links)
    tie(tip, other, links)
    replace_tip(path, tip, far, tips)
    lengths[path] += lengths[gone]
    last = paths - 1
    if gone != last:
        rename(tips[2 * last], last, gone, owner, links)
        tips[2 * gone], tips[2 * gone + 1] = tips[2 * last], tips[2 * last + 1]
        lengths[gone] = lengths[last]
    control[PATHS] = last


def onward(node: int, before: int, links: Nodes) -> int:
    """The node that follows on a path, -1 at its end."""
    if before >= 0 and links[2 * node] == before:
        return int(links[2 * node + 1])
    if before >= 0:
        return int(links[2 * node])
    return linked(node, links)


def rename(tip: int, old: int, new: int, owner: Nodes, links: Nodes) -> None:
    """Give the nodes from a tip on to another path."""
    node, before = tip, -1
    while node >= 0:
        owner[node] = new
        node, before = onward(node, before, links), node


def split(
    path: int, prices: NDArray[np.float64], wanted: int, heat: float, owner: Nodes, links: Nodes, tips: Nodes,
    lengths: Nodes, control: NDArray[np.int64],
) -> None:  # fmt: skip
    """Cut a path in two, both long enough."""
    length = int(lengths[path])
    if length < 2 * SHORTEST:
        return
    kept = SHORTEST + below(length - 2 * SHORTEST + 1, control)
    node, before = int(tips[2 * path]), -1
    for _ in range(kept - 1):
        node, before = onward(node, before, links), node
    first = onward(node, before, links)
    paths = int(control[PATHS])
    change = odd(paths + 1, wanted) - odd(paths, wanted) + prices[node] + prices[first]
    if not accepted(change, heat, control):
        return
    untie(node, first, links)
    tips[2 * paths], tips[2 * paths + 1] = first, tips[2 * path + 1]
    tips[2 * path + 1] = node
    rename(first, path, paths, owner, links)
    lengths[path], lengths[paths] = kept, length - kept
    control[PATHS] = paths + 1
