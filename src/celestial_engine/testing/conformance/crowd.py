"""A large set of vectors, and helpers to search it."""

from __future__ import annotations

import math
import random
from array import array
from dataclasses import replace

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import ItemStore
from celestial_engine.testing.conformance.base import SOMEBODY, a_course, an_item

DIMENSION = 48
MANY = 1_200  # above the limit for exact comparison, and enough to compute a centre


def crowd(count: int = MANY, seed: int = 1) -> list[list[float]]:
    """Vectors like those of a language model: not centred on zero, in groups of ten neighbours."""
    chance = random.Random(seed)  # noqa: S311 - reproducible test data

    def direction() -> list[float]:
        drawn = [chance.gauss(0, 1) for _ in range(DIMENSION)]
        return [value / math.hypot(*drawn) for value in drawn]

    common = direction()
    leaders = [direction() for _ in range(-(-count // 10))]
    vectors = []
    for number in range(count):
        mixed = zip(common, leaders[number // 10], direction(), strict=True)
        vector = [0.88 * shared + 0.4 * group + 0.25 * own for shared, group, own in mixed]
        vectors.append(array("f", [value / math.hypot(*vector) for value in vector]).tolist())
    return vectors


CROWD = crowd()
LONELY = [-value for value in CROWD[0]]  # far from all others


def a_memory(name: str, vector: list[float], owner: Owner = SOMEBODY) -> CelestialItem:
    return replace(an_item(name, f"text of {name}", owner=owner), embedding=vector)


def fill(store: ItemStore, vectors: list[list[float]] = CROWD, owner: Owner = SOMEBODY) -> None:
    with store.write(owner) as session:
        for number, vector in enumerate(vectors):
            session.items.add(a_memory(f"m{number}", vector, owner), a_course())


def add(store: ItemStore, name: str, vector: list[float], owner: Owner = SOMEBODY) -> None:
    with store.write(owner) as session:
        session.items.add(a_memory(name, vector, owner), a_course())


def search_ids(store: ItemStore, vector: list[float], limit: int = 10, owner: Owner = SOMEBODY) -> list[str]:
    with store.read() as session:
        return [match.item_id for match in session.search.by_vector(owner, vector, limit)]


def exact(vector: list[float], limit: int = 10) -> list[str]:
    ranked = sorted(
        range(len(CROWD)), key=lambda number: -sum(a * b for a, b in zip(CROWD[number], vector, strict=True))
    )
    return [f"m{number}" for number in ranked[:limit]]
