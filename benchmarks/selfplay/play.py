"""Self-play: trains a policy on simulated users, and evaluates it on held-out turns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from benchmarks.selfplay.users import (
    PERSONALITIES,
    Mood,
    Personality,
    Said,
    Topic,
    mood,
    talks,
    words_for,
)
from celestial_engine.core.learning.bandit import Bandit, LearnedChoice, band_of, epsilon_after, margin_after
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import REPLAYS_DRAWN, Learned, credited
from celestial_engine.core.learning.network import Arithmetic
from celestial_engine.core.learning.rewards import EXPLICIT, RatedTurn, Reward, reward_of
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.conversation import Action, Utterance
from celestial_engine.core.turn.features import TurnFeatures, features_of
from celestial_engine.core.turn.policy import Choice, Chooser, Decision, Phase, decide_turn
from celestial_engine.flow.base.read import read_text

EXAMINED_TURNS = 500
PLAYERS: dict[str, tuple[Personality, ...]] = {
    **{personality.name: (personality,) for personality in PERSONALITIES},
    "crowd": PERSONALITIES,  # a mixture: one policy for all of them
}
_PAUSE_SECONDS = 30.0
_MEMORIES = 50  # at the start, because questions need stored memories
_LIVING, _EXAMINING, _MOODS, _CHOICES, _REPLAYS = range(5)  # ids of independent random streams

_read = lru_cache(maxsize=32_768)(read_text)  # simulated users say the same again and again

Decide = Callable[[TurnFeatures], Decision]
Talk = tuple[Said, ...]


@dataclass(frozen=True)
class Played:
    """A turn, its decision, and the reward from the user's next turn; `memories` is the count by then."""

    said: Said
    decision: Decision
    memories: int
    reward: Reward


@dataclass(frozen=True)
class Marks:
    """Evaluation scores on held-out turns."""

    accuracy: float
    f1: dict[Action, float]
    mean_reward: float


@dataclass(frozen=True)
class Point:
    """A point of the learning curve: the marks after this many turns."""

    turns: int
    marks: Marks
    trust: float
    on: bool


class Lived(NamedTuple):
    """The learned policy after a turn, and the number of memories."""

    learned: Learned
    memories: int


@dataclass(frozen=True)
class Course:
    """The learning curve of one player, with the rules as the baseline; `learned` is the final policy."""

    player: str
    rules: Marks
    points: tuple[Point, ...]
    learned: Learned


def course(
    player: str,
    turns: int,
    seed: int,
    settings: LearningSettings,
    arithmetic: Arithmetic,
    stops: Sequence[int] = (),
    examined_turns: int = EXAMINED_TURNS,
    told: Callable[[int], None] = lambda turn: None,
) -> Course:
    """Trains for this many turns, evaluates at the stops and the end; `told` is called after every turn."""
    people, points = PLAYERS[player], list[Point]()

    def marks(learned: Learned | None, memories: int = _MEMORIES) -> Marks:
        exam_talks = talks(people, mixed(seed, _EXAMINING), examined=True)
        return examined(learned, exam_talks, seed, arithmetic, examined_turns, memories)

    training_talks = talks(people, mixed(seed, _LIVING))
    for turn, (learned, memories) in enumerate(islice(lived(training_talks, seed, settings, arithmetic), turns + 1)):
        told(turn)
        if turn in (0, turns) or turn in stops:
            points.append(Point(turn, marks(learned, memories), learned.trust, learned.on))
    return Course(player, marks(None), tuple(points), learned)


def stops_until(turns: int) -> tuple[int, ...]:
    """Returns 100, 200, 500, 1000, ... up to `turns`."""
    return tuple(stop for power in range(2, 8) for step in (1, 2, 5) if (stop := step * 10**power) <= turns)


def lived(told: Iterable[Talk], seed: int, settings: LearningSettings, arithmetic: Arithmetic) -> Iterator[Lived]:
    """Trains on these conversations; yields the initial state and the state after each turn."""
    learned = Learned.starting(settings)
    yield Lived(learned, _MEMORIES)
    past: deque[PendingTurn] = deque(maxlen=settings.turns_kept)
    choices, replays, moods = (uniforms(mixed(seed, which)) for which in (_CHOICES, _REPLAYS, _MOODS))

    def decide(features: TurnFeatures) -> Decision:
        chance = int(next(choices) * (1 << 53))
        epsilon, margin = epsilon_after(learned.updates, settings.epsilon), margin_after(learned.updates)
        chooser = Bandit(learned.network, epsilon, chance, band_of(learned.trust), margin, arithmetic=arithmetic)
        return decide_turn(features, chooser if learned.on else None)

    for number, lived_turn in enumerate(played(told, decide, moods)):
        turn = pending_turn(number, lived_turn.decision)
        if turn.takes(lived_turn.reward):
            wanted = REPLAYS_DRAWN * arithmetic.batch(learned.network)
            replayed = [past[int(place * len(past))] for place in islice(replays, wanted)] if past else []
            explicit = lived_turn.reward.kind in EXPLICIT
            learned = credited(
                learned, turn, lived_turn.reward.value, replayed, settings, arithmetic, explicit=explicit
            )
            past.append(replace(turn, reward=lived_turn.reward.value, rewarded_as=lived_turn.reward.kind))
        yield Lived(learned, lived_turn.memories)


def examined(
    learned: Learned | None,
    told: Iterable[Talk],
    seed: int,
    arithmetic: Arithmetic,
    turns: int = EXAMINED_TURNS,
    memories: int = _MEMORIES,
) -> Marks:
    """Evaluates a learned policy on these conversations without exploration; None evaluates the rules."""
    chooser = settled(learned, arithmetic)
    moods = uniforms(mixed(seed, _EXAMINING, _MOODS))

    def decide(features: TurnFeatures) -> Decision:
        return decide_turn(features, chooser)

    turns_played = list(islice(played(told, decide, moods, memories), turns))
    pairs = [(turn.said.wanted, turn.decision.action) for turn in turns_played]
    return Marks(
        sum(wanted is done for wanted, done in pairs) / len(pairs),
        {action: _f1(pairs, action) for action in Action},
        sum(turn.reward.value for turn in turns_played) / len(turns_played),
    )


def settled(learned: Learned | None, arithmetic: Arithmetic) -> Chooser | None:
    """Returns a chooser that never explores; None if nothing is learned or it is switched off."""
    return None if learned is None or not learned.on else _Settled(learned, arithmetic)


@dataclass(frozen=True)
class _Settled:
    """Chooses the network's action within its band; no exams, no exploration."""

    learned: Learned
    arithmetic: Arithmetic

    def choose(self, features: TurnFeatures) -> Choice | None:
        band, margin = band_of(self.learned.trust), margin_after(self.learned.updates)
        chooser: Chooser = Bandit(self.learned.network, 0.0, 0, band, margin, arithmetic=self.arithmetic)
        choice = chooser.choose(features)
        return replace(choice, action=choice.learned) if isinstance(choice, LearnedChoice) else choice


def played(
    conversations: Iterable[Talk], decide: Decide, chance: Iterator[float], memories: int = _MEMORIES
) -> Iterator[Played]:
    """Yields each turn once the next one gives its reward; the last turn of a conversation has none."""
    for talk in conversations:
        history: list[Utterance] = []
        before: tuple[Said, Decision, int] | None = None
        opening, remaining = "", deque(talk)
        while remaining:
            said = remaining.popleft().after(opening)
            if before is not None:
                yield Played(*before, reward_of(said.text, _read(said.text), RatedTurn(_PAUSE_SECONDS)))
            decision = decide(features_of(Utterance(said.text), _read(said.text), history, memories))
            memories += decision.action is Action.SAVE
            history.append(Utterance(said.text, action=decision.action))
            before = (said, decision, memories)
            answer = mood(said, decision.action, next(chance))
            opening = words_for(answer, said.language, next(chance))
            if answer is Mood.DISINTEREST:  # a "whatever" is a turn of its own
                remaining.appendleft(Said(opening, Topic.SMALL_TALK, Action.SKIP, said.language))
                opening = ""


def pending_turn(number: int, decision: Decision) -> PendingTurn:
    """Returns a decided turn as it waits for its reward."""
    choice = decision.choice
    usual, learned, exam, shared = decision.action, decision.action, False, None
    if isinstance(choice, LearnedChoice) and decision.phase is Phase.LEARNED:
        usual, learned, exam, shared = choice.usual, choice.learned, choice.exam, choice.shared
    return PendingTurn(
        str(number), None, 0.0, decision.action, decision.phase, decision.features.state, usual, learned, exam,
        shared=shared,
    )  # fmt: skip


def _f1(pairs: Sequence[tuple[Action, Action]], action: Action) -> float:
    right = sum(wanted is done is action for wanted, done in pairs)
    named = sum((wanted is action) + (done is action) for wanted, done in pairs)
    return 2 * right / named if named else 0.0
