"""`memory.policy`: the learned policy and reranker, their versions, and the features of a turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_id
from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine.parts import Area
from celestial_engine.errors import Expected, InvalidInputError, Reason
from celestial_engine.flow.turn import feedback, influence

if TYPE_CHECKING:
    from celestial_engine.core.learning.checkpoints import Checkpoint
    from celestial_engine.core.learning.learned_policy import Learned
    from celestial_engine.core.learning.policy_status import PolicyStatus
    from celestial_engine.core.record.labels import Attribute
    from celestial_engine.core.turn.conversation import Turn
    from celestial_engine.core.turn.features import TurnFeatures
    from celestial_engine.understanding import Influence


class PolicyArea(Area):
    """The learned part of save, skip and retrieve; `memory.feedback` trains it."""

    def features(self, turn: Turn) -> TurnFeatures:
        """Returns the features of a turn, in Korean and English, independent of what is stored."""
        from celestial_engine.core.turn.conversation import read_utterance
        from celestial_engine.core.turn.features import features_of

        utterance = read_utterance(turn)
        guarded = replace(utterance, text=redact_question(utterance.text, self._parts.guard))
        return features_of(guarded, self._parts.recorder.read(guarded.text, None))

    def explain(self, text: str, head: str = "keep") -> list[Influence]:
        """Returns the parts of a text that decided what was read in it: by default, whether to keep it."""
        from celestial_engine.flow.base.read import explain_text

        return explain_text(redact_question(text, self._parts.guard), head)

    def status(self) -> PolicyStatus:
        """Returns the state of the learned part, and whether it may decide."""
        from celestial_engine.core.learning.bandit import band_of, epsilon_after
        from celestial_engine.core.learning.learned_policy import exam_results
        from celestial_engine.core.learning.policy_status import PolicyStatus

        settings, lesson = self._parts.lessons.settings, self._parts.lessons.lesson(self._parts.owner)
        with self._parts.store.read() as session:
            actions = session.lessons.action_counts(self._parts.owner)
        learned = lesson.learned
        return PolicyStatus(
            settings.enabled, learned.on, learned.reranker_on, lesson.version,
            epsilon_after(learned.updates, settings.epsilon), learned.updates, learned.reranker_updates,
            learned.rewards, learned.mean_reward, learned.trust, band_of(learned.trust), actions,
            exam_results(learned.exams), tuple(one.version for one in lesson.damaged),
        )  # fmt: skip

    def unwanted(self) -> dict[Attribute, CelestialItem]:
        """Returns what `observe` does not keep because the user does not want it, with the memory that says so."""
        from celestial_engine.flow.turn.decide import unwanted

        return unwanted(self._parts.store, self._parts.owner)

    def versions(self) -> Sequence[Checkpoint]:
        """Returns the stored versions, newest first."""
        with self._parts.store.read() as session:
            return session.lessons.checkpoints(self._parts.owner)

    def rollback(self, version: int) -> Checkpoint:
        """Returns to a version, as a new one, switched on; 0 is the untrained state."""
        if isinstance(version, bool) or not isinstance(version, int):
            raise InvalidInputError("version", Reason.WRONG_VALUE, expected=Expected.WHOLE_NUMBER, got=version)
        parts = self._parts
        return feedback.roll_back(parts.store, parts.owner, version, parts.lessons.settings, parts.now())

    def adopt(self, taught: Learned, turns: int) -> Checkpoint:
        """Adopts a policy trained in self-play over so many turns, as a new version with half the trust."""
        from celestial_engine.core.learning.bandit import PLAIN

        parts, settings = self._parts, self._parts.lessons.settings
        if taught.network.sizes != PLAIN or settings.rich_state:
            raise InvalidInputError("taught", Reason.NO_RICH_SELFPLAY)
        return feedback.adopt(parts.store, parts.owner, taught, settings, parts.now(), turns)

    def influenced(self, item_id: str) -> CelestialItem:
        """Records that the host acted on this memory, which lengthens its life."""
        parts = self._parts
        return influence.count_influence(parts.store, parts.law(), parts.owner, check_id(item_id), parts.now())
