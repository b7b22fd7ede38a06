"""Matches of the graph do not depend on the order in which a database returns rows."""

from itertools import permutations

from celestial_engine.core.retrieval.bm25 import rarity
from celestial_engine.core.retrieval.graph import Reached, Touch, graph_matches

MEMORIES = 10
ASKED = [Reached("coffee", 0, 1), Reached("jun", 0, 4), Reached("cat", 0, 6)]


def test_the_order_of_rows_changes_no_digit():
    weights = [rarity(each.degree, MEMORIES) for each in ASKED]
    assert len({sum(each) for each in permutations(weights)}) > 1, "these weights would show no difference"
    touches = [Touch(1, each.name, False) for each in ASKED[:2]]
    scores = {graph_matches(asked, asked, touches, MEMORIES, ids={1: "m1"})[0].score for asked in permutations(ASKED)}
    assert len(scores) == 1
