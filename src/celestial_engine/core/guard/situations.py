"""Checks for secrets that are told in other words: what a code opens, digits spelled out, answers and seed words."""

from __future__ import annotations

import re

from celestial_engine.core.guard.checks import Span
from celestial_engine.core.guard.everyday import code_digits
from celestial_engine.core.guard.randomness import looks_random
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import secrets as rules
from celestial_engine.lang import secrets_situations as situations

_AROUND = 60  # characters in which what a code opens must be named


def code(found: re.Match[str]) -> Span | None:
    """Digits after which the clause ends: "to 4471", but not "to 1200 visitors"."""
    span = code_digits(found)
    if span is None or compiled(r"(?:19|20)\d\d").fullmatch(found["value"]):
        return None
    return span if compiled(situations.CODE_ENDS).match(found.string, span[1]) else None


def code_for(found: re.Match[str]) -> Span | None:
    return code(found) if compiled(situations.CODE_OPENED).search(found["gap"]) else None


def star_code(found: re.Match[str]) -> Span | None:
    span = code_digits(found)
    around = found.string[max(0, found.start() - _AROUND) : found.end() + _AROUND]
    opens = r"(?i:gate|door|lock|unit|keypad|alarm|entrance|safe)|문|현관|도어락|경보|금고|잠금"
    return span if span and compiled(opens).search(around) else None


def first_code(found: re.Match[str]) -> Span | None:
    """A sentence that begins with digits and goes on with what they open."""
    named = compiled(situations.CODE_LOCKS).search(found["gap"])
    year = compiled(r"(?:19|20)\d\d").fullmatch(found["value"])
    return found.span("value") if named and not year else None


def pressed(found: re.Match[str]) -> Span | None:
    """Digits that somebody presses, unless they are a year, a date or a phone number."""
    other = compiled(rules.NOT_AN_ACCOUNT).fullmatch(found["value"])
    year = compiled(r"(?:19|20)\d\d").fullmatch(found["value"])
    return None if other or year else found.span("value")


def phrase(found: re.Match[str]) -> Span | None:
    """Some words in the place of a passphrase, unless they tell something about it."""
    words = found["value"].lower().split()
    return None if any(word in situations.TELLING_WORDS for word in words) else found.span("value")


def random_word(found: re.Match[str]) -> Span | None:
    return found.span("value") if looks_random(found["value"]) else None


def korean_and_digits(found: re.Match[str]) -> Span | None:
    counted = compiled(rules.COUNTED).match(found.string, found.end("value"))
    return None if counted else found.span("value")


def korean_answer(found: re.Match[str]) -> Span | None:
    return None if compiled(situations.NO_ANSWER).fullmatch(found["value"]) else found.span("value")


def korean_seed(found: re.Match[str]) -> Span | None:
    """12 to 24 words in a row that do not make a sentence."""
    words = compiled("[가-힣]+").findall(found["value"])
    told = sum(compiled(situations.NOT_A_SEED_WORD).fullmatch(each) is not None for each in words)
    return None if told > len(words) * situations.LIKE_A_SENTENCE else found.span("value")
