"""Graphs with small whole costs, for every game that asks what is joined, how far it is, and what is still missing.

Pure Python without dependencies. Nodes are 0 .. n-1 and edges are known by their place in the list of edges, so that a
set of built edges is a plain set of ints. Not for flows, routes or drawing.
"""

from collections.abc import Collection, Iterable, Sequence
from operator import add
from typing import NamedTuple

UNREACHABLE = 1 << 30
"""The distance of a node that cannot be reached. Larger than any sum of costs, and sums of it do no harm."""

_NOTHING: frozenset[int] = frozenset()

_Adjacency = list[list[tuple[int, int]]]
"""For each node its (other node, cost) pairs."""


class SteinerTree(NamedTuple):
    """The cheapest edges that join some terminals: their cost and the edges that had to be paid for, ascending."""

    cost: int
    edges: tuple[int, ...]


class Graph:
    """An undirected graph. `edges` are (node, other node, cost) with costs of 1 and more.

    neighbours: for each node its (other node, edge, cost) triples, in the order of the edges.
    """

    def __init__(self, nodes: int, edges: Sequence[tuple[int, int, int]]) -> None:
        self.nodes = nodes
        self.edges = tuple(edges)
        neighbours: list[list[tuple[int, int, int]]] = [[] for _ in range(nodes)]
        for edge, (a, b, cost) in enumerate(self.edges):
            if a == b or cost < 1:
                raise ValueError(f"edge {edge} joins {a} and {b} at a cost of {cost}")
            neighbours[a].append((b, edge, cost))
            neighbours[b].append((a, edge, cost))
        self.neighbours = tuple(map(tuple, neighbours))

    def reachable(self, start: int, along: Collection[int]) -> set[int]:
        """The nodes that can be reached from `start` over edges of `along` only, `start` included."""
        found = {start}
        waiting = [start]
        while waiting:
            for other, edge, _ in self.neighbours[waiting.pop()]:
                if edge in along and other not in found:
                    found.add(other)
                    waiting.append(other)
        return found

    def distances(
        self, sources: Iterable[int], free: Collection[int] = _NOTHING, blocked: Collection[int] = _NOTHING
    ) -> list[int]:
        """For each node the cost of the cheapest way from the nearest source; UNREACHABLE where there is none.

        Edges of `free` cost nothing; edges of `blocked` cannot be used, even when they are free as well.
        """
        component, ways, _ = self._contracted(free, blocked)
        row = _distances(ways, {component[source] for source in sources})
        return [row[node] for node in component]

    def steiner_tree(
        self, terminals: Iterable[int], free: Collection[int] = _NOTHING, blocked: Collection[int] = _NOTHING
    ) -> SteinerTree | None:
        """The cheapest edges that, with all edges of `free` at no cost, join the terminals; None where nothing does.

        Exact (Dreyfus and Wagner 1971, in the form of Erickson, Monma and Veinott 1987): time grows with 3 to the
        number of terminals, and with the size of the graph. Edges of `blocked` cannot be used. Among equally cheap
        trees the choice is fixed, but without meaning.
        """
        component, ways, cheapest = self._contracted(free, blocked)
        wanted = sorted({component[terminal] for terminal in terminals})
        found = _steiner(ways, wanted)
        if found is None:
            return None
        cost, pairs = found
        return SteinerTree(cost, tuple(sorted({cheapest[pair] for pair in pairs})))

    def _contracted(
        self, free: Collection[int], blocked: Collection[int]
    ) -> tuple[list[int], _Adjacency, dict[tuple[int, int], int]]:
        """The graph with every component of free edges made one node.

        Returns the new node of each node, the new adjacency, and the cheapest edge of each new (lower, higher) pair.
        """
        root = list(range(self.nodes))
        for edge in free:
            if edge not in blocked:
                a, b, _ = self.edges[edge]
                while root[a] != a:
                    a = root[a]
                while root[b] != b:
                    b = root[b]
                if a < b:
                    root[b] = a
                else:
                    root[a] = b
        component = [0] * self.nodes
        count = 0
        for node in range(self.nodes):
            # A root is never higher than its nodes, so that it has been numbered before them.
            if root[node] == node:
                component[node] = count
                count += 1
            else:
                component[node] = component[root[node]]
        cheapest: dict[tuple[int, int], int] = {}
        for edge, (a, b, cost) in enumerate(self.edges):
            a, b = component[a], component[b]
            if a != b and edge not in blocked:
                pair = (a, b) if a < b else (b, a)
                if pair not in cheapest or cost < self.edges[cheapest[pair]][2]:
                    cheapest[pair] = edge
        ways: _Adjacency = [[] for _ in range(count)]
        for (a, b), edge in cheapest.items():
            cost = self.edges[edge][2]
            ways[a].append((b, cost))
            ways[b].append((a, cost))
        return component, ways, cheapest


def _spread(values: list[int], ways: _Adjacency, limit: int) -> None:
    """Lower each value to the least of any node's value and the way from there; values above `limit` stay as they are.

    Values that nothing is known of must be limit + 1. This is Dijkstra's algorithm with one bucket for each cost.
    """
    buckets: list[list[int]] = [[] for _ in range(limit + 1)]
    for node, value in enumerate(values):
        if value <= limit:
            buckets[value].append(node)
    for distance, bucket in enumerate(buckets):
        for node in bucket:
            if values[node] == distance:
                for other, cost in ways[node]:
                    further = distance + cost
                    if further < values[other]:
                        values[other] = further
                        buckets[further].append(other)


def _spanning_cost(distances: Sequence[Sequence[int]], terminals: Sequence[int]) -> int:
    """The cost of the cheapest tree of ways from terminal to terminal: never below that of a Steiner tree."""
    nearest = {terminal: distances[0][terminal] for terminal in terminals[1:]}
    total = 0
    while nearest:
        terminal = min(nearest, key=nearest.__getitem__)
        total += nearest.pop(terminal)
        row = distances[terminals.index(terminal)]
        for other in nearest:
            nearest[other] = min(nearest[other], row[other])
    return total


def _steiner(ways: _Adjacency, terminals: Sequence[int]) -> tuple[int, list[tuple[int, int]]] | None:
    """Cost and (lower, higher) pairs of nodes of a cheapest tree that joins different terminals."""
    if len(terminals) < 2:
        return 0, []
    distances = [_distances(ways, [terminal]) for terminal in terminals]
    limit = _spanning_cost(distances, terminals)
    if limit >= UNREACHABLE:
        return None
    # best[s][v]: the cost of a cheapest tree that joins v and the terminals of the set s (a bit each; the last terminal
    # is the root and in no set). Only costs up to the spanning tree's are of use: all above are cut to `far`.
    far = limit + 1
    rows = [[min(value, far) for value in row] for row in distances]
    root_row = rows.pop()
    everything = (1 << len(rows)) - 1
    best: list[list[int]] = [[]] * (everything + 1)
    for subset in range(1, everything + 1):
        if subset & (subset - 1) == 0:
            best[subset] = rows[subset.bit_length() - 1]
            continue
        joined = _joined(best, subset, far, len(ways))
        if subset != everything:
            _spread(joined, ways, limit)
        best[subset] = joined
    totals = list(map(add, best[everything], root_row))
    cost = min(totals)
    meeting = totals.index(cost)
    pairs = _way_back(root_row, meeting, ways)
    _trace(best, everything, meeting, ways, pairs)
    return cost, pairs


def _distances(ways: _Adjacency, sources: Iterable[int]) -> list[int]:
    """For each node the cost of the cheapest way from the nearest source, or UNREACHABLE."""
    dearest = max((cost for row in ways for _, cost in row), default=1)
    limit = dearest * len(ways)
    found = [limit + 1] * len(ways)
    for source in sources:
        found[source] = 0
    _spread(found, ways, limit)
    return [value if value <= limit else UNREACHABLE for value in found]


def _splits(subset: int) -> Iterable[tuple[int, int]]:
    """The ways to part a set in two, each once."""
    part = (subset - 1) & subset
    while part > subset ^ part:
        yield part, subset ^ part
        part = (part - 1) & subset


def _joined(best: Sequence[list[int]], subset: int, far: int, nodes: int) -> list[int]:
    """For each node the least cost of two trees for the two parts of a set that meet in this node."""
    sums = [map(add, best[one], best[other]) for one, other in _splits(subset)]
    return list(map(min, [far] * nodes, *sums))


def _way_back(values: Sequence[int], node: int, ways: _Adjacency) -> list[tuple[int, int]]:
    """The pairs of a way from the node down to where the value is 0."""
    pairs = []
    while values[node] > 0:
        for other, cost in ways[node]:
            if values[other] + cost == values[node]:
                pairs.append((min(node, other), max(node, other)))
                node = other
                break
    return pairs


def _trace(best: Sequence[list[int]], subset: int, node: int, ways: _Adjacency, pairs: list[tuple[int, int]]) -> None:
    """Append the pairs of the tree behind best[subset][node]."""
    if subset & (subset - 1) == 0:
        pairs.extend(_way_back(best[subset], node, ways))
        return
    value = best[subset][node]
    for one, other in _splits(subset):
        if best[one][node] + best[other][node] == value:
            _trace(best, one, node, ways, pairs)
            _trace(best, other, node, ways, pairs)
            return
    for neighbour, cost in ways[node]:
        if best[subset][neighbour] + cost == value:
            pairs.append((min(node, neighbour), max(node, neighbour)))
            _trace(best, subset, neighbour, ways, pairs)
            return
