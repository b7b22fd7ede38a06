"""The triples of a memory (level 2): subject, predicate, object. By rules, without a language model.

Triples are written `subject,predicate,object`, so no part contains a comma. The speaker is "user" in English and
사용자 in Korean, both the entity `user`, unless the name of the speaker is known.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from celestial_engine.core.text.entities import USER, entity, phrases_in
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.triples_en import english_triples
from celestial_engine.core.text.triples_ko import korean_triples
from celestial_engine.core.text.turns import read_turn
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.ko import grammar as ko_grammar

Triple = tuple[str, str, str]

MOST_TRIPLES = 8
_READ_CHARACTERS = 2_000
_LONGEST_PART = 80
_BREAKS = frozenset(",，、;|")
_ME = {Language.KO: "사용자", Language.EN: USER, Language.OTHER: USER}
_RELATED = {Language.KO: "관련", Language.EN: "related to", Language.OTHER: "related to"}


def triples_of(text: str, speaker: str | None = None) -> tuple[Triple, ...]:
    """Extracts at most 8 triples; if no rule matches, one that relates the first two entities.

    >>> triples_of("I love Python")
    (('user', 'love', 'Python'),)
    """
    return _triples_of(text[:_READ_CHARACTERS], speaker)


@lru_cache(maxsize=1_024)  # new texts, perhaps many at once, are described and then compared with others
def _triples_of(text: str, speaker: str | None) -> tuple[Triple, ...]:
    turn = read_turn(text)
    plain = unicodedata.normalize("NFKC", turn.text)
    language = language_of(plain)
    me = _clean(speaker or turn.speaker or "")
    if not me or entity(me) in (USER, "human"):
        me = _ME[language]
    triples = korean_triples(plain, me) if language is Language.KO else english_triples(plain, me)
    named = _ME[language]
    triples = [(named if entity(who) == USER else who, what, thing) for who, what, thing in triples]
    return _tidy(triples) or _related(plain, language)


def tells_several(text: str) -> bool:
    """Whether a text surely tells more than one thing, so that the rest of it stays true when one of them changes.

    Values of one verb are one thing (likes tea and cake, works at a bank as a teller), and so is whom it is about.

    >>> tells_several("My name is Mina and I live in Porto"), tells_several("My sister Ana lives in Porto")
    (True, False)
    """
    triples = triples_of(text)
    subjects = {entity(subject) for subject, _, _ in triples}
    told = {
        (entity(subject), _verb_in(predicate))
        for subject, predicate, thing in triples
        if entity(thing) not in subjects
    }
    return len(told) > 1


def _verb_in(predicate: str) -> str:
    """Returns the verb of a predicate without the particles around it: "work at" and "work as", 에서 일함."""
    words = predicate.split()
    return words[0] if predicate.isascii() else words[-1]


def is_negative(predicate: str) -> bool:
    """Whether a predicate is negated: 싫어함, 안 먹음, not like, no longer work at."""
    words = predicate.casefold().replace("’", "'").split()
    if not words:
        return False
    denies = ko_grammar.DENYING | ko_grammar.NEGATING_ADVERBS
    return any(word in en_grammar.NEGATING or word in denies for word in words) or (
        words[0] in en_grammar.DENYING or "않" in predicate or "지 못" in predicate
    )


def _tidy(triples: list[Triple]) -> tuple[Triple, ...]:
    """Removes commas, duplicates and triples with missing or equal ends."""
    tidy: dict[Triple, None] = {}
    for subject, predicate, thing in triples:
        triple = _clean(subject), _clean(predicate), _clean(thing)
        if all(triple) and entity(triple[0]) != entity(triple[2]):
            tidy[triple] = None
    return tuple(tidy)[:MOST_TRIPLES]


def _related(text: str, language: Language) -> tuple[Triple, ...]:
    first = ""
    for phrase in phrases_in(text):
        part = _clean(phrase)
        if not first:
            first = part
        elif part and entity(part) not in entity(first) and entity(first) not in entity(part):
            return ((first, _RELATED[language], part),)
    return ()


def _clean(part: str) -> str:
    if part.isalnum():
        return part[:_LONGEST_PART]
    if not part.isprintable() or not _BREAKS.isdisjoint(part):
        part = "".join(" " if sign in _BREAKS or not sign.isprintable() else sign for sign in part)
    return " ".join(part.split())[:_LONGEST_PART].strip(' .!?"“”')
