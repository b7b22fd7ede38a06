"""Decides what to do with a conversation turn: save it, skip it, or retrieve memories for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.features import LONGEST_TURN, TurnFeatures

__all__ = ["Action", "Choice", "Chooser", "Decision", "DecisionReason", "Phase", "by_rules", "decide_turn"]

SURE_SAVE = 0.7
SURE_SKIP = 0.1
WORTH_SAVING = 0.3  # for the rules: one clear pattern


class Phase(int, Enum):
    """What made the decision."""

    RULES = 0  # rules, for questions and while nothing is learned
    SURE = 1  # rules that are certain: must save, must not save
    LEARNED = 2  # the learned policy, for the cases in between


class DecisionReason(str, Enum):
    """Why an action was chosen."""

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
    BLOCKED = "blocked"  # contains a secret that the guard is set to block
    NOT_THE_USER = "not_the_user"
    NOT_PROSE = "not_prose"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    # any
    LEARNED = "learned"


@dataclass(frozen=True)
class Choice:
    """A chosen action and its confidence; `explored` if it was tried out, not judged best."""

    action: Action
    confidence: float
    explored: bool = False


class Chooser(Protocol):
    """Chooses an action from `TurnFeatures.state` where the rules are unsure; None leaves it to the rules."""

    def choose(self, features: TurnFeatures) -> Choice | None: ...


@dataclass(frozen=True)
class Decision:
    """The action for a turn, with its reason, phase and features."""

    action: Action
    reason: str
    phase: Phase
    features: TurnFeatures
    confidence: float
    duplicate_of: str | None
    turn_id: str
    explored: bool = False
    choice: Choice | None = None  # the learned policy's choice, if it was consulted

    @property
    def fetches(self) -> bool:
        """Whether to retrieve memories; a turn can both state something and ask something."""
        asks = self.features.question and self.features.role is Role.USER and self.features.memory_count > 0
        return self.action is Action.RETRIEVE or asks


def decide_turn(features: TurnFeatures, chooser: Chooser | None = None, *, turn_id: str = "") -> Decision:
    """Uses the rules where they are sure, else the chooser, else the rules' best guess."""
    certain = _certain_decision(features)
    if certain is not None:
        action, reason, phase, confidence = certain
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
    """The rules' choice where they are unsure; the baseline for the learned policy."""
    distance = abs(features.importance - WORTH_SAVING)
    worth_saving = features.told or features.importance >= WORTH_SAVING
    return Choice(Action.SAVE if worth_saving else Action.SKIP, min(0.95, 0.5 + distance))


def _certain_decision(features: TurnFeatures) -> tuple[Action, DecisionReason, Phase, float] | None:
    if features.role is not Role.USER:
        return Action.SKIP, DecisionReason.NOT_THE_USER, Phase.SURE, 0.9
    if features.remember:
        return Action.SAVE, DecisionReason.ASKED_TO, Phase.SURE, 1.0
    if not features.prose:
        return Action.SKIP, DecisionReason.NOT_PROSE, Phase.SURE, 0.9
    if features.length > LONGEST_TURN:
        return Action.SKIP, DecisionReason.TOO_LONG, Phase.SURE, 0.9
    if features.small_talk:
        return Action.SKIP, DecisionReason.SMALL_TALK, Phase.SURE, 0.95
    if features.personal:
        return Action.SAVE, DecisionReason.PERSONAL_FACT, Phase.SURE, 0.95
    if features.importance >= SURE_SAVE:
        return Action.SAVE, DecisionReason.IMPORTANT, Phase.SURE, 0.9
    if not features.told and features.importance < WORTH_SAVING:
        retrieval = _question_decision(features)
        if retrieval is not None:
            return retrieval
        if features.importance <= SURE_SKIP:
            return Action.SKIP, DecisionReason.LITTLE_SAID, Phase.SURE, 0.8
    return None


def _question_decision(features: TurnFeatures) -> tuple[Action, DecisionReason, Phase, float] | None:
    if not features.question and not features.discourse:
        return None
    if features.memory_count == 0:
        return Action.SKIP, DecisionReason.NOTHING_STORED, Phase.RULES, 0.8
    if features.asks_back:
        return Action.RETRIEVE, DecisionReason.ASKS_BACK, Phase.RULES, 0.95
    reason = DecisionReason.QUESTION if features.question else DecisionReason.POINTS_BACK
    return Action.RETRIEVE, reason, Phase.RULES, 0.8
