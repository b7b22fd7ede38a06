"""The result of observing a conversation turn."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.record.coordinate import EmotionCoordinate
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.composition import Composition
from celestial_engine.core.turn.conversation import Utterance
from celestial_engine.core.turn.forgetting import Forgetting
from celestial_engine.core.turn.policy import Decision
from celestial_engine.errors import Problem


@dataclass(frozen=True)
class Observed:
    """The decision about a turn and its result. `problem` is set if something failed.

    `item` is the memory that was saved, or that the turn repeated. `forgetting` is set if the turn asked to forget
    something. Pass `turn` in the next call's history.
    """

    decision: Decision
    turn: Utterance | None = None
    item: CelestialItem | None = None
    composed: Composition | None = None
    forgetting: Forgetting | None = None
    problem: Problem | None = None
    redaction: str = ""  # in the user's language: which kinds of secrets were left out of what was saved

    @property
    def context(self) -> str:
        """Text for the language model: the memories that help with the answer, and what was forgotten; or empty."""
        notice = "" if self.forgetting is None else self.forgetting.notice
        return notice + ("" if self.composed is None else self.composed.text)

    @property
    def notice(self) -> str:
        """What the user should be told, in their language: secrets that were redacted; that nothing is known.

        Of a turn that was kept, or that repeats a memory, something is known.
        """
        parts = (self.redaction, "" if self.composed is None or self.item is not None else self.composed.notice)
        return " ".join(part for part in parts if part)

    @property
    def hits(self) -> tuple[str, ...]:
        """The ids of the memories in `context`."""
        return () if self.composed is None else tuple(used.item_id for used in self.composed.used)

    @property
    def feeling(self) -> EmotionCoordinate | None:
        """What the memories in `context` feel like together; None if there are none."""
        return None if self.composed is None else self.composed.feeling
