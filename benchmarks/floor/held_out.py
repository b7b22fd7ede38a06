"""What is read about people by models that they did not train: on its own people a model looks better than it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from unittest.mock import patch

from training.held_out import heads_without, topics_without
from training.people import told_pairs
from training.relations import all_pairs, change_head

from celestial_engine.core.record.reading import Change
from celestial_engine.understanding import embedded, topics
from celestial_engine.understanding.features import BUCKETS
from celestial_engine.understanding.reader import default_reader


@contextmanager
def without(name: str) -> Iterator[None]:
    """Within it, texts are compared by what was learned from others than this person (language and number)."""
    with (
        patch.object(topics, "default_topics", lambda: topics_without(name)),
        patch.object(embedded, "_loaded", lambda _: heads_without(name)),
    ):
        yield


def change_in(name: str, text: str) -> Change | None:
    """Returns what a text of a train person shows about change, by a head that left the person out."""
    change = default_reader().change_in(text)
    odds = _change_odds().get((name, text))
    return change if change is None or odds is None else change._replace(replaces=odds[0], same=odds[1])


@lru_cache(maxsize=1)
def _change_odds() -> Mapping[tuple[str, str], tuple[float, float]]:
    pairs = [*all_pairs("train", "ordinary"), *told_pairs("train")]
    head = change_head(pairs, BUCKETS // 4, seed=1)
    return {
        (pair.person, pair.second): (float(odds[0]), float(odds[1]))
        for pair, odds in zip(pairs, head.held_out, strict=True)
        if pair.person
    }
