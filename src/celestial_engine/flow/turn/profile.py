"""profile: read what is known about the user, by the addresses of lasting memories, without a search."""

from __future__ import annotations

from collections.abc import Sequence

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.composition import Composition, PromptCandidate, compose
from celestial_engine.core.retrieval.profile import EACH, Profile, compose_profile, worth_reading
from celestial_engine.core.text.language import language_of
from celestial_engine.ports import ItemFilter, ItemStore

_MOST_RECENT = 20
_INSTRUCTING = [(subject, Attribute.INSTRUCTION) for subject in Subject]


def read_profile(store: ItemStore, owner: Owner, budget: int, orders: Sequence[CelestialItem] = ()) -> Profile:
    """Read the most telling facts, and write as many as fit into the budget; `orders` mark what they name."""
    with store.read() as session:
        facts = session.items.lasting(owner, EACH)
        ids = worth_reading(facts, budget)
        items = session.items.get_many(owner, ids)
        # Most orders are read as instructions; one that does not last is not among the facts.
        instructing = session.search.at_addresses(owner, _INSTRUCTING, EACH)
        instructions = session.items.get_many(owner, [item_id for item_id in instructing if item_id not in set(ids)])
    return compose_profile(items, budget, len(facts) - len(ids), [*orders, *instructions])


def answer_from_profile(store: ItemStore, owner: Owner, question: str, budget: int) -> Composition:
    """Answer what is known about the user: with the profile; without lasting facts, with the newest memories."""
    profile = read_profile(store, owner, budget)
    if profile.facts:
        return profile.as_composition(budget)
    with store.read() as session:
        newest = session.items.newest(owner, ItemFilter(), _MOST_RECENT)
    valid_items = [item for item in newest if item.validity.until is None and item.source is not Source.IMAGINATION]
    ranked = [PromptCandidate(item, 1.0 - place / _MOST_RECENT) for place, item in enumerate(valid_items)]
    return compose(ranked, budget, language=language_of(question).value, known=bool(ranked))
