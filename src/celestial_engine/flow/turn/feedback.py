"""feedback: reward a turn and learn from it; reward and version are written in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from celestial_engine.core.learning.bandit import PLAIN
from celestial_engine.core.learning.checkpoints import Checkpoint, DamagedCheckpointError, digest_of, packed
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import REPLAYS_DRAWN, Learned, credited, for_state_length
from celestial_engine.core.learning.network import Arithmetic
from celestial_engine.core.learning.rewards import EXPLICIT, RatedTurn, Reward, RewardKind, reward_of
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.text.keywords import keywords_of
from celestial_engine.errors import CheckpointNotFoundError, Reason, TurnNotFoundError
from celestial_engine.flow.base.lesson import Lesson, newest_lesson, read_checkpoint
from celestial_engine.ports import ItemStore, Reader, Writer

_ATTEMPTS_WITHOUT_LOCK = 3  # attempts without holding the write lock
_TRUST_FROM_ELSEWHERE = 0.5  # what worked elsewhere is worth trying, but not fully trusted


@dataclass(frozen=True)
class Credit:
    """What a turn was worth. `credited` is False if there was no signal or it was credited before."""

    turn_id: str
    reward: Reward
    credited: bool
    version: int = 0
    switched_off: tuple[str, ...] = ()
    others_off: tuple[str, ...] = ()  # parts of what peers learned that did worse than the own ones


@dataclass(frozen=True)
class _Study:
    """What is needed to learn from a turn; without `before`, only the reward is written."""

    turn: PendingTurn
    reward: Reward
    before: Lesson | None = None
    learned: Learned | None = None
    replayed: tuple[PendingTurn, ...] = ()


Find = Callable[[Reader], "PendingTurn | None"]
RewardJudge = Callable[[Reader, PendingTurn], Reward]


def fixed_reward(value: float) -> RewardJudge:
    """Use a number that the host gives."""
    return lambda _, __: Reward(value, RewardKind.GIVEN)


def reward_from_reply(
    text: str, reading: Reading, owner: Owner, now: float, answer_was_question: bool | None = None
) -> RewardJudge:
    """Derive the reward from the user's next message or behaviour."""

    def judge(session: Reader, turn: PendingTurn) -> Reward:
        recalled = session.items.get_many(owner, [hit.item_id for hit in turn.hits])
        words = tuple(word for item in recalled for word in keywords_of(item.content))
        return reward_of(text, reading, RatedTurn(now - turn.at, words, answer_was_question))

    return judge


def store_turn(store: ItemStore, owner: Owner, turn: PendingTurn, settings: LearningSettings) -> None:
    """Store a decided turn until its reward is known."""
    keep = settings.turns_kept if len(turn.state) == PLAIN[0] else settings.rich_turns_kept
    with store.write(owner, durable=False) as session:
        session.lessons.add_turn(owner, turn, keep)


def feedback(
    store: ItemStore,
    owner: Owner,
    find: Find,
    judge: RewardJudge,
    settings: LearningSettings,
    arithmetic: Arithmetic,
    now: float,
    turn_id: str | None = None,
) -> Credit:
    """Credit a turn once: its decision and its hits.

    Learning runs without the write lock and is repeated if another writer learned meanwhile; the last attempt holds
    the lock. So no learning is lost and no writer waits long.
    """

    def studied(session: Reader) -> _Study:
        turn = find(session)
        if turn is None:
            raise TurnNotFoundError(turn_id=turn_id or "")
        reward = judge(session, turn)
        if not settings.enabled or not turn.takes(reward):
            return _Study(turn, reward)
        before = newest_lesson(session, owner, settings)
        learned = for_state_length(before.learned, len(turn.state), settings)
        chance = uniforms(mixed(settings.seed, learned.rewards))
        replay_count = REPLAYS_DRAWN * arithmetic.batch(learned.network)
        replayed = session.lessons.replay(owner, list(islice(chance, replay_count)))
        return _Study(turn, reward, before, learned, tuple(past for past in replayed if past.turn_id != turn.turn_id))

    def learned_from(study: _Study) -> Learned | None:
        if study.learned is None:
            return None
        return credited(
            study.learned, study.turn, study.reward.value, study.replayed, settings, arithmetic,
            explicit=study.reward.kind in EXPLICIT,
        )  # fmt: skip

    for _ in range(_ATTEMPTS_WITHOUT_LOCK):
        with store.read() as session:
            study = studied(session)
        if not study.turn.takes(study.reward):
            return Credit(study.turn.turn_id, study.turn.rewarded or study.reward, False)
        after = learned_from(study)
        with store.write(owner, durable=False) as session:
            if _is_unchanged(session, owner, study, settings):
                return _credit(session, owner, study, after, settings, now)
    with store.write(owner, durable=False) as session:
        study = studied(session)
        if not study.turn.takes(study.reward):
            return Credit(study.turn.turn_id, study.turn.rewarded or study.reward, False)
        return _credit(session, owner, study, learned_from(study), settings, now)


def roll_back(store: ItemStore, owner: Owner, version: int, settings: LearningSettings, now: float) -> Checkpoint:
    """Make that version the newest one, switched on; 0 returns to the untrained state."""
    with store.write(owner) as session:
        before = newest_lesson(session, owner, settings)
        if version == 0:
            learned = Learned.starting(settings)
        else:
            checkpoint = next(
                (stored for stored in session.lessons.checkpoints(owner) if stored.version == version), None
            )
            if checkpoint is None:
                raise CheckpointNotFoundError(version, Reason.NO_CHECKPOINT)
            try:
                learned = read_checkpoint(session, owner, checkpoint)
            except DamagedCheckpointError as error:
                raise CheckpointNotFoundError(version, error.problem) from error
        # The exams belong to what came after that version.
        learned = replace(learned, on=True, reranker_on=True, exams=(), hit_exams=())
        _put_version(session, owner, before, learned, settings, now, fresh=True, back_to=version)
        return session.lessons.checkpoints(owner)[0]


def adopt(
    store: ItemStore, owner: Owner, taught: Learned, settings: LearningSettings, now: float, turns: int
) -> Checkpoint:
    """Make a policy trained elsewhere the newest version; rewards and reranker stay the owner's own."""
    with store.write(owner) as session:
        before = newest_lesson(session, owner, settings)
        learned = replace(
            before.learned, network=taught.network, updates=taught.updates, on=True, exams=(),
            trust=_TRUST_FROM_ELSEWHERE * taught.trust,
        )  # fmt: skip
        _put_version(session, owner, before, learned, settings, now, fresh=True, selfplay=turns)
        return session.lessons.checkpoints(owner)[0]


def has_new_lessons(session: Reader, owner: Owner, settings: LearningSettings) -> bool:
    """Return whether anything was learned since the newest version began."""
    lesson = newest_lesson(session, owner, settings)
    return lesson.checkpoint is not None and lesson.learned.rewards > lesson.checkpoint.began


def close_version(store: ItemStore, owner: Owner, settings: LearningSettings, now: float) -> bool:
    """Keep what was learned so far as a version to return to; learning continues in the next one."""
    with store.write(owner, durable=False) as session:
        if not has_new_lessons(session, owner, settings):
            return False
        lesson = newest_lesson(session, owner, settings)
        _put_version(session, owner, lesson, lesson.learned, settings, now, fresh=True)
        return True


def _is_unchanged(session: Reader, owner: Owner, study: _Study, settings: LearningSettings) -> bool:
    """Return whether nobody credited the turn or learned anything since it was read."""
    if session.lessons.turn(owner, study.turn.turn_id) != study.turn:
        return False
    return study.before is None or newest_lesson(session, owner, settings, study.before) == study.before


def _credit(
    session: Writer, owner: Owner, study: _Study, after: Learned | None, settings: LearningSettings, now: float
) -> Credit:
    turn, reward = study.turn, study.reward
    session.lessons.credit_turn(owner, turn.turn_id, reward)
    refs = tuple(hit.item_id for hit in turn.hits)
    detail = {"turn": turn.turn_id, "reward": round(reward.value, 4), "kind": reward.kind.value}
    session.ledger.record(
        Event(EventType.REWARDED, owner, now, None, detail, session_id=turn.session_id, memory_refs=refs)
    )
    if after is None or study.before is None or study.learned is None:
        return Credit(turn.turn_id, reward, True)
    others_off: tuple[str, ...] = ()
    if (turn.shared is not None or turn.hits) and session.gossip.state(owner) is not None:
        from celestial_engine.flow.base.candidate import credit_candidate  # only for owners who learn together

        others_off = credit_candidate(session, owner, study.learned, turn, reward.value, now)
    previous = study.learned
    parts = (("policy", previous.on, after.on), ("reranker", previous.reranker_on, after.reranker_on))
    off = tuple(part for part, before, is_on in parts if before and not is_on)
    version = _put_version(session, owner, study.before, after, settings, now, fresh=bool(off), off=off)
    return Credit(turn.turn_id, reward, True, version, off, others_off)


def _put_version(
    session: Writer,
    owner: Owner,
    before: Lesson,
    learned: Learned,
    settings: LearningSettings,
    now: float,
    *,
    fresh: bool,
    off: tuple[str, ...] = (),
    back_to: int | None = None,
    selfplay: int | None = None,
) -> int:
    """Update the newest version until it has its share of lessons, then start the next. Returns its number."""
    last = before.checkpoint
    highest = max((stored.version for stored in session.lessons.checkpoints(owner)), default=0)
    fresh = fresh or last is None or last.version != highest
    if last is None or fresh or learned.rewards - last.began >= settings.updates_a_checkpoint:
        version, began = highest + 1, learned.rewards
        detail: dict[str, object] = {"version": version, "updates": learned.updates}
        if off:
            detail["switched_off"] = ", ".join(off)
        if back_to is not None:
            detail["back_to"] = back_to
        if selfplay is not None:
            detail["selfplay"] = selfplay
        session.ledger.record(Event(EventType.LEARNED, owner, now, None, detail))
    else:
        version, began = last.version, last.began
    raw = packed(learned)
    metrics = {
        "rewards": learned.rewards,
        "mean_reward": round(learned.mean_reward, 4),
        "updates": learned.updates,
        "reranker_updates": learned.reranker_updates,
        "on": learned.on,
        "reranker_on": learned.reranker_on,
    }
    checkpoint = Checkpoint(version, now, began, digest_of(raw), metrics)
    session.lessons.put_checkpoint(owner, checkpoint, raw, settings.checkpoints_kept)
    return version
