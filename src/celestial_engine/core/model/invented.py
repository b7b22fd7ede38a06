"""Names, numbers and dates that a model's proposal has and its sources do not.

For texts that are the model's own by intention: a belief that the user is asked about, an imagined scene. A text that
is stored as a memory of what was said is checked word by word, by `faithful`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from celestial_engine.core.model.numbers import number_values
from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.korean import verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import faithful as en
from celestial_engine.lang.en import time as en_time
from celestial_engine.lang.ko import faithful as ko
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import time as ko_time

_SHORTEST_NAME = 2
_WEEKDAYS_KO = "|".join(f"{day}(?:요일|욜)" for day in ko_time.WEEKDAYS)
_DATES_EN = frozenset((*en_time.WEEKDAYS, *(name for name in en_time.MONTHS if len(name) > 3 or name == "may")))
_ALSO_WORDS = ("may", "march")


def invented(text: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Returns names, numbers and dates that no source has."""
    source_text = unicodedata.normalize("NFKC", "\n".join(sources)).casefold()
    plain = unicodedata.normalize("NFKC", text)
    source_numbers = number_values(source_text)
    found = [spelling for value, spelling in number_values(plain).items() if value not in source_numbers]
    found += [name for name in (*_dates(plain), *_names(plain)) if name.casefold() not in source_text]
    return tuple(dict.fromkeys(found))


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
        if (korean or word[0].isupper()) and word.casefold() not in en.NOT_NAMES
    ]
    if korean:
        names += compiled(ko.TITLED).findall(text)
        recipients = compiled(ko.TO_SOMEBODY).findall(text)
        names += [noun for noun in recipients if not _is_common(noun)]
        names += [noun for word in compiled("[가-힣]+").findall(text) if (noun := _person_noun(word))]
    return names


def _person_noun(word: str) -> str:
    """Returns the noun if its particle marks a person and it is not a common noun; else ""."""
    noun, particle = without_particle(word)
    if particle not in ko.OF_SOMEBODY or verb_of(word) or len(noun) < _SHORTEST_NAME:
        return ""
    return "" if _is_common(noun) else noun


def _is_common(noun: str) -> bool:
    return noun in ko.EVERYBODY or noun in _common_nouns()


@lru_cache(maxsize=1)
def _common_nouns() -> frozenset[str]:
    words = (word for kind, members in ko.KINDS.items() for word in (kind, *members.split()))
    return frozenset(words) | ko_nouns.NOUNS | ko_nouns.PEOPLE | ko_nouns.ATTRIBUTES
