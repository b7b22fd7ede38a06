"""Lessons: what was learned for each owner, read from the store and used for deciding and ranking."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.learning.reranker import FEATURES, Reranker
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.errors import TurnNotFoundError
from celestial_engine.flow.base import lesson as stored_lesson
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.base.read import read_text
from celestial_engine.flow.turn import feedback
from celestial_engine.ports import ItemStore

if TYPE_CHECKING:
    from celestial_engine.core.learning.learned_policy import Learned
    from celestial_engine.core.learning.network import Arithmetic
    from celestial_engine.core.turn.conversation import Utterance
    from celestial_engine.core.turn.policy import Chooser, Decision
    from celestial_engine.flow.base.lesson import Lesson
    from celestial_engine.flow.turn.feedback import Credit

logger = logging.getLogger(__name__)

_OWNERS_CACHED = 64
_PLAIN_STATE = 10  # the length of the state without a sentence


class Candidate(NamedTuple):
    """The own policy with what others learned added, and whether it may decide about turns."""

    learned: Learned
    decides: bool


class Lessons:
    """The learned policy and reranker of every owner. A cache: the store has the versions."""

    def __init__(
        self,
        store: ItemStore,
        settings: LearningSettings,
        arithmetic: Arithmetic,
        embedding: Embedding,
        guard: GuardPolicy,
    ) -> None:
        self.settings = settings
        self.arithmetic = arithmetic
        self._store = store
        self._embedding = embedding
        self._guard = guard
        self._untrained = Reranker.starting()
        self._lessons: dict[Owner, Lesson] = {}
        self._gossip: dict[Owner, bytes | None] = {}  # what others learned, as it is stored
        self._candidates: dict[Owner, tuple[Learned, bytes, Learned]] = {}  # own, what others learned, both
        self._sentences: dict[str, tuple[float, ...]] = {}
        self._counter = count()

    def lesson(self, owner: Owner) -> Lesson:
        """Returns the newest version; read again if another process has learned meanwhile."""
        cached = self._lessons.get(owner)
        with self._store.read() as session:
            lesson = stored_lesson.newest_lesson(session, owner, self.settings, cached)
            gossip = session.gossip.state(owner)
        if lesson.damaged and (cached is None or cached.damaged != lesson.damaged):
            versions = ", ".join(str(one.version) for one in lesson.damaged)
            logger.warning("version %s of the learned policy is damaged; using version %s", versions, lesson.version)
        if cached is None and len(self._lessons) >= _OWNERS_CACHED:
            self._lessons.clear()
            self._gossip.clear()
            self._candidates.clear()
        self._lessons[owner], self._gossip[owner] = lesson, gossip
        return lesson

    def candidate(self, owner: Owner) -> Candidate | None:
        """Returns what was learned together with others; None if the owner learns alone. After `lesson`."""
        raw, lesson = self._gossip.get(owner), self._lessons[owner]
        if raw is None:
            return None
        from celestial_engine.core.federation.shared import combined
        from celestial_engine.flow.base.candidate import shared_in

        shared = shared_in(raw)
        if shared is None or lesson.learned.network.sizes[0] != _PLAIN_STATE:
            return None
        cached = self._candidates.get(owner)
        if cached is None or cached[0] is not lesson.learned or cached[1] != raw:
            cached = (lesson.learned, raw, combined(lesson.learned, shared))
            self._candidates[owner] = cached
        return Candidate(cached[2], shared.decides)

    def reranker_for(self, owner: Owner) -> Reranker:
        if not self.settings.enabled:
            return self._untrained
        if owner not in self._lessons:
            with self._store.read() as session:
                # Nothing was learned, by the owner or by others: skip loading.
                if not session.lessons.checkpoints(owner) and session.gossip.state(owner) is None:
                    return self._untrained
        own = self.lesson(owner).learned
        candidate = self.candidate(owner) if own.reranker_on else None
        return own.ranks_with if candidate is None else candidate.learned.ranks_with

    def chooser_for(self, owner: Owner, utterance: Utterance, now: float) -> Chooser | None:
        """Returns the learned policy for the unsure cases; None leaves them to the rules."""
        from celestial_engine.core.learning.bandit import STATE_SIZE, Bandit, band_of, epsilon_after, margin_after
        from celestial_engine.core.learning.learned_policy import for_state_length
        from celestial_engine.core.learning.seeded_random import mixed

        if not self.settings.enabled:
            return None
        lesson, sentence = self.lesson(owner), self.sentence(utterance)
        learned = for_state_length(lesson.learned, len(sentence) + STATE_SIZE, self.settings)
        if not learned.on:
            return None
        chance = mixed(self.settings.seed, lesson.version, int(now * 1e6), next(self._counter))
        explores = epsilon_after(learned.updates, self.settings.epsilon)
        own = Bandit(
            learned.network, explores, chance, band_of(learned.trust), margin_after(learned.updates), sentence,
            self.arithmetic,
        )  # fmt: skip
        candidate = None if sentence else self.candidate(owner)
        if candidate is None or not candidate.decides:
            return own
        from celestial_engine.core.federation.chooser import CandidateBandit

        together = candidate.learned
        return CandidateBandit(
            Bandit(
                together.network, explores, chance, band_of(together.trust), margin_after(together.updates),
                arithmetic=self.arithmetic,
            ),
            own,
        )  # fmt: skip

    def learn_from(
        self, owner: Owner, utterance: Utterance, past: Sequence[Utterance], session_id: str | None, now: float
    ) -> None:
        """Learns from a user's turn, which may be praise or blame for the turn before it."""
        from celestial_engine.core.turn.conversation import Role
        from celestial_engine.core.turn.features import said_before

        if utterance.role is not Role.USER or not self.settings.enabled:
            return
        reading = read_text(utterance.text, said_before(past))
        judge = feedback.reward_from_reply(utterance.text, reading, owner, now, _answer_was_question(past))
        try:
            self.credit(owner, lambda session: session.lessons.last_turn(owner, session_id), judge, now)
        except TurnNotFoundError:
            pass  # there is no earlier turn to credit
        except Exception as error:  # noqa: BLE001 - no error of learning may lose the turn
            logger.warning("nothing was learned from this turn: %s", error)

    def credit(
        self, owner: Owner, find: feedback.Find, judge: feedback.RewardJudge, now: float, turn_id: str | None = None
    ) -> Credit:
        """Writes a turn's reward, and what is learned from it."""
        credit = feedback.feedback(self._store, owner, find, judge, self.settings, self.arithmetic, now, turn_id)
        for part in credit.switched_off:
            logger.warning(
                "the learned %s did worse than the rules where the two were compared, and is switched off; "
                "memory.policy.rollback() switches it on again", part,
            )  # fmt: skip
        for part in credit.others_off:
            logger.warning(
                "the %s that others learned did worse than the own one where the two were compared, and is switched "
                "off; memory.federation.join() switches it on again", part,
            )  # fmt: skip
        return credit

    def note_decision(
        self,
        owner: Owner,
        utterance: Utterance,
        decision: Decision,
        session_id: str | None,
        saved: CelestialItem | None,
        hits: Sequence[Hit],
        now: float,
    ) -> None:
        """Stores the turn as numbers and ids until its reward is known."""
        from celestial_engine.core.learning.bandit import LearnedChoice
        from celestial_engine.core.learning.credit import PendingHit, PendingTurn
        from celestial_engine.core.turn.conversation import Role
        from celestial_engine.core.turn.policy import Action, Phase

        if utterance.role is not Role.USER or not self.settings.enabled:
            return
        choice = decision.choice if decision.phase is Phase.LEARNED else None
        usual, learned, exam, shared = decision.action, decision.action, False, None
        if isinstance(choice, LearnedChoice):
            usual, learned, exam, shared = choice.usual, choice.learned, choice.exam, choice.shared
        turn = PendingTurn(
            decision.turn_id, session_id, now, decision.action, decision.phase,
            (*self.sentence(utterance), *decision.features.state), usual, learned, exam,
            saved.id if saved is not None and decision.action is Action.SAVE else None,
            tuple(PendingHit(hit.item.id, tuple(hit.features[name] for name in FEATURES)) for hit in hits
                  if hit.features.keys() >= set(FEATURES)),
            shared=shared, reason=str(getattr(decision.reason, "value", decision.reason)),
        )  # fmt: skip
        feedback.store_turn(self._store, owner, turn, self.settings)

    def sentence(self, utterance: Utterance) -> tuple[float, ...]:
        """Returns the vector of a turn for the rich state; embedded once per turn."""
        if not self.settings.rich_state or not self._embedding.in_use:
            return ()
        vector = self._sentences.get(utterance.text)
        if vector is None:
            vector = tuple(self._embedding.query(redact_question(utterance.text, self._guard)) or ())
            self._sentences = {utterance.text: vector}
        return vector


def _answer_was_question(past: Sequence[Utterance]) -> bool | None:
    """Returns whether the answer before this turn was a question; None if it is unknown."""
    from celestial_engine.core.turn.conversation import Role

    answers = [turn.text for turn in past if turn.role is Role.ASSISTANT]
    return answers[-1].rstrip().endswith(("?", "？")) if answers else None
