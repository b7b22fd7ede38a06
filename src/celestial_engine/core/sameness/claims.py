"""Claims: facts with one value at a time. A person lives in one place and has one name, but likes many things."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.patterns import compiled
from celestial_engine.core.sameness.statement import read_statement
from celestial_engine.core.text.entities import entity
from celestial_engine.core.text.triples import is_negative, triples_of
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import sameness as ko_sameness

_LANGUAGES = (en_sameness, ko_sameness)
_MANY_VALUED = en_sameness.MANY_VALUED | ko_sameness.MANY_VALUED
_ONCE = en_sameness.ONCE | ko_sameness.ONCE
_ATTRIBUTES = (en_grammar.ATTRIBUTES | ko_nouns.ATTRIBUTES) - _MANY_VALUED
_FAVOURITES = ("favorite ", "favourite ", "좋아하는 ", "싫어하는 ")
_BEING = frozenset(("is", "임"))


class Claim(NamedTuple):
    """A subject, a predicate that has one value at a time, and that value."""

    subject: str
    predicate: str
    value: str


@lru_cache(maxsize=4_096)
def claims_of(text: str) -> tuple[Claim, ...]:
    """Returns the claims about the present; of the past only what still holds (moved to, joined)."""
    statement = read_statement(text)
    triples = () if statement.asks else triples_of(text)
    return tuple(
        Claim(entity(subject), predicate, unicodedata.normalize("NFKC", value).casefold())
        for subject, verb, thing in triples
        for predicate, value in _claimed(subject, verb, thing)
        if not is_negative(verb) and (not statement.past or statement.renewed or _ONCE & set(verb.split()))
    )


def _claimed(subject: str, verb: str, thing: str) -> Iterator[tuple[str, str]]:
    verb = verb.casefold().replace("favourite", "favorite")
    if verb in _BEING:
        if subject.casefold().startswith(_FAVOURITES):
            yield verb, entity(thing)
        for language in _LANGUAGES:
            if age := compiled(language.AGE).match(thing):
                yield "age", age[1]
        return
    predicate = claim_names().get(verb)
    if predicate is not None:
        yield predicate, entity(thing)
    elif verb.startswith(_FAVOURITES) or verb.split(" ")[-1] in _ATTRIBUTES:
        yield verb, entity(thing)


@lru_cache(maxsize=1)
def claim_names() -> dict[str, str]:
    """Predicate -> the name of the claim that it makes: "move to" -> "live in"."""
    table: dict[str, str] = {}
    for language in _LANGUAGES:
        for line in language.CLAIMS.strip().splitlines():
            name, _, others = line.partition(":")
            table |= {other.strip(): name for other in (name, *others.split(","))}
    return table
