"""What to do with a turn of a conversation: save it, skip it, or fetch memories for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.features import LONGEST_TURN, TurnFeatures

__all__ = ["Action", "Choice", "Chooser", "Decision", "DecisionReason", "Phase", "by_rules", "decide_turn"]

SURE_SAVE = 0.7
SURE_SKIP = 0.1
WORTH_SAVING = 0.3  # where nothing has been learned: one clear pattern


class Phase(int, Enum):
    """Who decided."""

    RULES = 0  # rules, for questions and wherever nothing has been learned
    SURE = 1  # rules that are sure: what must be kept, what must not
    LEARNED = 2  # the policy that learns, for what lies between


class DecisionReason(str, Enum):
    """Why a turn is treated as it is."""

    # retrieve
    ASKS_BACK = "asks_back"
    QUESTION = "question"
    POINTS_BACK = "points_back"
    # save
    ASKED_TO = "asked_to_remember"
    PERSONAL_FACT = "personal_fact"
    IMPORTANT = "important"
    TELLING = "telling"
    # skip
    SMALL_TALK = "small_talk"
    LITTLE_SAID = "little_said"
    NOTHING_STORED = "nothing_stored"
    DUPLICATE = "duplicate"
    BLOCKED = "blocked"  # a secret that the guard was told to keep out
    NOT_THE_USER = "not_the_user"
    NOT_PROSE = "not_prose"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    # any
    LEARNED = "learned"


@dataclass(frozen=True)
class Choice:
    """What somebody who chooses would do, and how sure of it; `explored`: tried out, not thought best."""

    action: Action
    confidence: float
    explored: bool = False


class Chooser(Protocol):
    """Chooses between the sure cases, by the ten numbers of `TurnFeatures.state`; None leaves it to the rules."""

    def choose(self, features: TurnFeatures) -> Choice | None: ...


@dataclass(frozen=True)
class Decision:
    """What to do with a turn, why, who said so, and by which features."""

    action: Action
    reason: str
    phase: Phase
    features: TurnFeatures
    confidence: float
    duplicate_of: str | None
    turn_id: str
    explored: bool = False
    choice: Choice | None = None  # of the one who learned, if it was asked

    @property
    def fetches(self) -> bool:
        """Whether memories help with the answer: a turn can tell something and ask something."""
        asks = self.features.question and self.features.role is Role.USER and self.features.memory_count > 0
        return self.action is Action.RETRIEVE or asks


def decide_turn(features: TurnFeatures, chooser: Chooser | None = None, *, turn_id: str = "") -> Decision:
    """Rules where they are sure; in between the one who learned, or else the rules' best guess."""
    decided = _sure(features)
    if decided is not None:
        action, reason, phase, confidence = decided
        return Decision(action, reason, phase, features, confidence, None, turn_id)
    choice = None if chooser is None else chooser.choose(features)
    if choice is not None:
        return Decision(
            choice.action, DecisionReason.LEARNED, Phase.LEARNED, features, choice.confidence, None, turn_id,
            choice.explored, choice,
        )  # fmt: skip
    guess = by_rules(features)
    reason = DecisionReason.TELLING if guess.action is Action.SAVE else DecisionReason.LITTLE_SAID
    return Decision(guess.action, reason, Phase.RULES, features, guess.confidence, None, turn_id)


def by_rules(features: TurnFeatures) -> Choice:
    """What the rules would do in the band between the sure cases: what a learner is measured against."""
    distance = abs(features.importance - WORTH_SAVING)
    telling = features.told or features.importance >= WORTH_SAVING
    return Choice(Action.SAVE if telling else Action.SKIP, min(0.95, 0.5 + distance))


def _sure(seen: TurnFeatures) -> tuple[Action, DecisionReason, Phase, float] | None:
    if seen.role is not Role.USER:
        return Action.SKIP, DecisionReason.NOT_THE_USER, Phase.SURE, 0.9
    if seen.remember:
        return Action.SAVE, DecisionReason.ASKED_TO, Phase.SURE, 1.0
    if not seen.prose:
        return Action.SKIP, DecisionReason.NOT_PROSE, Phase.SURE, 0.9
    if seen.length > LONGEST_TURN:
        return Action.SKIP, DecisionReason.TOO_LONG, Phase.SURE, 0.9
    if seen.small_talk:
        return Action.SKIP, DecisionReason.SMALL_TALK, Phase.SURE, 0.95
    if seen.personal:
        return Action.SAVE, DecisionReason.PERSONAL_FACT, Phase.SURE, 0.95
    if seen.importance >= SURE_SAVE:
        return Action.SAVE, DecisionReason.IMPORTANT, Phase.SURE, 0.9
    if not seen.told and seen.importance < WORTH_SAVING:
        asked = _asked(seen)
        if asked is not None:
            return asked
        if seen.importance <= SURE_SKIP:
            return Action.SKIP, DecisionReason.LITTLE_SAID, Phase.SURE, 0.8
    return None


def _asked(seen: TurnFeatures) -> tuple[Action, DecisionReason, Phase, float] | None:
    if not seen.question and not seen.discourse:
        return None
    if seen.memory_count == 0:
        return Action.SKIP, DecisionReason.NOTHING_STORED, Phase.RULES, 0.8
    if seen.asks_back:
        return Action.RETRIEVE, DecisionReason.ASKS_BACK, Phase.RULES, 0.95
    reason = DecisionReason.QUESTION if seen.question else DecisionReason.POINTS_BACK
    return Action.RETRIEVE, reason, Phase.RULES, 0.8
