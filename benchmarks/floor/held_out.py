"""The engine without what a person taught it: who trained topics and heads makes them look better than they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from training.held_out import heads_without, topics_without

from celestial_engine.understanding import embedded, topics


@contextmanager
def without(name: str) -> Iterator[None]:
    """Within it, texts are compared by what was learned from others than this person (language and number)."""
    with (
        patch.object(topics, "default_topics", lambda: topics_without(name)),
        patch.object(embedded, "_loaded", lambda _: heads_without(name)),
    ):
        yield
