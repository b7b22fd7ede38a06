"""The labels that describe what a text says. Their order is stored and trained on: append, never reorder."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Act(str, Enum):
    """What somebody does by saying something."""

    STATEMENT = "statement"
    QUESTION = "question"
    REQUEST = "request"  # to do something once
    INSTRUCTION = "instruction"  # how to behave from now on, or what to remember
    REACTION = "reaction"  # greeting, thanks, agreement, small talk
    PRAISE = "praise"
    BLAME = "blame"
    CORRECTION = "correction"
    FORGET = "forget"


class Lifetime(str, Enum):
    """How long a statement stays true."""

    PASSING = "passing"  # days to a month
    SEASON = "season"  # one to several months
    LASTING = "lasting"  # a year or more, or open-ended


class Subject(str, Enum):
    """Whom a statement is about."""

    USER = "user"
    PERSON = "person"  # somebody else; also a pet
    THING = "thing"


class Attribute(str, Enum):
    """What a statement says about its subject."""

    NAME = "name"
    AGE = "age"
    BIRTHDAY = "birthday"
    ORIGIN = "origin"
    HOME = "home"
    BODY = "body"
    PERSONALITY = "personality"
    LANGUAGE = "language"
    BELIEF = "belief"
    PARTNER = "partner"
    CHILD = "child"
    FAMILY = "family"
    FRIEND = "friend"
    COLLEAGUE = "colleague"
    PET = "pet"
    WORK = "work"
    EMPLOYER = "employer"
    STUDY = "study"
    SKILL = "skill"
    PROJECT = "project"
    DECISION = "decision"
    TOOL = "tool"
    HEALTH = "health"
    MEDICINE = "medicine"
    ALLERGY = "allergy"
    DIET = "diet"
    LIKES = "likes"
    DISLIKES = "dislikes"
    HOBBY = "hobby"
    HABIT = "habit"
    SCHEDULE = "schedule"
    APPOINTMENT = "appointment"
    PLAN = "plan"
    GOAL = "goal"
    EVENT = "event"
    TRAVEL = "travel"
    DEVICE = "device"
    VEHICLE = "vehicle"
    COMMUTE = "commute"
    POSSESSION = "possession"
    MONEY = "money"
    INSTRUCTION = "instruction"
    MOOD = "mood"
    OTHER = "other"


@dataclass(frozen=True)
class Address:
    """Where a statement belongs: what it says about whom. `value` holds its words, if they are known."""

    subject: Subject
    attribute: Attribute
    value: str | None = None
