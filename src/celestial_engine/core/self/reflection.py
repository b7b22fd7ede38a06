"""Reflection: suggests islands and beliefs from what long-lived memories have in common, by rules."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from types import ModuleType

from celestial_engine.core.guard.instructions import looks_like_injection
from celestial_engine.core.model.invented import invented
from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.self.beliefs import MOST_STATEMENT
from celestial_engine.core.self.islands import MOST_DESCRIPTION, MOST_NAME, Island
from celestial_engine.core.text.entities import phrase_around
from celestial_engine.core.text.hangul import batchim, is_hangul, with_particle
from celestial_engine.core.text.korean import without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.errors import Problem, Reason, problem
from celestial_engine.lang.en import self as en_self
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import self as ko_self

IMAGINED = "imagination"  # tag of imagined memories, which are no basis for the self
BY_RULES, BY_MODEL = "rules", "model"


class SuggestionKind(Enum):
    """What a language model is asked for."""

    BELIEFS = "PROMPT_BELIEFS"
    NAME = "PROMPT_NAME"


_ENOUGH = 2  # memories that show the same topic
_MOST_FOUNDERS = 7
_MOST_SUPPORTS = 9
_NAMES_TOO_WIDE = 12


@dataclass(frozen=True)
class Suggestion:
    """An island or a belief (or both) that some memories support."""

    memories: tuple[str, ...]
    name: str = ""
    emoji: str = ""
    description: str = ""
    statement: str = ""
    by: str = BY_RULES
    confidence: float | None = None  # in the statement, if the model said so


def island_for(keywords: Iterable[str], islands: Iterable[Island]) -> Island | None:
    """Returns the island that shares most keywords; ties go to the first."""
    words = set(keywords) - ko_self.VAGUE - en_self.VAGUE - ko_self.NOBODY - en_self.NOBODY
    best, most = None, 0
    for island in islands:
        shared = len(words.intersection(island.topics))
        if shared > most:
            best, most = island, shared
    return best


def suggestion_sources(items: Iterable[CelestialItem]) -> list[CelestialItem]:
    """Selects the memories that suggestions may use: long-lived, trusted, and not imagined."""
    return [
        item
        for item in items
        if item.tier in (Tier.M365, Tier.M0)
        and item.state.in_orbit
        and not item.is_marked
        and item.validity.superseded_by is None
        and IMAGINED not in item.tags
    ]


def suggestions(items: Sequence[CelestialItem]) -> list[Suggestion]:
    """Suggests what these memories show repeatedly: known traits first, then recurring topics."""
    result: list[Suggestion] = []
    for language, words in ((Language.KO, ko_self), (Language.EN, en_self)):
        in_language = [item for item in items if _language_of_item(item) is language]
        result += _traits(in_language, words.TRAITS, words.SOMEBODY, words.NOBODY)
        used = {item_id for suggestion in result for item_id in suggestion.memories}
        result += _topics([item for item in in_language if item.id not in used], words)
    return result


def _language_of_item(item: CelestialItem) -> Language:
    return Language.KO if language_of(item.content) is Language.KO else Language.EN


def _traits(
    items: Sequence[CelestialItem],
    traits: Sequence[tuple[str, str, str, str, str, int]],
    default_name: str,
    not_people: frozenset[str],
) -> list[Suggestion]:
    result = []
    for pattern, emoji, name, description, statement, enough in traits:
        showing = [item for item in items if compiled(pattern, re.IGNORECASE).search(item.content)]
        core = any(item.tier is Tier.M0 for item in showing)
        if len(showing) < (enough if core else max(enough, _ENOUGH)):
            continue
        person = _most_named(showing, items, not_people) or default_name
        texts = [_with_name(person, text) for text in (name, description, statement)]
        result.append(Suggestion(_ids(showing), texts[0][:MOST_NAME], emoji, texts[1][:MOST_DESCRIPTION], texts[2]))
    return result


def _topics(items: Sequence[CelestialItem], words: ModuleType) -> list[Suggestion]:
    """Suggests islands of things that come back; of a person only where the memories share nothing else."""
    by_word: defaultdict[str, list[CelestialItem]] = defaultdict(list)
    for item in items:
        for word in item.keywords:
            plain = word.casefold()
            vague = plain in words.NOBODY or plain in words.VAGUE
            if len(word) > 1 and not compiled(r"\d").search(word) and not vague:
                by_word[word].append(item)
    result: list[Suggestion] = []
    taken: set[str] = set()
    recurring = [(word, group) for word, group in by_word.items() if _ENOUGH <= len(group) <= _NAMES_TOO_WIDE]
    people = {word: name for word, group in recurring if (name := _name_of_person(word, group))}
    for word, group in sorted(recurring, key=lambda pair: (pair[0] in people, -len(pair[1]), pair[0])):
        free = [item for item in group if item.id not in taken]
        if len(free) < _ENOUGH or not any(item.tier is Tier.M0 for item in free):
            continue
        taken.update(item.id for item in free)
        topic = people.get(word) or _common_phrase(word, free)
        fields = {"topic": topic, "count": len(free)}
        kind_of_name = words.PERSON_NAME if word in people else words.TOPIC_NAME
        name, description, statement = (
            _with_topic(topic, str(template).format(**fields))
            for template in (kind_of_name, words.TOPIC_DESCRIPTION, words.TOPIC_STATEMENT)
        )
        emoji = "🏠" if word in people else _emoji_of(word, words)
        result.append(Suggestion(_ids(free), name[:MOST_NAME], emoji, description[:MOST_DESCRIPTION], statement))
    return result


def _emoji_of(word: str, words: ModuleType) -> str:
    return next((sign for pattern, sign in words.EMOJI if compiled(pattern).search(word)), "🏝️")


def _name_of_person(keyword: str, items: Sequence[CelestialItem]) -> str:
    """Returns the name as written, if the keyword names a person in all these memories; else ""."""
    texts = [item.content for item in items]
    if is_hangul(keyword[-1]):
        subjects = {triple[0] for item in items for triple in item.resolution.triples}
        person = keyword in subjects and not _is_common_noun(keyword)
        return full_name(keyword, texts) if person else ""
    pattern = rf"\b({re.escape(keyword)})\b"
    written = [match[1] for text in texts if (match := re.search(pattern, text, re.IGNORECASE)) is not None]
    named = written and all(word[0].isupper() for word in written)
    # At the beginning of a sentence any word has a capital letter.
    inside = any(re.search(rf"[a-z,] {re.escape(word)}\b", text) for word in written for text in texts)
    subjects = {triple[0].casefold() for item in items for triple in item.resolution.triples}
    return written[0] if named and (inside or keyword in subjects) else ""


def _is_common_noun(noun: str) -> bool:
    return noun in ko_nouns.NOUNS or noun in ko_nouns.ATTRIBUTES or noun in ko_self.NOBODY


def full_name(name: str, texts: Iterable[str]) -> str:
    """Returns a Korean name as it is used: 삐돌 in 삐돌이가 and 삐돌이에게 is 삐돌이."""
    if not batchim(name):
        return name
    called = rf"(?<![가-힣]){re.escape(name)}이(?:가|는|를|의|도|와|랑|야|만|에게|한테|네)(?![가-힣])"
    return name + "이" if any(re.search(called, text) for text in texts) else name


def _common_phrase(word: str, items: Sequence[CelestialItem]) -> str:
    """Returns the phrase that a keyword belongs to in all these memories (board -> board games), or the keyword."""
    phrases = {phrase_around(word, item.content).casefold() for item in items}
    return next(iter(phrases)) or word if len(phrases) == 1 else word


def _ids(items: Sequence[CelestialItem]) -> tuple[str, ...]:
    """Orders ids: core memories first, then by recalls."""
    ordered = sorted(items, key=lambda item: (item.tier is not Tier.M0, -item.recall_count, item.created_at))
    distilled = {source for item in ordered for source in item.links.promoted_from}
    return tuple(item.id for item in ordered if item.id not in distilled)[:_MOST_SUPPORTS]


def founders_of(suggestion: Suggestion, core: Iterable[str]) -> tuple[str, ...]:
    known = set(core)
    return tuple(item_id for item_id in suggestion.memories if item_id in known)[:_MOST_FOUNDERS]


def _most_named(showing: Sequence[CelestialItem], items: Sequence[CelestialItem], not_people: frozenset[str]) -> str:
    """Returns the person that most of these memories name, at least two of several; "" for nobody."""
    subjects = {triple[0] for item in items for triple in item.resolution.triples}
    names = sorted(
        name
        for name in subjects
        if name.casefold() not in not_people and len(name) > 1 and " " not in name and not _is_common_noun(name)
    )
    counts = Counter({name: sum(_names(item.content, name) for item in showing) for name in names})
    ((name, times),) = counts.most_common(1) or [("", 0)]
    enough = times >= min(_ENOUGH, len(showing))
    return full_name(name, [item.content for item in showing]) if enough else ""


def _names(text: str, name: str) -> bool:
    """Whether a text uses the name of somebody: with a particle (not 까칠하지만), or with a capital letter."""
    if not is_hangul(name[0]):
        return name[0].isupper() and name in text
    return re.search(rf"(?<![가-힣]){re.escape(name)}이?(?:{ko_self.OF_PEOPLE})(?![가-힣])", text) is not None


def _with_name(who: str, text: str) -> str:
    """Fills in the name; `{who:과/와}` takes the particle that fits it."""
    text = compiled(r"\{who:([^}]+)\}").sub(lambda match: with_particle(who, match.group(1)), text)
    return text.replace("{who}", who)


def _with_topic(topic: str, text: str) -> str:
    return compiled(r"⟨([^⟩]+)⟩").sub(lambda match: with_particle(topic, match.group(1)).removeprefix(topic), text)


def prompt(kind: SuggestionKind, texts: Sequence[str]) -> str:
    """Returns the prompt in the language of the memories; {text} is replaced by them."""
    korean = sum(language_of(text) is Language.KO for text in texts) * 2 >= len(texts)
    return str(getattr(ko_self if korean else en_self, kind.value))


def stated_confidence(value: object) -> float | None:
    """Returns how sure a language model says it is, from 0 to 1; None if it does not say."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        return None
    return float(value)


def statement_problem(statement: str, sources: Sequence[str]) -> Problem | None:
    """Returns why a language model's statement cannot be proposed; None if it can."""
    if not compiled(ko_self.OF_MYSELF if language_of(statement) is Language.KO else en_self.OF_MYSELF).match(
        statement
    ):
        return problem(None, Reason.NOT_ABOUT_ME)
    if len(statement) > MOST_STATEMENT:
        return problem(None, Reason.TOO_LONG, most=MOST_STATEMENT)
    if looks_like_injection(statement):
        return problem(None, Reason.INSTRUCTS)
    unsupported = (*invented(statement, sources), *_unknown_people(statement, sources))
    return problem(None, Reason.UNSUPPORTED, names=unsupported) if unsupported else None


def _unknown_people(statement: str, sources: Sequence[str]) -> list[str]:
    """Returns people in a statement whom no source mentions."""
    source_text = "\n".join(sources)
    nouns = [
        noun
        for noun, particle in map(without_particle, compiled("[가-힣]+").findall(statement))
        if particle in ko_self.TIES and len(noun) > 1
    ]
    known = ko_self.NOBODY | ko_nouns.NOUNS | ko_nouns.PEOPLE | ko_nouns.ATTRIBUTES
    return [noun for noun in nouns if noun not in known and noun not in source_text]
