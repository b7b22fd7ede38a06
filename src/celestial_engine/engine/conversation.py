"""One call per turn: decide, observe and feedback. Methods of CelestialMemory."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_budget, check_id, check_text
from celestial_engine.core.record.coordinate import Document
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.retrieval.search_result import Hit
from celestial_engine.engine.asking import composed, find, query_of
from celestial_engine.errors import CelestialError, Expected, InvalidInputError, Problem, Reason, problem
from celestial_engine.flow.turn import decide as deciding
from celestial_engine.flow.turn import feedback as learning
from celestial_engine.flow.turn import mention
from celestial_engine.ports import ItemFilter, Reader

if TYPE_CHECKING:
    from celestial_engine.core.learning.credit import PendingTurn
    from celestial_engine.core.turn.conversation import Past, Turn, Utterance
    from celestial_engine.core.turn.forget_request import ForgetRequest
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Decision
    from celestial_engine.engine.memory import CelestialMemory
    from celestial_engine.flow.turn.feedback import Credit

logger = logging.getLogger(__name__)

_JUDGED_HITS = 10


def decide(self: CelestialMemory, turn: Turn, history: Iterable[Past] = (), turn_id: str | None = None) -> Decision:
    """Returns what `observe` would do with this turn. Nothing is written.

    `history` holds earlier turns (texts, messages, `Observed.turn`) and memories that were recalled for them.
    """
    from uuid import uuid4

    from celestial_engine.core.turn.conversation import read_utterance

    parts, utterance = self.parts, read_utterance(turn)
    return deciding.decide(
        parts.store,
        parts.owner,
        parts.guard,
        parts.recorder.read_turn,
        utterance,
        _read_history(history, strict=True),
        parts.lessons.chooser_for(parts.owner, utterance, parts.now()),
        parts.embedding.passage if parts.embedding.in_use else None,
        uuid4().hex if turn_id is None else check_id(turn_id),
        parts.embedding.scale,
    )


def observe(
    self: CelestialMemory,
    turn: Turn,
    history: Iterable[Past] = (),
    turn_id: str | None = None,
    *,
    budget: int = 1024,
    session_id: str | None = None,
) -> Observed:
    """Decides about a turn and acts: saves it, counts it as a repetition, or fetches memories for it.

    A request to forget sends what it names over the cliff, or lists it if that is more than a few memories.

    Made for a host's loop: errors are reported in `problem` and logged, never raised, and an unreadable turn is
    skipped. A turn with both a statement and a question is saved and fetched for.
    """
    from uuid import uuid4

    from celestial_engine.core.turn.conversation import read_utterance
    from celestial_engine.core.turn.features import TurnFeatures
    from celestial_engine.core.turn.observation import Observed
    from celestial_engine.core.turn.policy import Action, Decision, DecisionReason, Phase

    parts = self.parts
    session = session_id or parts.session_id
    checked_turn_id = turn_id if isinstance(turn_id, str) else uuid4().hex
    try:
        check_budget(budget)
        utterance = read_utterance(turn)
        original_text = utterance.text
        parts.be_present()
        past = _read_history(history, strict=False)
        utterance = _without_answered_secret(self, utterance, past)
        learning_problem = _learn_from(self, utterance, past, session)
        decision = decide(self, utterance, past, checked_turn_id)
    except Exception as error:  # noqa: BLE001 - the conversation must go on
        unread = Decision(
            Action.SKIP, DecisionReason.UNREADABLE, Phase.SURE, TurnFeatures(), 0.0, None, checked_turn_id
        )
        return Observed(unread, problem=_problem(error))
    observed, hits = (
        Observed(decision, replace(utterance, action=decision.action), problem=learning_problem),
        list[Hit](),
    )
    request = decision.forget
    if request is not None:
        observed = _with_forgetting(self, observed, request, past, session)
        utterance = replace(utterance, text=request.rest or utterance.text)  # the request itself is never stored
    only_forgets = request is not None and observed.forgetting is not None and not request.rest
    try:
        if decision.fetches and not only_forgets:  # before saving, so that a turn is not its own answer
            context, hits = composed(parts, utterance.text, budget)
            observed = replace(observed, composed=context)
    except Exception as error:  # noqa: BLE001 - the turn is still saved
        observed = replace(observed, problem=_problem(error))
    try:
        item = _store_or_mention(self, utterance, decision, session_id)
        observed = replace(observed, item=item, redaction=_redaction(item, decision, original_text))
        parts.lessons.note_decision(parts.owner, utterance, decision, session, item, hits, parts.now())
    except Exception as error:  # noqa: BLE001 - the host's loop must go on
        observed = replace(observed, problem=_problem(error))
    return observed


def feedback(
    self: CelestialMemory,
    turn_id: str | None = None,
    reward: float | None = None,
    text: str | None = None,
    *,
    session_id: str | None = None,
) -> Credit:
    """Rewards a turn: a number from -1 to 1, or the user's reply. Without an id: the last turn.

    The decision and the memories that were found are credited, once per turn.
    """
    parts, owner, now = self.parts, self.parts.owner, self.parts.now()
    if (reward is None) == (text is None):
        raise InvalidInputError("reward", Reason.NOT_BOTH, names=("reward", "text"))
    if text is None:
        judge = learning.fixed_reward(_checked_reward(reward))
    else:
        reply = check_text(text, "text")
        judge = learning.reward_from_reply(reply, parts.recorder.read(reply, None), owner, now)
    checked_id = None if turn_id is None else check_id(turn_id)
    parts.be_present()

    def find(session: Reader) -> PendingTurn | None:
        if checked_id is not None:
            return session.lessons.turn(owner, checked_id)
        return (
            session.lessons.newest_turn(owner) if session_id is None else session.lessons.last_turn(owner, session_id)
        )

    return parts.lessons.credit(owner, find, judge, now, checked_id)


def judge_answer(self: CelestialMemory, question: str, right: bool, where: ItemFilter | None = None) -> Credit:
    """Says whether what is found for a question answers it: deciding and ranking learn from it as from a turn.

    Nothing is reinforced, and the question is not stored.
    """
    from celestial_engine.core.learning.rewards import Reward, RewardKind
    from celestial_engine.core.turn.conversation import read_utterance
    from celestial_engine.core.turn.policy import LOOKED_UP, Action
    from celestial_engine.flow.turn.feedback import Credit

    parts, reward = self.parts, 1.0 if right else -1.0
    decision = decide(self, check_text(question, "question"))
    if not parts.lessons.settings.enabled:
        return Credit(decision.turn_id, Reward(reward, RewardKind.GIVEN), credited=False)
    hits = find(parts, query_of(parts, question, where), _JUDGED_HITS).known
    # The question was looked up, no matter what the policy would have done with it in a conversation.
    fetched = replace(decision, action=Action.RETRIEVE, reason=LOOKED_UP, choice=None)
    parts.be_present()
    parts.lessons.note_decision(
        parts.owner, read_utterance(question), fetched, parts.session_id, None, hits, parts.now()
    )
    return feedback(self, decision.turn_id, reward)


def _without_answered_secret(self: CelestialMemory, utterance: Utterance, past: Sequence[Utterance]) -> Utterance:
    """Redacts a turn that is only the secret which the turn before asked for."""
    from celestial_engine.core.guard.answers import redact_answer

    before = past[-1].text if past else None
    return replace(utterance, text=redact_answer(utterance.text, before, self.parts.guard))


def _with_forgetting(
    self: CelestialMemory,
    observed: Observed,
    request: ForgetRequest,
    past: Sequence[Utterance],
    session_id: str | None,
) -> Observed:
    """Carries out a request to forget. If it is only likely and matches nothing, it may have been none."""
    from celestial_engine.flow.turn.forget_request import forget_requested

    parts = self.parts
    try:
        forgetting = forget_requested(parts.store, parts.law(), parts.owner, request, past, session_id, parts.now())
    except Exception as error:  # noqa: BLE001 - what else the turn says is still saved
        return replace(observed, problem=_problem(error))
    return (
        observed
        if request.likely and not (forgetting.to_confirm or forgetting.protected)
        else replace(observed, forgetting=forgetting)
    )


def _store_or_mention(
    self: CelestialMemory, utterance: Utterance, decision: Decision, session_id: str | None
) -> CelestialItem | None:
    from celestial_engine.core.turn.conversation import Role
    from celestial_engine.core.turn.policy import Action

    if decision.action is Action.SAVE:
        statement = decision.features.reading.statement
        return self.store(
            statement or utterance.text,
            source=Source.OBSERVATION if utterance.role is Role.TOOL else Source.CONVERSATION,
            session_id=session_id,
            document=Document(source_text=utterance.text) if statement else None,
        )
    if decision.duplicate_of is None:
        return None
    parts = self.parts
    return mention.mention(parts.store, parts.owner, decision.duplicate_of, parts.now(), decision.turn_id)


def _redaction(item: CelestialItem | None, decision: Decision, original_text: str) -> str:
    """Says what was redacted in the memory that was saved."""
    from celestial_engine.core.guard.secrets import redaction_notice
    from celestial_engine.core.turn.policy import Action

    if item is None or decision.action is not Action.SAVE:
        return ""
    return redaction_notice(item.content, original_text) or redaction_notice(
        item.document.source_text or "", original_text
    )


def _learn_from(
    self: CelestialMemory, utterance: Utterance, past: Sequence[Utterance], session_id: str | None
) -> Problem | None:
    try:
        self.parts.lessons.learn_from(self.parts.owner, utterance, past, session_id, self.parts.now())
    except Exception as error:  # noqa: BLE001 - the turn is still saved
        return _problem(error)
    return None


def _read_history(history: Iterable[Past], *, strict: bool) -> list[Utterance]:
    """Reads the earlier turns; without `strict`, unreadable ones are skipped."""
    from celestial_engine.core.turn.conversation import read_past

    if isinstance(history, (str, bytes)) or not isinstance(history, Iterable):
        if strict:
            raise InvalidInputError(
                "history", Reason.WRONG_TYPE, expected=Expected.LIST_OF_TURNS, got=type(history).__name__
            )
        return []
    if strict:
        return [read_past(turn) for turn in history]
    return [utterance for utterance in map(_read_if_possible, history) if utterance is not None]


def _read_if_possible(turn: object) -> Utterance | None:
    from celestial_engine.core.turn.conversation import read_past

    try:
        return read_past(turn)
    except InvalidInputError:
        return None


def _problem(error: Exception) -> Problem:
    """Logs the error, since it is not raised, and returns it as a problem."""
    if isinstance(error, CelestialError):
        result = problem(None, Reason.OTHER_ERROR, cause=error)
    else:
        result = problem(None, Reason.UNEXPECTED, cause=f"{type(error).__name__}: {error}")
    logger.warning("a turn was not fully observed: %s", result)
    return result


def _checked_reward(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -1.0 <= value <= 1.0:
        raise InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, got=value)
    return float(value)
