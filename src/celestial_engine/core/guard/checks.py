"""Checks whether a match of a rule is really a secret: check digits, dates, randomness and grammar."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from celestial_engine.core.guard.randomness import is_hash_label, looks_random
from celestial_engine.core.guard.tokens import UUID
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import secrets as rules

Span = tuple[int, int]
Check = Callable[[re.Match[str]], "Span | None"]

_CLOSING = r"[.,;:!?)\]\"'`’”」』*]+$"
_NEXT_FIELD = r";(?=[A-Za-z_ ]|$)|&(?=[A-Za-z_][A-Za-z_-]{0,40}=|\s|$)"
_LATIN = r"[!-~]+"
_WORD = r"[A-Za-z]+(?:[-'’][A-Za-z]+)*"
_TECHNICAL = rules.TECHNICAL
_COUNTED = rules.COUNTED
_PLACEHOLDER = rules.PLACEHOLDER
_SOMETHING_ELSE_AFTER = rules.SOMETHING_ELSE_AFTER
_IS_THE_VALUE = rules.IS_THE_VALUE
_CLAUSE_ENDS = (
    r"[;&][A-Za-z_ ]{1,40}=|[.,;!?)\"'”’]*(?:\s*$|[.,;!?]\s|\s*\n|\s(?:and|but|so|for|on|if|by the way|please)\b)"
)
_ANOTHER_NUMBER = rules.ANOTHER_NUMBER
_CARD_BEGINS = rules.CARD_BEGINS
_NOT_AN_ACCOUNT = rules.NOT_AN_ACCOUNT
_NOT_AN_ACCOUNT_AFTER = rules.NOT_AN_ACCOUNT_AFTER
_PEM_BEGINS, _PEM_ENDS = rules.PRIVATE_KEY_BEGINS, rules.PRIVATE_KEY_ENDS
_INSIDE_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){0,3}$"
_LOOKED_BACK = 30


def whole(found: re.Match[str]) -> Span:
    return found.span("value" if "value" in found.re.groupindex else 0)


def no_placeholder(found: re.Match[str]) -> Span | None:
    placeholder = compiled(_PLACEHOLDER).fullmatch(found["inner"])
    example = compiled(rules.EXAMPLE_CREDENTIALS).fullmatch(found["value"])
    return None if placeholder or example else found.span("value")


# -- passwords ----------------------------------------------------------------------------------------


def surely_password(found: re.Match[str]) -> Span | None:
    """After a colon or an equals sign: anything but a word that describes the password."""
    start, value, quoted = _value(found)
    if not plausible(found, start, value):
        return None
    if compiled("(?i:pin)").match(found[0]) and not any(map(str.isdigit, value)):
        return None
    if not quoted and compiled(rules.CODE).fullmatch(value):
        return None
    if quoted or not value.isalpha():
        return start, start + len(value)
    if value.lower() in rules.SAYS_SOMETHING or not compiled(_CLAUSE_ENDS).match(found.string, start + len(value)):
        return None
    return start, start + len(value)


def said_to_be_password(found: re.Match[str]) -> Span | None:
    """After "is" or 은/는: a value with a digit or symbol, in quotes, or in the position of a value."""
    start, value, quoted = _value(found)
    if not plausible(found, start, value):
        return None
    span, text = (start, start + len(value)), found.string
    if quoted:
        return span
    if not value.isascii():
        return None
    lower = value.lower()
    if not compiled(_WORD).fullmatch(value):
        placed = re.compile(r"에서?(?:\s|$)|의\s").match(text, span[1])
        return None if placed and len(value) < 8 and value.isalnum() else span
    if lower in rules.SAYS_SOMETHING or (lower.endswith(rules.SAYING_ENDINGS) and value.isalpha()):
        return None
    follows = text[span[1] : span[1] + 1]
    if "가" <= follows <= "힣":
        return span if compiled(_IS_THE_VALUE).match(text, span[1]) else None
    return span if compiled(_CLAUSE_ENDS).match(text, span[1]) else None


def perhaps_password(found: re.Match[str]) -> Span | None:
    """Near the word without a connecting word: only a mix of letters and digits, or quoted with a digit."""
    start, value, quoted = _value(found)
    if quoted and compiled(r"\S*\d\S*").fullmatch(value) and plausible(found, start, value):
        return start, start + len(value)
    groups = found.re.groupindex
    if "gap" in groups and compiled(_SOMETHING_ELSE_AFTER).search(found["gap"]):
        return None
    tied = "tied" in groups and found["tied"].strip() in ("to", "as", "back to")
    if tied and quoted and " " in value and plausible(found, start, value):
        return start, start + len(value)
    if tied and compiled(r"\d{4,12}").fullmatch(value) and plausible(found, start, value):
        return start, start + len(value)
    mixed = any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and len(value) >= 6
    if not mixed or not value.isascii() or not plausible(found, start, value):
        return None
    if compiled(r"[\d.,:/-]+[a-z]{0,2}|\d+-[a-z]+(?:-[a-z]+)?|.*[(=].*").fullmatch(value):
        return None
    if not tied and compiled(r"[A-Z][a-z]+-\d+").fullmatch(value):
        return None
    return start, start + len(value)


def from_to(found: re.Match[str]) -> Span | None:
    """In "from old1 to new2": a value with a digit."""
    start, value = found.start("value"), without_closing(found["value"])
    good = any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and plausible(found, start, value)
    return (start, start + len(value)) if good else None


def _value(found: re.Match[str]) -> tuple[int, str, bool]:
    """Returns where the value begins, the value without closing punctuation, and whether it was in quotes."""
    value, start, opened = found["value"], found.start("value"), found["open"]
    quote = rules.QUOTES.get(opened[-1:], "")
    if quote:
        whole_line = found.string[start : start + 200].split("\n")[0]
        inside, closed, _ = whole_line.partition(quote)
        if closed and inside and "\ue000" not in inside:
            return start, inside, True
    if value.isascii() or not value[0].isascii():
        return start, without_closing(value), False
    latin = compiled(_LATIN).match(value)  # a Korean particle follows without a space
    return start, without_closing(latin[0] if latin else value), False


def without_closing(value: str) -> str:
    """Returns the value without punctuation that closes the sentence or begins the next field."""
    value = compiled(_NEXT_FIELD).split(value.split("</")[0])[0] or value
    if "{" not in value:
        value = value.rstrip("})]") or value  # of the braces around it: {"password": password}
    shortened = compiled(_CLOSING).sub("", value)
    marks = compiled("!*").match(value, len(shortened))
    return value[: marks.end()] if marks and any(map(str.isdigit, shortened)) else shortened


def plausible(found: re.Match[str], start: int, value: str) -> bool:
    """Whether a value may be a password: no placeholder, no name of a technique, no count."""
    if (
        not value
        or len(value) < 3
        or found.string[max(0, start - 2) : start] in ("''", '""')  # an empty value stands before it
        or compiled(r"\d+[.,]\d+").fullmatch(value)
        or compiled(_PLACEHOLDER).fullmatch(value)
        or compiled(_TECHNICAL).fullmatch(value)
        or compiled(rules.PLACEHOLDER_WORDS).match(found.string, start)
    ):
        return False
    if compiled(r"(?:or|and|및|또는)\s").match(found.string[start : start + 6]):
        return False
    return not (
        compiled(r"[\d.,+~-]+").fullmatch(value) and compiled(_COUNTED).match(found.string, start + len(value))
    )


# -- keys ---------------------------------------------------------------------------------------------


def random_whole(found: re.Match[str]) -> Span | None:
    return found.span() if looks_random(found["value"]) else None


def random_value(found: re.Match[str]) -> Span | None:
    """After a word such as token: a value that looks random."""
    value = found["value"].rstrip(".")
    if value.startswith(("http", "/", "./")) or not looks_random(value):
        return None
    if is_hash_label(found.string[found.start() : found.start("value")]):
        return None
    plain_key = compiled(r"(?i:keys?)\b|키").match(found[0])
    if compiled(UUID).fullmatch(value) and plain_key:
        return None
    start = found.start("value")
    return start, start + len(value)


def private_keys(text: str) -> Iterator[Span]:
    """Yields spans from BEGIN to END; a key that is cut off extends to the end of the text."""
    at = 0
    while begins := compiled(_PEM_BEGINS).search(text, at):
        ends = compiled(_PEM_ENDS).search(text, begins.end())
        at = len(text) if ends is None else ends.end()
        yield begins.start(), at


# -- numbers ------------------------------------------------------------------------------------------


def card(found: re.Match[str]) -> Span | None:
    digits = _digits(found["value"])
    if not compiled(_CARD_BEGINS).match(digits) or not _luhn(digits) or len(set(digits)) == 1:
        return None
    if _is_other_number(found):
        return None
    unbroken = len(digits) == len(found["value"])
    if unbroken and len(digits) in (13, 14) and not compiled(rules.CARD_WORDS).search(_before(found)):
        return None  # article numbers have 13 or 14 digits
    return found.span("value")


def _luhn(digits: str) -> bool:
    doubled = [int(digit) * (1 + number % 2) for number, digit in enumerate(reversed(digits))]
    return sum(digit - 9 * (digit > 9) for digit in doubled) % 10 == 0


def resident(found: re.Match[str]) -> Span | None:
    """A Korean resident registration number: a valid birth date, and a digit for century and sex."""
    digits = _digits(found["value"])
    if digits[6] not in "12345678":
        return None
    century = 1900 if digits[6] in "1256" else 2000
    try:
        date(century + int(digits[:2]), int(digits[2:4]), int(digits[4:6]))
    except ValueError:
        return None
    return None if _is_other_number(found) else found.span("value")


def bank_account(found: re.Match[str]) -> Span | None:
    value, digits = found["value"], _digits(found["value"])
    if (
        not 8 <= len(digits) <= 16
        or compiled(_NOT_AN_ACCOUNT).fullmatch(value)
        or compiled(_NOT_AN_ACCOUNT_AFTER).search(found["gap"])
    ):
        return None
    if " " in value and "-" not in value and len(digits) < 10:
        return None
    return found.span("value")


def iban(found: re.Match[str]) -> Span | None:
    letters = found["value"].replace(" ", "")
    moved = "".join(str(int(letter, 36)) for letter in letters[4:] + letters[:4])
    return found.span("value") if 15 <= len(letters) <= 34 and int(moved) % 97 == 1 else None


def _digits(value: str) -> str:
    return "".join(str(int(letter)) for letter in value if letter.isdecimal())


def _is_other_number(found: re.Match[str]) -> bool:
    """Whether the text before it shows an order or parcel number, or the end of a UUID."""
    before = _before(found)
    return compiled(_ANOTHER_NUMBER).search(before) is not None or compiled(_INSIDE_UUID).search(before) is not None


def _before(found: re.Match[str]) -> str:
    start = found.start("value")
    return found.string[max(0, start - _LOOKED_BACK) : start]
