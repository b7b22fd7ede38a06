"""Simulated users whose policies learn alone or together, by the engine's own functions, without a database."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import islice

from benchmarks.selfplay.play import Marks, examined, pending_turn, played
from benchmarks.selfplay.users import Personality, talks
from celestial_engine.core.federation import shared as candidates
from celestial_engine.core.federation.aggregation import TooFewUpdatesError, aggregate
from celestial_engine.core.federation.chooser import CandidateBandit
from celestial_engine.core.federation.likeness import candidate_from
from celestial_engine.core.federation.parameters import update_of
from celestial_engine.core.federation.settings import Aggregation
from celestial_engine.core.federation.vectors import Vector, clipped, weighted_mean
from celestial_engine.core.learning.bandit import Bandit, band_of, epsilon_after, margin_after
from celestial_engine.core.learning.credit import PendingTurn
from celestial_engine.core.learning.learned_policy import REPLAYS_DRAWN, Learned, credited
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.rewards import EXPLICIT
from celestial_engine.core.learning.seeded_random import mixed, uniforms
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.features import TurnFeatures
from celestial_engine.core.turn.policy import Chooser, Decision, decide_turn

ARITHMETIC, SETTINGS = PlainArithmetic(), LearningSettings()
_MEMORIES = 50


class Sharing(str, Enum):
    """What becomes of the others' updates; the last two only to find out where a gain comes from."""

    LIKENESS = "by likeness"  # as the engine does it
    MEAN = "mean of all"
    TRUST = "trust alone"  # the same freedom to decide, and none of their parameters


@dataclass(frozen=True)
class Defences:
    """Which defences are on; each can be switched off alone."""

    clipping: bool = True
    krum: bool = True
    likeness: bool = True
    guard_rail: bool = True
    max_norm: float = 0.5
    attackers: int = 1


@dataclass
class User:
    """A simulated user and their policy."""

    person: Personality
    seed: int
    learned: Learned = field(default_factory=lambda: Learned.starting(SETTINGS))
    shared: candidates.Shared | None = None
    guard_rail: bool = True
    turns: int = 0
    memories: int = _MEMORIES
    past: deque[PendingTurn] = field(default_factory=lambda: deque(maxlen=SETTINGS.turns_kept))
    _life: Iterator[None] | None = None
    _made_of: tuple[Learned | None, candidates.Shared | None] = (None, None)
    _combined: Learned = field(default_factory=lambda: Learned.starting(SETTINGS))

    @property
    def acting(self) -> Learned:
        """The policy that decides."""
        if self.shared is None or not self.shared.decides:
            return self.learned
        made_of = (self.learned, self.shared)
        if self._made_of[0] is not made_of[0] or self._made_of[1] is not made_of[1]:
            self._made_of, self._combined = made_of, candidates.combined(*made_of)
        return self._combined

    def live(self, turns: int) -> None:
        self._life = self._life or self._lived()
        for _ in range(turns):
            next(self._life)

    def update(self) -> Vector:
        return update_of(self.learned, SETTINGS)

    def receive(self, updates: Sequence[Vector], defences: Defences, sharing: Sharing = Sharing.LIKENESS) -> None:
        """Makes a candidate of the others' updates, as a node does: again when they changed or ten lessons later."""
        self.guard_rail = defences.guard_rail
        inputs = str(hash((tuple(updates), defences, self.learned.updates // 10)))
        if self.shared is not None and self.shared.inputs == inputs:
            return
        most = defences.max_norm if defences.clipping else float("inf")
        own = clipped(self.update(), most)
        method = Aggregation.MULTI_KRUM if defences.krum else Aggregation.MEAN
        usable = [clipped(update, most) for update in updates if any(update)]
        try:
            result = aggregate(
                usable, [1.0] * len(usable), method, defences.attackers, own if any(own) else None
            )  # fmt: skip
        except TooFewUpdatesError:
            self.shared = None
            return
        fresh = self._candidate([usable[place] for place in result.used], defences, sharing)
        if not defences.guard_rail:
            fresh = replace(fresh, fits=True)
        self.shared = candidates.refreshed(self.shared, replace(fresh, inputs=inputs))

    def _candidate(self, used: Sequence[Vector], defences: Defences, sharing: Sharing) -> candidates.Shared:
        named = {str(place): update for place, update in enumerate(used)}
        turns = list(self.past) if defences.likeness else []
        fresh = candidate_from(named, dict.fromkeys(named, 1.0), self.learned, turns, 0.0, SETTINGS)
        if sharing is Sharing.TRUST:
            return replace(fresh, update=(0.0,) * len(fresh.update), fits=True)
        if sharing is Sharing.MEAN or not defences.likeness:
            return replace(fresh, update=weighted_mean(used, [1.0] * len(used)), trust=0.5)
        return fresh

    def marks(self, turns: int = 1_000) -> Marks:
        """Evaluates what decides now on talks that nobody learned from, without exploration."""
        exam = talks((self.person,), mixed(self.seed, 1), examined=True)
        return examined(self.acting, exam, self.seed, ARITHMETIC, turns, self.memories)

    def _chooser(self, chance: int) -> Chooser | None:
        own, acting = self.learned, self.acting
        if not own.on:
            return None
        explores = epsilon_after(own.updates, SETTINGS.epsilon)
        mine, ours = (
            Bandit(one.network, explores, chance, band_of(one.trust), margin_after(one.updates))
            for one in (own, acting)
        )
        return mine if acting is own else CandidateBandit(ours, mine)

    def _lived(self) -> Iterator[None]:
        choices, replays, moods = (uniforms(mixed(self.seed, stream)) for stream in (3, 4, 2))

        def decide(features: TurnFeatures) -> Decision:
            return decide_turn(features, self._chooser(int(next(choices) * (1 << 53))))

        for number, turn in enumerate(played(talks((self.person,), mixed(self.seed, 0)), decide, moods)):
            noted = pending_turn(number, turn.decision)
            if noted.takes(turn.reward):
                self._learn(noted, turn.reward.value, replays, explicit=turn.reward.kind in EXPLICIT)
                self.past.append(replace(noted, reward=turn.reward.value, rewarded_as=turn.reward.kind))
            self.memories, self.turns = turn.memories, self.turns + 1
            yield

    def _learn(self, turn: PendingTurn, reward: float, replays: Iterator[float], *, explicit: bool) -> None:
        wanted = REPLAYS_DRAWN * ARITHMETIC.batch(self.learned.network)
        replayed = [self.past[int(place * len(self.past))] for place in islice(replays, wanted)] if self.past else []
        if self.shared is not None and self.guard_rail:
            self.shared = candidates.examined(self.shared, self.learned, turn, reward)
        self.learned = credited(self.learned, turn, reward, replayed, SETTINGS, ARITHMETIC, explicit=explicit)


Attack = Callable[
    [Sequence[Vector], Vector, int], Vector
]  # the honest updates, the own one, and the attacker's place


def sign_flip(honest: Sequence[Vector], own: Vector, place: int) -> Vector:
    return tuple(-3.0 * value for value in own)


def scaled(honest: Sequence[Vector], own: Vector, place: int) -> Vector:
    return tuple(-1_000.0 * value for value in own)


def constant(honest: Sequence[Vector], own: Vector, place: int) -> Vector:
    return (1.0,) * len(own)


def colluding(honest: Sequence[Vector], own: Vector, place: int) -> Vector:
    """All attackers send the same: the opposite of what the honest ones have learned, as long as it may be."""
    mean = [sum(column) / len(honest) for column in zip(*honest, strict=True)]
    return clipped([-1_000.0 * value for value in mean], 0.5)


def hidden(honest: Sequence[Vector], own: Vector, place: int) -> Vector:
    """The opposite of the honest mean, no longer than an honest update: harmful and hard to see."""
    mean = [sum(column) / len(honest) for column in zip(*honest, strict=True)]
    length = sum(sum(value * value for value in update) ** 0.5 for update in honest) / len(honest)
    return clipped([-1_000.0 * value for value in mean], length)


ATTACKS: dict[str, Attack] = {
    "sign flip": sign_flip,
    "scaled by 1,000": scaled,
    "constant": constant,
    "colluding": colluding,
    "hidden": hidden,
}
