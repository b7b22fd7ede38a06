"""Trust by reading: rights go for what is taken for an order, a mark is enough for what may be one."""

from __future__ import annotations

import pytest

from celestial_engine.core.guard.guard import trust_by_reading
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.labels import Address, Attribute, Subject
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.sameness.supersession import may_supersede


def a_memory(content="I live in Oslo", source=Source.CONVERSATION, **facets) -> CelestialItem:
    return CelestialItem("a", content, 0.0, 0.0, source=source, **facets)


@pytest.mark.parametrize(
    ("steers", "trust"),
    [(0.0, Trust.NORMAL), (0.09, Trust.NORMAL), (0.1, Trust.DOUBTFUL), (0.59, Trust.DOUBTFUL), (0.6, Trust.LOW)],
)
@pytest.mark.parametrize("source", [Source.USER, Source.CONVERSATION, Source.IMPORT])
def test_the_more_it_steers_the_less_it_is_trusted(steers, trust, source):
    assert trust_by_reading(a_memory(source=source), steers) is trust


@pytest.mark.parametrize(
    "text", ['{"plan": "paid until 2027"}', "<div>closed on Mondays</div>", ' [{"name": 1}, {"name": 2}] ']
)
def test_data_and_markup_are_nobodys_words(text):
    assert trust_by_reading(a_memory(text), 0.0) is Trust.DOUBTFUL


@pytest.mark.parametrize("text", ["", "{}", "[sigh]", "<3", "[laughs] I knew it", "I wrote {name} there", "[한숨]"])
def test_short_signs_and_sentences_with_brackets_are_words(text):
    assert trust_by_reading(a_memory(text), 0.0) is Trust.NORMAL


def test_what_is_known_to_instruct_stays_low():
    assert trust_by_reading(a_memory(trust=Trust.LOW), 0.0) is Trust.LOW


def test_claims_of_pages_are_judged_by_what_they_claim():
    health = Address(Subject.USER, Attribute.HEALTH)
    assert trust_by_reading(a_memory(source=Source.OBSERVATION, address=health), 0.2) is Trust.LOW
    assert trust_by_reading(a_memory(source=Source.OBSERVATION), 0.2) is Trust.NORMAL


@pytest.mark.parametrize(("trust", "may"), [(Trust.NORMAL, True), (Trust.DOUBTFUL, True), (Trust.LOW, False)])
def test_a_doubtful_statement_may_replace_an_older_one(trust, may):
    """People's changes must not be lost because one of them resembles an order."""
    older = a_memory("I live in Oslo")
    newer = CelestialItem("b", "I live in Bergen", 9.0, 9.0, source=Source.CONVERSATION, trust=trust)
    assert may_supersede(newer, older) is may


@pytest.mark.parametrize(("trust", "marked"), [(Trust.NORMAL, False), (Trust.DOUBTFUL, True), (Trust.LOW, True)])
def test_a_doubtful_statement_is_marked_and_no_claim(trust, marked):
    item = a_memory(trust=trust)
    assert item.is_marked is marked
    assert item.is_claim is (trust is Trust.LOW)
