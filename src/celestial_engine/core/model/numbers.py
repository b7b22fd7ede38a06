"""Numbers in a text by their value, however they are written: 3, three, 세 명."""

from __future__ import annotations

from celestial_engine.core.patterns import compiled
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.ko import faithful as ko
from celestial_engine.lang.ko import sameness as ko_sameness

_COUNTED_EN = {word: int(value.rstrip("x")) for word, value in en_sameness.NUMBER_WORDS.items() if word != "half"}


def number_values(text: str) -> dict[str, str]:
    """Maps value to spelling: 3, three, 세 명. "One" is mostly not a number: one of them, 한 사람."""
    spellings = {number.lstrip("0") or "0": number for number in compiled(r"\d+").findall(text)}
    words = "|".join(_COUNTED_EN)
    for run in compiled(rf"(?i)\b(?:{words})(?:(?: |-| and )(?:{words}))*\b").findall(text):
        if (value := _value_of(run)) != "1":
            spellings.setdefault(value, run)
    for match in compiled(ko.COUNTING).finditer(text):
        parts = [int(ko_sameness.COUNTED.get(part, "1")) for part in match.groups() if part]
        spellings.setdefault(str(sum(parts)), match[0])
    return spellings


def _value_of(run: str) -> str:
    """Returns the value of a number in words: twenty-five, two hundred and three, two dozen."""
    total = current = 0
    for word in compiled(r"[a-z]+").findall(run.casefold().replace(" and ", " ")):
        number = _COUNTED_EN[word]
        if number in (12, 100, 1_000, 1_000_000) and word != "twelve":
            current = max(current, 1) * number
        else:
            current += number
        if number >= 1_000:
            total, current = total + current, 0
    return str(total + current)
