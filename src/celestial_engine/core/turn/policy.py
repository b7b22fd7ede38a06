"""Decides what to do with a conversation turn: save it, skip it, or retrieve memories for it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from celestial_engine.core.record.labels import Act, Lifetime
from celestial_engine.core.turn.conversation import Action, Role
from celestial_engine.core.turn.features import LONGEST_TURN, TurnFeatures
from celestial_engine.core.turn.forget_request import ForgetRequest

__all__ = ["Action", "Choice", "Chooser", "Decision", "DecisionReason", "Phase", "by_rules", "decide_turn"]

SURE_SAVE = 0.7
SURE_SKIP = 0.1
# From which probability a turn is saved: to lose what stays true costs more than to keep a trifle.
WORTH_SAVING = {Lifetime.PASSING: 0.54, Lifetime.SEASON: 0.50, Lifetime.LASTING: 0.46}
NEEDS_MEMORY = 0.4


class Phase(int, Enum):
    """What made the decision."""

    RULES = 0  # rules, for questions and while nothing is learned
    SURE = 1  # rules that are certain: must save, must not save
    LEARNED = 2  # the learned policy, for the cases in between


class DecisionReason(str, Enum):
    """Why an action was chosen."""

    # retrieve
    ASKS_BACK = "asks_back"
    POINTS_BACK = "points_back"
    ASKS_FOR_PROFILE = "asks_for_profile"  # "what do you know about me?"
    ASKS_ABOUT_KNOWN = "asks_about_known"  # a memory has most of its words, or tells of what it names
    # save
    ASKED_TO = "asked_to_remember"
    IMPORTANT = "important"
    TELLING = "telling"
    # skip
    ASKED_TO_FORGET = "asked_to_forget"
    SMALL_TALK = "small_talk"
    GENERAL_QUESTION = "general_question"  # no memory helps to answer it
    LITTLE_SAID = "little_said"
    NOTHING_STORED = "nothing_stored"
    DUPLICATE = "duplicate"
    UNWANTED = "unwanted"  # the user does not want such things kept
    BLOCKED = "blocked"  # contains a secret that the guard is set to block
    NOT_THE_USER = "not_the_user"
    NOT_PROSE = "not_prose"
    TOO_LONG = "too_long"
    UNREADABLE = "unreadable"
    # any
    LEARNED = "learned"


LOOKED_UP = "looked_up"  # nobody decided: the user searched for it, outside of any conversation


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
    forget: ForgetRequest | None = None  # what the turn asks to forget; the decision is about the rest of it

    @property
    def fetches(self) -> bool:
        """Whether to retrieve memories; a turn can both state something and ask something."""
        if self.reason == DecisionReason.ASKED_TO_FORGET and self.forget is not None and not self.forget.likely:
            return False
        return self.action is Action.RETRIEVE or _needs_memory(self.features)


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
    reason = DecisionReason.TELLING if guess.action is Action.SAVE else _reason_to_skip(features)
    return Decision(guess.action, reason, Phase.RULES, features, guess.confidence, None, turn_id)


def by_rules(features: TurnFeatures) -> Choice:
    """The choice without a learned policy, and its baseline: save from a probability that depends on the lifetime."""
    distance = features.importance - WORTH_SAVING[features.reading.lifetime]
    return Choice(Action.SAVE if distance >= 0 else Action.SKIP, min(0.95, 0.5 + abs(distance)))


def _certain_decision(features: TurnFeatures) -> tuple[Action, DecisionReason, Phase, float] | None:
    if features.role is not Role.USER:
        return Action.SKIP, DecisionReason.NOT_THE_USER, Phase.SURE, 0.9
    if features.asks_for_profile:
        if features.memory_count == 0:
            return Action.SKIP, DecisionReason.NOTHING_STORED, Phase.RULES, 0.8
        return Action.RETRIEVE, DecisionReason.ASKS_FOR_PROFILE, Phase.SURE, 1.0
    if features.remember:
        return Action.SAVE, DecisionReason.ASKED_TO, Phase.SURE, 1.0
    if not features.prose:
        return Action.SKIP, DecisionReason.NOT_PROSE, Phase.SURE, 0.9
    if features.length > LONGEST_TURN:
        return Action.SKIP, DecisionReason.TOO_LONG, Phase.SURE, 0.9
    if features.importance >= SURE_SAVE:
        return Action.SAVE, DecisionReason.IMPORTANT, Phase.SURE, features.importance
    if by_rules(features).action is Action.SAVE:
        return None
    if features.reading.needs_memory >= NEEDS_MEMORY:
        if features.memory_count == 0:
            return Action.SKIP, DecisionReason.NOTHING_STORED, Phase.RULES, 0.8
        reason = DecisionReason.ASKS_BACK if features.question else DecisionReason.POINTS_BACK
        return Action.RETRIEVE, reason, Phase.RULES, features.reading.needs_memory
    if features.importance <= SURE_SKIP:
        return Action.SKIP, _reason_to_skip(features), Phase.SURE, 1.0 - features.importance
    return None


def _needs_memory(features: TurnFeatures) -> bool:
    from_user = features.role is Role.USER and features.memory_count > 0
    return from_user and features.reading.needs_memory >= NEEDS_MEMORY


def _reason_to_skip(features: TurnFeatures) -> DecisionReason:
    if features.question:
        return DecisionReason.GENERAL_QUESTION
    return DecisionReason.SMALL_TALK if features.reading.act is Act.REACTION else DecisionReason.LITTLE_SAID
