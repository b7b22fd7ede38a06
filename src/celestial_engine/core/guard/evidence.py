"""Secrets that no word announces: a value that looks made up, where people tell what opens something.

>>> [span for span in secret_words("my laptop opens with BlueHeron_77")]
[(21, 33)]
"""

from __future__ import annotations

from collections.abc import Iterator

from celestial_engine.core.guard import checks
from celestial_engine.core.guard.checks import Span
from celestial_engine.core.guard.everyday import code_digits, made_up
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import secrets_situations as situations

_BEFORE, _AFTER = 80, 50  # characters in which evidence is looked for
_FURTHEST = 1000  # the same where something is redacted between
_REDACTED = "\ue000"
_ENOUGH = 4
_HARD_SYMBOL = r"[!@#$%^&*]"


def secret_words(text: str) -> Iterator[Span]:
    """Yields made-up words that the words around them say to open something."""
    for found in compiled(situations.WORD_OF_SIGNS).finditer(text):
        start, value = found.start("value"), checks.without_closing(found["value"])
        strength = strength_of(value)
        if strength and checks.plausible(found, start, value):
            before, after = _around(text, start, start + len(value))
            named = compiled(situations.NAMES_SOMETHING).search(before)
            enough = _ENOUGH - (strength > 1 and compiled(situations.WORD_AND_SIGNS).fullmatch(value) is not None)
            if not named and strength + _context(before, after) >= enough:
                yield start, start + len(value)
        elif _is_plain_word(value) and checks.plausible(found, start, value):
            before, after = _around(text, start, start + len(value))
            if _in_place_of_a_value(before, after):
                yield start, start + len(value)


def secret_codes(text: str) -> Iterator[Span]:
    """Yields codes of four to eight digits beside what they open."""
    for found in compiled(situations.CODE_OF_DIGITS).finditer(text):
        span = code_digits(found)
        if span is None or compiled(r"(?:19|20)\d\d").fullmatch(found["value"]):
            continue
        before, after = _around(text, *span)
        if compiled(situations.CODE_LINE).search(before + after):
            continue
        typed = compiled(situations.CODE_TYPED_KOREAN).match(after)
        leads = compiled(situations.CODE_LEADS).search(before) or compiled(r"[가-힣]\s$").search(before)
        led = leads and compiled(situations.CODE_ENDS).match(after)
        around = f"{before} \ue000 {after}"
        if ((typed or led) and compiled(situations.CODE_LOCKS).search(around)) or (
            _stands_alone(before, found["value"], after)
        ):
            yield span


def strength_of(value: str) -> int:
    """How much a value looks like a password: 0 for words, names, models and versions, 3 for what is nothing else."""
    if (
        not (
            made_up(value)
            or compiled(situations.DOT_AND_YEAR).fullmatch(value)
            or compiled(situations.THREE_PARTS).fullmatch(value)
        )
        or compiled(situations.MODEL_LIKE).fullmatch(value)
        or not 6 <= len(value) <= 40
    ):
        return 0
    digits = sum(map(str.isdigit, value))
    if compiled(situations.PASSWORD_AS_VALUE).fullmatch(value):
        return 3
    if compiled(situations.PERHAPS_A_NAME).fullmatch(value):
        return 1 if digits >= 2 else 0
    inner = compiled(_HARD_SYMBOL).search(value[1:-1]) is not None
    mostly_letters = sum(map(str.isalpha, value)) >= 3 * digits  # unlike hexadecimal numbers and times
    leet = len(value) >= 8 and mostly_letters and compiled(situations.DIGIT_FOR_LETTER).fullmatch(value) is not None
    joined = compiled(r".*[_.-].*").fullmatch(value) is not None
    if (inner and digits) or (leet and (joined or compiled(_HARD_SYMBOL).search(value))):
        return 3
    if leet or inner or compiled(_HARD_SYMBOL).search(value[-1]) or ("_" in value and digits):
        return 2
    if compiled(situations.THREE_PARTS).fullmatch(value):
        return 2
    return 1 if digits >= 2 and not value.isupper() else 0


def _stands_alone(before: str, value: str, after: str) -> bool:
    """Whether a number is a part of its own in a clause that names a code, and nothing there is counted."""
    around = f"{before}\ue000{after}"
    if (
        compiled(situations.COUNTS_BEFORE).search(before)
        or compiled(situations.COUNTED).search(around)
        or compiled(r"\d[ -]\ue000|\ue000[ -]\d").search(around)
    ):
        return False  # it counts something, or is a part of a longer number
    if compiled(situations.KEY_OF_A_KEYPAD).fullmatch(value) or compiled(situations.KEYED).match(after):
        return any(compiled(words).search(around) for words in (situations.CODE_LOCKS, situations.CODE_OPENED))
    stands = situations.CODE_STANDS_KOREAN if compiled("[가-힣]").search(before) else situations.CODE_STANDS
    return compiled(situations.CODE_NAMED).search(around) is not None and compiled(stands).match(after) is not None


def _is_plain_word(value: str) -> bool:
    """Whether a value is a word and digits, which is a password as often as the name of something."""
    return (
        len(value) >= 7
        and compiled(situations.PLAIN_WORD).fullmatch(value) is not None
        and not compiled(situations.KNOWN_NAME).fullmatch(value)
    )


def _in_place_of_a_value(before: str, after: str) -> bool:
    """Whether a clause about unlocking puts a value here: "sign in with X.", "압축은 X 치면 풀려"."""
    if compiled(situations.CODE_LINE).search(before + after):
        return False
    named = compiled(situations.NAMES_SOMETHING).search(before) or compiled(situations.IDENTITY).search(before)
    if compiled("[가-힣]").search(before + after):
        typed = compiled(situations.TYPED_KOREAN).match(after) and not compiled(situations.IDENTITY_KOREAN).search(
            before
        )
        placed = typed or (not named and compiled(situations.NAMED_KOREAN).match(after))
        return bool(placed) and compiled(situations.OPENED_KOREAN).search(before + after) is not None
    led = not compiled(situations.PLACE_BEFORE).search(before) and compiled(situations.VALUE_ENDS).match(after)
    return not named and bool(led) and compiled(situations.OPENED).search(f"{before} \ue000 {after}") is not None


def _context(before: str, after: str) -> int:
    if compiled(situations.CODE_LINE).search(before + after):
        return 0
    around = f"{before} \ue000 {after}"
    return max(
        weight if compiled(words).search(around) else 0
        for weight, words in ((3, situations.LOCKS), (2, situations.SERVICES), (1, situations.HANDED_OVER))
    )


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """Returns what stands before and after it in its line."""
    before = text[max(0, start - _BEFORE) : start]
    if _REDACTED in before:  # however long it was: a redacted text says the same when it is read again
        before = compiled(f"{_REDACTED}+").sub(_REDACTED, text[max(0, start - _FURTHEST) : start])[-_BEFORE:]
    after = text[end : end + _AFTER]
    if _REDACTED in after:
        after = compiled(f"{_REDACTED}+").sub(_REDACTED, text[end : end + _FURTHEST])[:_AFTER]
    return before.rpartition("\n")[2], after.partition("\n")[0]
