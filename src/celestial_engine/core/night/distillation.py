"""Distillation: one text for several memories. Claims that no source supports are rejected."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.guard.secrets import looks_like_injection
from celestial_engine.core.night.essence import MOST_CHARACTERS, essence_of
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.text.korean import verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.text.triples import is_negative, triples_of
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.ko import distillation as ko_distilling
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import sameness as ko_sameness
from celestial_engine.lang.ko import time as ko_time

BY_RULES, BY_MODEL, BY_HOST = "rules", "model", "host"
MOST_SENTENCES = 2
_MOST_QUOTED = 300  # characters of a memory
_TOKEN_BYTES = 10
_SHORTEST_NAME = 2
_WEEKDAYS_KO = "|".join(f"{day}(?:요일|욜)" for day in ko_time.WEEKDAYS)
_DATES_EN = frozenset((*en_time.WEEKDAYS, *(name for name in en_time.MONTHS if len(name) > 3 or name == "may")))
_ALSO_WORDS = ("may", "march")
_COUNTED_EN = {word: int(value.rstrip("x")) for word, value in en_sameness.NUMBER_WORDS.items() if word != "half"}


@dataclass(frozen=True)
class Distilled:
    """One or two sentences, and their author: the rules, a language model, or the host."""

    text: str
    by: str
    refused: Problem | None = None  # why a model's text was rejected


def prompt_for(texts: Sequence[str]) -> str:
    """Returns the prompt in the language of the memories; {text} is replaced by them."""
    korean = sum(language_of(text) is Language.KO for text in texts) * 2 >= len(texts)
    return ko_distilling.PROMPT if korean else en_distilling.PROMPT


def listed(texts: Sequence[str]) -> str:
    """Formats the memories, one per line."""
    return "\n".join(f"- {escape_for_prompt(text)[:_MOST_QUOTED]}" for text in texts)


def by_rules(texts: Sequence[str]) -> Distilled:
    return Distilled(essence_of(texts), BY_RULES)


def sentence_in_answer(answer: object) -> str:
    """Extracts the sentence from a model's answer, as JSON or plain text, without quotes around it."""
    text = answer if isinstance(answer, str) else ""
    json_match = compiled(r"\{.*\}", re.DOTALL).search(text)
    if json_match is not None:
        try:
            data = json.loads(json_match.group())
        except (ValueError, RecursionError):
            data = None
        text = data["essence"] if isinstance(data, dict) and isinstance(data.get("essence"), str) else ""
    line = " ".join(text.split())
    return compiled(r"^(?:[-*•]\s+|\d+[.)]\s+)").sub("", line).strip(" \"'“”‘’`")


def objection(text: str, sources: Sequence[str]) -> Problem | None:
    """Returns why this text cannot replace its sources; None if it can."""
    if compiled(r"[^\W\d_]{2}").search(text) is None:
        return problem(None, Reason.SAYS_NOTHING)
    if len(text) > MOST_CHARACTERS or len(sentences_of(text)) > MOST_SENTENCES:
        return problem(None, Reason.TOO_LONG_A_TEXT, most=MOST_CHARACTERS)
    if looks_like_injection(text):
        return problem(None, Reason.INSTRUCTS)
    unsupported_claims = unsupported(text, sources)
    return problem(None, Reason.UNSUPPORTED, names=unsupported_claims) if unsupported_claims else None


def unsupported(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Returns invented names and numbers, and a negation if no source has one."""
    claims = invented(text, sources)
    negated = _has_negation(text) and not any(_has_negation(source) for source in sources)
    return (*claims, "that something is not so") if negated else claims


def invented(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Returns names, numbers and dates that no source has."""
    source_text = unicodedata.normalize("NFKC", "\n".join(sources)).casefold()
    plain = unicodedata.normalize("NFKC", text)
    source_numbers = _numbers(source_text)
    found = [spelling for value, spelling in _numbers(plain).items() if value not in source_numbers]
    found += [name for name in (*_dates(plain), *_names(plain)) if name.casefold() not in source_text]
    return tuple(dict.fromkeys(found))


def _numbers(text: str) -> dict[str, str]:
    """Maps value to spelling: 3, three, 세 명. "One" is mostly not a number: one of them, 한 사람."""
    spellings = {number.lstrip("0") or "0": number for number in compiled(r"\d+").findall(text)}
    words = "|".join(_COUNTED_EN)
    for run in compiled(rf"(?i)\b(?:{words})(?:(?: |-| and )(?:{words}))*\b").findall(text):
        if (value := _value_of(run)) != "1":
            spellings.setdefault(value, run)
    for match in compiled(ko_distilling.COUNTING).finditer(text):
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


def _dates(text: str) -> list[str]:
    """Finds weekdays and months. May and march are also words and count only with a capital."""
    english = [
        word
        for word in compiled(r"[A-Za-z]+").findall(text)
        if word.casefold() in _DATES_EN and (word[0].isupper() or word not in _ALSO_WORDS)
    ]
    return english + compiled(_WEEKDAYS_KO).findall(text)


def _names(text: str) -> list[str]:
    """Finds possible names of people: rejecting a sentence is better than inventing a person."""
    latin = compiled(r"[A-Za-z][A-Za-z0-9'’-]*").findall(text)
    korean = language_of(text) is Language.KO
    names = [
        compiled(r"['’]s?$").sub("", word)
        for word in latin
        if (korean or word[0].isupper()) and word.casefold() not in en_distilling.NOT_NAMES
    ]
    if korean:
        names += compiled(ko_distilling.TITLED).findall(text)
        recipients = compiled(ko_distilling.TO_SOMEBODY).findall(text)
        names += [noun for noun in recipients if not _is_common(noun)]
        names += [noun for word in compiled("[가-힣]+").findall(text) if (noun := _person_noun(word))]
    return names


def _person_noun(word: str) -> str:
    """Returns the noun if its particle marks a person and it is not a common noun; else ""."""
    noun, particle = without_particle(word)
    if particle not in ko_distilling.OF_SOMEBODY or verb_of(word) or len(noun) < _SHORTEST_NAME:
        return ""
    return "" if _is_common(noun) else noun


def _is_common(noun: str) -> bool:
    return noun in ko_distilling.EVERYBODY or noun in _common_nouns()


@lru_cache(maxsize=1)
def _common_nouns() -> frozenset[str]:
    kinds = ko_distilling.PLACES | ko_distilling.THINGS
    words = (word for kind, members in kinds.items() for word in (kind, *members.split()))
    return frozenset(words) | ko_nouns.NOUNS | ko_nouns.PEOPLE | ko_nouns.ATTRIBUTES


def _has_negation(text: str) -> bool:
    return any(is_negative(predicate) for _, predicate, _ in triples_of(text))


def token_of(owner: Owner, tier: str, sources: Sequence[tuple[str, str]]) -> str:
    """Returns a token for exactly these sources (id and text); any change of them changes the token."""
    payload = repr((owner.user_id, owner.agent_id, tier, sorted(sources)))
    return hashlib.sha256(payload.encode("utf-8", "surrogatepass")).hexdigest()[: 2 * _TOKEN_BYTES]
