"""Learning: getting better at deciding and ranking from what users say about it."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_id, check_text
from celestial_engine.core.guard.guard import asked_safely
from celestial_engine.core.learning.reranker import FEATURES, Reranker
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.errors import InvalidInputError, TurnNotFoundError
from celestial_engine.facade.conversing import Conversing
from celestial_engine.flow.turn import feedback
from celestial_engine.ports import Reader

if TYPE_CHECKING:
    from celestial_engine.core.learning.checkpoints import Checkpoint
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.learning.learned_policy import Learned
    from celestial_engine.core.learning.network import Arithmetic
    from celestial_engine.core.learning.policy_status import PolicyStatus
    from celestial_engine.core.turn.conversation import Utterance
    from celestial_engine.core.turn.policy import Chooser, Decision
    from celestial_engine.flow.turn.feedback import Credit, Lesson

logger = logging.getLogger(__name__)

_OWNERS_REMEMBERED = 64


class Learning(Conversing):
    """What a host tells of its users' content, and what became of it."""

    _learning: LearningSettings
    _arithmetic: Arithmetic
    _lessons: dict[Owner, Lesson]
    _sentences: dict[str, tuple[float, ...]]
    _chances: Iterator[int]

    def _learn_by(self, settings: LearningSettings, arithmetic: Arithmetic) -> None:
        """Called when the engine opens; what was learned is read when it is first needed."""
        self._learning, self._arithmetic = settings, arithmetic
        self._lessons, self._sentences, self._chances = {}, {}, count()

    def feedback(
        self,
        turn_id: str | None = None,
        reward: float | None = None,
        text: str | None = None,
        *,
        session_id: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Credit:
        """What a turn was worth: a number from -1 to 1, or what the user said to it. Without an id: the last turn.

        The decision and the memories that were found are credited, once a turn.
        """
        owner, now = self._owner.but(user_id, agent_id), self._now()
        if (reward is None) == (text is None):
            raise InvalidInputError(field="reward", reason="give either a number or a text")
        judge = (
            feedback.heard(check_text(text, "text"), owner, now)
            if reward is None
            else feedback.given(_checked_reward(reward))
        )
        known = None if turn_id is None else check_id(turn_id)

        def find(session: Reader) -> PendingTurn | None:
            if known is not None:
                return session.lessons.turn(owner, known)
            return (
                session.lessons.newest_turn(owner)
                if session_id is None
                else session.lessons.last_turn(owner, session_id)
            )

        return self._credited(
            feedback.feedback(self._store, owner, find, judge, self._learning, self._arithmetic, now, known)
        )

    def policy_status(self, *, user_id: str | None = None, agent_id: str | None = None) -> PolicyStatus:
        """How the learned part stands, and whether it may decide."""
        from celestial_engine.core.learning.bandit import band_of, epsilon_after
        from celestial_engine.core.learning.learned_policy import standings_of
        from celestial_engine.core.learning.policy_status import PolicyStatus

        owner = self._owner.but(user_id, agent_id)
        lesson = self._lesson(owner)
        with self._store.read() as session:
            actions = session.lessons.action_counts(owner)
        learned = lesson.learned
        return PolicyStatus(
            self._learning.enabled, learned.on, learned.reranker_on, lesson.version,
            epsilon_after(learned.updates, self._learning.epsilon), learned.updates, learned.reranker_updates,
            learned.rewards, learned.mean_reward, learned.trust, band_of(learned.trust), actions,
            standings_of(learned.exams), tuple(one.version for one in lesson.damaged),
        )  # fmt: skip

    def policy_checkpoints(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[Checkpoint]:
        """The versions of what was learned that are kept, newest first."""
        with self._store.read() as session:
            return session.lessons.checkpoints(self._owner.but(user_id, agent_id))

    def policy_rollback(self, version: int, *, user_id: str | None = None, agent_id: str | None = None) -> Checkpoint:
        """Back to what a version knew, as a new version, switched on; 0 is the beginning."""
        if isinstance(version, bool) or not isinstance(version, int):
            raise InvalidInputError(field="version", reason=f"it is {version!r}, not a whole number")
        owner = self._owner.but(user_id, agent_id)
        return feedback.roll_back(self._store, owner, version, self._learning, self._now())

    def policy_adopt(
        self, taught: Learned, turns: int, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Checkpoint:
        """What a policy learned in self-play, over so many turns, as a new version, half trusted."""
        from celestial_engine.core.learning.bandit import PLAIN

        if taught.network.sizes != PLAIN or self._learning.rich_state:
            raise InvalidInputError(
                field="taught", reason="self-play knows no rich state; open with rich_state=False"
            )
        owner = self._owner.but(user_id, agent_id)
        return feedback.adopt(self._store, owner, taught, self._learning, self._now(), turns)

    # -- what the conversation leaves to whoever learns -----------------------------------------------

    def _heard(self, owner: Owner, said: Utterance, past: Sequence[Utterance], session_id: str | None) -> None:
        from celestial_engine.core.turn.conversation import Role

        if said.role is not Role.USER or not self._learning.enabled:
            return
        now, session_id = self._now(), session_id or self._session_id
        judge = feedback.heard(said.text, owner, now, _asked(past))
        try:
            self._credited(
                feedback.feedback(
                    self._store, owner, lambda session: session.lessons.last_turn(owner, session_id), judge,
                    self._learning, self._arithmetic, now,
                )
            )  # fmt: skip
        except TurnNotFoundError:
            pass  # the first turn says nothing about another
        except Exception as error:  # noqa: BLE001 - whatever is wrong with learning, the turn is not lost for it
            logger.warning("nothing was learned from this turn: %s", error)

    def _chooser_for(self, owner: Owner, said: Utterance) -> Chooser | None:
        from celestial_engine.core.learning.bandit import STATE_SIZE, Bandit, band_of, epsilon_after, margin_after
        from celestial_engine.core.learning.learned_policy import seen_by
        from celestial_engine.core.learning.seeded_random import mixed

        if not self._learning.enabled:
            return None
        lesson, sentence = self._lesson(owner), self._sentence(said)
        learned = seen_by(lesson.learned, len(sentence) + STATE_SIZE, self._learning)
        if not learned.on:
            return None
        chance = mixed(self._learning.seed, lesson.version, int(self._now() * 1e6), next(self._chances))
        return Bandit(
            learned.network, epsilon_after(learned.updates, self._learning.epsilon), chance, band_of(learned.trust),
            margin_after(learned.updates), sentence, self._arithmetic,
        )  # fmt: skip

    def _decided(
        self,
        owner: Owner,
        said: Utterance,
        decision: Decision,
        session_id: str | None,
        saved: CelestialItem | None,
        hits: Sequence[Hit],
    ) -> None:
        from celestial_engine.core.learning.bandit import LearnedChoice
        from celestial_engine.core.learning.credit import PendingHit, PendingTurn
        from celestial_engine.core.turn.conversation import Role
        from celestial_engine.core.turn.policy import Action, Phase

        if said.role is not Role.USER or not self._learning.enabled:
            return
        choice = decision.choice if decision.phase is Phase.LEARNED else None
        usual, learned, exam = decision.action, decision.action, False
        if isinstance(choice, LearnedChoice):
            usual, learned, exam = choice.usual, choice.learned, choice.exam
        turn = PendingTurn(
            decision.turn_id, session_id or self._session_id, self._now(), decision.action, decision.phase,
            (*self._sentence(said), *decision.features.state), usual, learned, exam,
            saved.id if saved is not None and decision.action is Action.SAVE else None,
            tuple(PendingHit(hit.item.id, tuple(hit.features[name] for name in FEATURES)) for hit in hits
                  if hit.features.keys() >= set(FEATURES)),
        )  # fmt: skip
        feedback.note(self._store, owner, turn, self._learning)

    def _reranker_for(self, owner: Owner) -> Reranker:
        if not self._learning.enabled:
            return self._reranker
        if owner not in self._lessons:
            with self._store.read() as session:
                if not session.lessons.checkpoints(owner):  # nothing to load: nothing was learned
                    return self._reranker
        return self._lesson(owner).learned.ranks_with

    def _lesson(self, owner: Owner) -> Lesson:
        """Read anew where another process has learned meanwhile."""
        known = self._lessons.get(owner)
        with self._store.read() as session:
            lesson = feedback.newest(session, owner, self._learning, known)
        if lesson.damaged and (known is None or known.damaged != lesson.damaged):
            versions = ", ".join(str(one.version) for one in lesson.damaged)
            logger.warning("version %s of what was learned is damaged; version %s is used", versions, lesson.version)
        if known is None and len(self._lessons) >= _OWNERS_REMEMBERED:
            self._lessons.clear()
        self._lessons[owner] = lesson
        return lesson

    def _sentence(self, said: Utterance) -> tuple[float, ...]:
        """The vector of what was said, for a rich state; embedded once a turn."""
        if not self._learning.rich_state or not self._embedding.in_use:
            return ()
        found = self._sentences.get(said.text)
        if found is None:
            found = tuple(self._embedding.query(asked_safely(said.text, self._guard_policy)) or ())
            self._sentences = {said.text: found}
        return found

    def _credited(self, credit: Credit) -> Credit:
        for part in credit.switched_off:
            logger.warning(
                "the learned %s did worse than the rules where the two were compared, and is switched off; "
                "policy_rollback() switches it on again", part,
            )  # fmt: skip
        return credit


def _asked(past: Sequence[Utterance]) -> bool | None:
    """Whether the answer before this turn was a question; None where nobody knows the answer."""
    from celestial_engine.core.turn.conversation import Role

    answers = [turn.text for turn in past if turn.role is Role.ASSISTANT]
    return answers[-1].rstrip().endswith(("?", "？")) if answers else None


def _checked_reward(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1.0 <= value <= 1.0:
        raise InvalidInputError(field="reward", reason=f"it must be a number from -1 to 1, not {value!r}")
    return float(value)
