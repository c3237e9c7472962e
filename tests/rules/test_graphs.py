"""The shared graph code gives exact answers: every one is compared with a search through all sets of edges."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.graphs import UNREACHABLE, Graph

# 0 -1- 1 -1- 2, and beside them 0 -2- 3 -2- 2
SQUARE = Graph(5, [(0, 1, 1), (1, 2, 1), (0, 3, 2), (3, 2, 2)])


def joins(graph: Graph, edges: set[int], terminals: list[int]) -> bool:
    return set(terminals) <= graph.reachable(terminals[0], edges)


def cheapest(graph: Graph, terminals: list[int], free: set[int], blocked: set[int]) -> int | None:
    """The least cost of any set of edges that joins the terminals."""
    usable = [edge for edge in range(len(graph.edges)) if edge not in blocked and edge not in free]
    costs = [
        sum(graph.edges[edge][2] for edge in bought)
        for count in range(len(usable) + 1)
        for bought in combinations(usable, count)
        if joins(graph, set(bought) | (free - blocked), terminals)
    ]
    return min(costs, default=None)


@st.composite
def problems(draw):
    nodes = draw(st.integers(2, 7))
    pairs = list(combinations(range(nodes), 2))
    chosen = draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=10))  # two edges may join the same nodes
    edges = [(a, b, draw(st.integers(1, 3))) for a, b in chosen]
    indices = st.sets(st.integers(0, len(edges) - 1), max_size=3)
    terminals = draw(st.lists(st.integers(0, nodes - 1), min_size=1, max_size=6))
    return Graph(nodes, edges), terminals, draw(indices), draw(indices)


@settings(max_examples=300, deadline=None)
@given(problems())
def test_a_steiner_tree_costs_as_little_as_any_set_of_edges_that_joins_the_terminals(problem):
    graph, terminals, free, blocked = problem
    tree = graph.steiner_tree(terminals, free, blocked)
    least = cheapest(graph, terminals, free, blocked)
    if tree is None:
        assert least is None
        return
    assert tree.cost == least
    assert tree.cost == sum(graph.edges[edge][2] for edge in tree.edges)
    assert list(tree.edges) == sorted(set(tree.edges))
    assert not set(tree.edges) & (free | blocked)
    assert joins(graph, set(tree.edges) | (free - blocked), terminals)


@settings(max_examples=200, deadline=None)
@given(problems())
def test_a_distance_is_the_cost_of_joining_two_nodes(problem):
    graph, terminals, free, blocked = problem
    distances = graph.distances(terminals, free, blocked)
    for node in range(graph.nodes):
        costs = [cheapest(graph, [source, node], free, blocked) for source in terminals]
        assert distances[node] == min((cost for cost in costs if cost is not None), default=UNREACHABLE)


def test_a_free_edge_shortens_and_a_blocked_one_lengthens():
    assert SQUARE.distances([0]) == [0, 1, 2, 2, UNREACHABLE]
    assert SQUARE.distances([0], free={3}) == [0, 1, 2, 2, UNREACHABLE]
    assert SQUARE.distances([0], free={2}) == [0, 1, 2, 0, UNREACHABLE]
    assert SQUARE.distances([0], blocked={0}) == [0, 5, 4, 2, UNREACHABLE]
    assert SQUARE.distances([0], free={0}, blocked={0}) == [0, 5, 4, 2, UNREACHABLE]


def test_what_is_joined_already_costs_nothing():
    assert SQUARE.steiner_tree([0, 2], free={0, 1}) == (0, ())
    assert SQUARE.steiner_tree([1]) == (0, ())
    assert SQUARE.steiner_tree([1, 1]) == (0, ())


def test_a_terminal_out_of_reach_has_no_tree():
    assert SQUARE.steiner_tree([0, 4]) is None


@pytest.mark.parametrize("edge", [(0, 0, 1), (0, 1, 0)], ids=["loop", "no cost"])
def test_loops_and_edges_without_cost_are_refused(edge):
    with pytest.raises(ValueError, match="edge 0"):
        Graph(2, [edge])
