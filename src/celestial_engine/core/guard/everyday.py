"""Checks for secrets as people and programs tell them: talk, shells, tables, codes and numbers of identity."""

from __future__ import annotations

import re
from collections.abc import Iterator

from celestial_engine.core.guard import checks
from celestial_engine.core.guard.checks import Span
from celestial_engine.core.guard.randomness import entropy, is_hash_label, looks_random
from celestial_engine.core.patterns import compiled
from celestial_engine.lang import secrets as rules
from celestial_engine.lang import secrets_everyday as everyday

_SYMBOL = r"[!@#$%^&*_+~-]"
_ENDS = r"[\"'`’”)]?(?:[.,!?;)]*(?:\s|$)|[가-힣])"


# -- talk ---------------------------------------------------------------------------------------------


def code_digits(found: re.Match[str]) -> Span | None:
    """A number right after a word for a password or a lock, unless it counts something."""
    start, end = found.span("value")
    text, value = found.string, found["value"]
    if compiled(everyday.NOT_A_CODE_AFTER).match(text, end) or compiled(rules.COUNTED).match(text, end):
        return None
    if compiled(r"(?:19|20)\d\d").fullmatch(value) and compiled(r"\s?(?:[-./년]|\))").match(text, end):
        return None
    return None if compiled(rules.NOT_AN_ACCOUNT).fullmatch(value) and len(value) > 8 else (start, end)


def lock_code(found: re.Match[str]) -> Span | None:
    """A number after a word for a lock: the word for a code must be there too, or the number looks like a code."""
    span = code_digits(found)
    named = compiled(
        r"(?i:code|combo|combination|keypad|pin|passcode|number)|번호|비번|코드|해제|다이얼|패턴|도어락"
    ).search(found[0])
    if span is None or not (named or compiled(r"[#*].*|.*[#*]").fullmatch(found["value"])):
        return None
    return span


def after_talk(found: re.Match[str]) -> Span | None:
    """Some words after "password": only a value that nobody would take for a name."""
    start, value = found.start("value"), _trimmed(found["value"])
    gap = found["gap"]
    if not made_up(value) or not compiled(_ENDS).match(found.string, start + len(value)):
        return None
    if compiled(r"[#+{}<]").search(gap):
        return None  # a line of a program
    given = compiled(r"(?i:\b(?:says|reads|is|was|became|remains)|[:=])\s[\"'(`]?$").search(gap)
    if not given and gap.strip(" :,?→➜>\"'(-") and compiled(everyday.ABOUT_SOMETHING_ELSE).search(gap):
        return None
    return (start, start + len(value)) if checks.plausible(found, start, value) else None


def before_word(found: re.Match[str]) -> Span | None:
    start, value = found.start("value"), _trimmed(found["value"])
    opened = len(value) - len(value.lstrip("\"'`(*"))
    start, value = start + opened, value[opened:]
    good = made_up(value) or (value.isdigit() and 4 <= len(value) <= 8)
    return (start, start + len(value)) if good and checks.plausible(found, start, value) else None


def login_pair(found: re.Match[str]) -> Span | None:
    """user / password: the second is made up, or the first is a well-known user."""
    start, value = found.start("value"), _trimmed(found["value"])
    return (start, start + len(value)) if made_up(value) and checks.plausible(found, start, value) else None


def beside(found: re.Match[str]) -> Span | None:
    """What is told beside a redacted secret: a made-up word, or four to eight digits that count nothing."""
    start, value = found.start("value"), _trimmed(found["value"])
    if compiled(r"(?!(?:19|20)\d\d$)\d{4,8}").fullmatch(value):
        counted = compiled(rf"{everyday.NOT_A_CODE_AFTER}|{rules.COUNTED}").match(found.string, start + len(value))
        return None if counted else (start, start + len(value))
    return (start, start + len(value)) if made_up(value) and checks.plausible(found, start, value) else None


def login_with(found: re.Match[str]) -> Span | None:
    start, value = found.start("value"), _trimmed(found["value"])
    return (start, start + len(value)) if made_up(value) and checks.plausible(found, start, value) else None


def argument(found: re.Match[str]) -> Span | None:
    """The argument of an option that takes a password."""
    value = found["value"]
    if compiled(rules.PLACEHOLDER).fullmatch(value) or value.startswith(("$", "-", "<", "`")) or len(value) < 3:
        return None
    return found.span("value")


def made_up(value: str) -> bool:
    """Whether a value mixes letters with digits or symbols like a password, and unlike names and versions."""
    if not 5 <= len(value) <= 80 or not value.isascii() or compiled(everyday.NAME_LIKE).fullmatch(value):
        return False
    if compiled(rules.TECHNICAL).fullmatch(value) or compiled(rules.PLACEHOLDER).fullmatch(value):
        return False
    letters = sum(map(str.isalpha, value))
    digits = sum(map(str.isdigit, value))
    symbol = compiled(_SYMBOL).search(value[1:]) is not None
    if letters < 2 or not (digits or (symbol and compiled("[!@#$%^&*]").search(value))):
        return False
    return digits >= 2 or (digits >= 1 and symbol) or (symbol and value[-1] != "!" and digits == 0) or len(value) >= 8


def _trimmed(value: str) -> str:
    return checks.without_closing(value.split('"')[0])


# -- numbers and codes --------------------------------------------------------------------------------


def social_security(found: re.Match[str]) -> Span | None:
    digits = re.sub(r"\D", "", found["value"])
    possible = digits[:3] not in ("000", "666") and digits[3:5] != "00" and digits[5:] != "0000"
    return found.span("value") if possible else None


def recovery_code(found: re.Match[str]) -> Span | None:
    """A code of groups, cut where words go on."""
    start, value = found.start("value"), found["value"]
    groups = value.split(" ")
    while len(groups) > 1 and not _code_like(groups[-1], groups[0]):
        groups.pop()
    value = " ".join(groups)
    dashed = "-" in value and (value.isupper() or any(map(str.isdigit, value)))
    coded = any(map(str.isdigit, value)) and _code_like(groups[0], groups[0])
    return (start, start + len(value)) if dashed or coded else None


def _code_like(group: str, first: str) -> bool:
    return any(map(str.isdigit, group)) or (group.isupper() and len(group) == len(first))


def one_time_code(found: re.Match[str]) -> Span | None:
    span = found.span("value")
    counted = compiled(rules.COUNTED).match(found.string, span[1])
    short = compiled(r"\d{1,3}|(?:19|20)\d\d").fullmatch(found["value"])
    return None if counted or short else span


def seed_phrase(found: re.Match[str]) -> Span | None:
    """12 to 24 short words in a row, none of which wordlists leave out; the longest valid count of them."""
    start, run = found.start("value"), list[re.Match[str]]()
    for word in compiled(r"[a-z]+").finditer(found["value"]):
        if word[0] not in everyday.NOT_SEED_WORDS:
            run.append(word)
        elif len(run) >= everyday.SEED_LENGTHS[0]:
            break
        else:
            run = []  # "the words are ladder ocean ...": the phrase begins after it
    fitting = [length for length in everyday.SEED_LENGTHS if length <= len(run)]
    return (start + run[0].start(), start + run[fitting[-1] - 1].end()) if fitting else None


def aws_secret(found: re.Match[str]) -> Span | None:
    value = found["value"]
    mixed = any(map(str.isupper, value)) and any(map(str.islower, value)) and any(map(str.isdigit, value))
    return found.span("value") if mixed and not is_hash_label(found[0]) else None


def plain_token(found: re.Match[str]) -> Span | None:
    """Letters alone or digits alone after "token is": long, and not a word of a program."""
    value = found["value"]
    if looks_random(value):
        return found.span("value")
    if value.isdigit():
        return found.span("value") if len(value) >= 20 and len(set(value)) > 4 else None
    if not value.isalpha() or compiled(r"[A-Z]?[a-z]{2,}(?:[A-Z][a-z]{2,})*|[A-Z]+").fullmatch(value):
        return None
    return found.span("value") if entropy(value) >= 3.5 else None


def short_bank(found: re.Match[str]) -> Span | None:
    digits = re.sub(r"\D", "", found["value"])
    return checks.bank_account(found) if 10 <= len(digits) <= 15 else None


# -- tables -------------------------------------------------------------------------------------------


def in_tables(text: str) -> Iterator[Span]:
    """Yields the cells below a header such as password: tables of Markdown, and values between tabs or commas."""
    for separator, least in (("|", 2), ("\t", 1), (",", 1)):
        if separator in text:
            yield from _in_table(text, separator, least)


def _in_table(text: str, separator: str, least: int) -> Iterator[Span]:
    columns: list[int] = []
    at = width = 0
    for line in text.splitlines(keepends=True):
        row = line.rstrip("\n")
        count = row.count(separator)
        if count < least or (columns and separator != "|" and count != width):
            columns = []
        else:
            cells, width = list(_cells(row, separator)), count
            if columns:
                yield from (
                    (at + start, at + end)
                    for number, (start, end) in enumerate(cells)
                    if number in columns
                    and _is_value(row[start:end])
                    and (separator == "|" or " " not in row[start:end])
                )
            else:
                columns = [
                    number
                    for number, (start, end) in enumerate(cells)
                    if compiled(everyday.SECRET_COLUMN).fullmatch(row[start:end])
                ]
        at += len(line)


def _cells(row: str, separator: str) -> Iterator[Span]:
    at = 0
    for cell in row.split(separator):
        inner = cell.strip(' \t*`"')
        start = at + (cell.find(inner) if inner else 0)
        yield start, start + len(inner)
        at += len(cell) + 1


def _is_value(cell: str) -> bool:
    return (
        len(cell) >= 3
        and not compiled(r"[:\s-]+|[\ue000]+").fullmatch(cell)
        and not compiled(rules.PLACEHOLDER).fullmatch(cell)
        and cell.lower() not in rules.SAYS_SOMETHING
    )
