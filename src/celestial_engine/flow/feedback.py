"""feedback: what a turn was worth, and learning from it; reward, lesson and version are one transaction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import islice

from celestial_engine.core.bandit import PLAIN
from celestial_engine.core.checkpoints import Checkpoint, DamagedCheckpointError, digest_of, packed, unpacked
from celestial_engine.core.credit import NotedTurn
from celestial_engine.core.draws import mixed, uniforms
from celestial_engine.core.events import Event, EventType
from celestial_engine.core.keywords import keywords_of
from celestial_engine.core.learned import Learned, LearningSettings, credited, seen_by
from celestial_engine.core.learner import Arithmetic
from celestial_engine.core.owner import Owner
from celestial_engine.core.rewards import Before, Reward, RewardKind, reward_of
from celestial_engine.errors import CheckpointNotFoundError, TurnNotFoundError
from celestial_engine.ports import ItemStore, Reader, Writer


@dataclass(frozen=True)
class Lesson:
    """What is known now: of which version, and which newer ones turned out to be damaged."""

    learned: Learned
    checkpoint: Checkpoint | None = None
    damaged: tuple[Checkpoint, ...] = ()

    @property
    def version(self) -> int:
        return 0 if self.checkpoint is None else self.checkpoint.version


@dataclass(frozen=True)
class Credit:
    """What a turn was worth. `credited` is False where nothing was said, or it had been said before."""

    turn_id: str
    reward: Reward
    credited: bool
    version: int = 0
    switched_off: tuple[str, ...] = ()


Judge = Callable[[Reader, NotedTurn], Reward]


def given(value: float) -> Judge:
    """The host says the number itself."""
    return lambda _, __: Reward(value, RewardKind.GIVEN)


def heard(text: str, owner: Owner, now: float, asked: bool | None = None) -> Judge:
    """The user's next words say it, or how they go on."""

    def judge(session: Reader, turn: NotedTurn) -> Reward:
        recalled = session.get_many(owner, [hit.item_id for hit in turn.hits])
        words = tuple(word for item in recalled for word in keywords_of(item.content))
        return reward_of(text, Before(now - turn.at, words, asked))

    return judge


def newest(session: Reader, owner: Owner, settings: LearningSettings, known: Lesson | None = None) -> Lesson:
    """What was learned last and can be believed; `known` is not read again."""
    damaged: list[Checkpoint] = []
    for checkpoint in session.checkpoints(owner):
        if known is not None and known.checkpoint == checkpoint:
            return replace(known, damaged=tuple(damaged))
        try:
            return Lesson(_read(session, owner, checkpoint), checkpoint, tuple(damaged))
        except DamagedCheckpointError:
            damaged.append(checkpoint)
    return Lesson(Learned.starting(settings), None, tuple(damaged))


def note(store: ItemStore, owner: Owner, turn: NotedTurn, settings: LearningSettings) -> None:
    """A turn that was decided, until somebody says what it was worth."""
    keep = settings.turns_kept if len(turn.state) == PLAIN[0] else settings.rich_turns_kept
    with store.write(durable=False) as session:
        session.note_turn(owner, turn, keep)


def feedback(
    store: ItemStore,
    owner: Owner,
    find: Callable[[Reader], NotedTurn | None],
    judge: Judge,
    settings: LearningSettings,
    arithmetic: Arithmetic,
    now: float,
    turn_id: str | None = None,
) -> Credit:
    """Credits a turn once: its decision and its hits. Nobody else can learn meanwhile, so nothing learned is lost."""
    with store.write(durable=False) as session:
        turn = find(session)
        if turn is None:
            raise TurnNotFoundError(turn_id=turn_id or "")
        reward = judge(session, turn)
        if not turn.takes(reward):
            return Credit(turn.turn_id, turn.rewarded or reward, False)
        session.credit_turn(owner, turn.turn_id, reward)
        refs = tuple(hit.item_id for hit in turn.hits)
        detail = {"turn": turn.turn_id, "reward": round(reward.value, 4), "kind": reward.kind.value}
        session.record(
            Event(EventType.REWARDED, owner, now, None, detail, session_id=turn.session_id, memory_refs=refs)
        )
        if not settings.enabled:
            return Credit(turn.turn_id, reward, True)
        before = newest(session, owner, settings)
        learned = seen_by(before.learned, len(turn.state), settings)
        chance = uniforms(mixed(settings.seed, learned.rewards))
        replayed = session.replay(owner, list(islice(chance, arithmetic.batch(learned.network))))
        after = credited(
            learned,
            turn,
            reward.value,
            [one for one in replayed if one.turn_id != turn.turn_id],
            settings,
            arithmetic,
        )
        off = tuple(
            part
            for part, was, is_on in (
                ("policy", learned.on, after.on),
                ("reranker", learned.reranker_on, after.reranker_on),
            )
            if was and not is_on
        )
        version = _keep(session, owner, before, after, settings, now, fresh=bool(off), off=off)
    return Credit(turn.turn_id, reward, True, version, off)


def roll_back(store: ItemStore, owner: Owner, version: int, settings: LearningSettings, now: float) -> Checkpoint:
    """What was learned up to that version becomes the newest one, switched on; 0: as if nothing had been learned."""
    with store.write() as session:
        before = newest(session, owner, settings)
        if version == 0:
            learned = Learned.starting(settings)
        else:
            checkpoint = next((one for one in session.checkpoints(owner) if one.version == version), None)
            if checkpoint is None:
                raise CheckpointNotFoundError(version=version, reason="there is none")
            try:
                learned = _read(session, owner, checkpoint)
            except DamagedCheckpointError as error:
                raise CheckpointNotFoundError(version=version, reason=str(error)) from error
        # The exams were of what came after.
        learned = replace(learned, on=True, reranker_on=True, exams=(), hit_exams=())
        _keep(session, owner, before, learned, settings, now, fresh=True, back_to=version)
        return session.checkpoints(owner)[0]


def has_news(session: Reader, owner: Owner, settings: LearningSettings) -> bool:
    """Whether anything was learned since the newest version began."""
    lesson = newest(session, owner, settings)
    return lesson.checkpoint is not None and lesson.learned.rewards > lesson.checkpoint.began


def close_version(store: ItemStore, owner: Owner, settings: LearningSettings, now: float) -> bool:
    """What was learned up to now stays as a version to go back to; what follows is the next one's."""
    with store.write(durable=False) as session:
        if not has_news(session, owner, settings):
            return False
        lesson = newest(session, owner, settings)
        _keep(session, owner, lesson, lesson.learned, settings, now, fresh=True)
        return True


def _keep(
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
) -> int:
    """The newest version once more, until it has taken its share of lessons; then the next."""
    last = before.checkpoint
    highest = max((one.version for one in session.checkpoints(owner)), default=0)
    fresh = fresh or last is None or last.version != highest
    if last is None or fresh or learned.rewards - last.began >= settings.updates_a_checkpoint:
        version, began = highest + 1, learned.rewards
        detail: dict[str, object] = {"version": version, "updates": learned.updates}
        if off:
            detail["switched_off"] = ", ".join(off)
        if back_to is not None:
            detail["back_to"] = back_to
        session.record(Event(EventType.LEARNED, owner, now, None, detail))
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
    session.put_checkpoint(owner, checkpoint, raw, settings.checkpoints_kept)
    return version


def _read(session: Reader, owner: Owner, checkpoint: Checkpoint) -> Learned:
    return unpacked(session.checkpoint_bytes(owner, checkpoint.version) or b"", checkpoint.digest)
