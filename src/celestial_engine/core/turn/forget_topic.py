"""Which memories a request to forget is about: those that have its words, never the merely nearest ones."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Attribute, Subject
from celestial_engine.core.text.hangul import batchim, is_hangul
from celestial_engine.core.text.korean import verb_of, without_particle
from celestial_engine.core.text.words import index_words, with_tags
from celestial_engine.core.turn.forget_request import ForgetTopic, names_in_english
from celestial_engine.lang.en import forgetting as en
from celestial_engine.lang.en.words import STOP_WORDS
from celestial_engine.lang.ko import forgetting as ko
from celestial_engine.lang.ko.nouns import NOUNS, SURNAMES
from celestial_engine.lang.ko.topics import NAME_SYLLABLES

_WORD = r"[가-힣]+|[^\W_가-힣]+(?:['’-][^\W_가-힣]+)*"
_MOST_WORDS = 12
_LEAST_NAME, _MOST_NAME = 2, 3  # syllables of a Korean name


@dataclass(frozen=True)
class TopicWords:
    """The words of a topic that say what to forget; a memory must have them all."""

    words: tuple[str, ...]
    query: str = ""  # the same as they were written, for the word index
    names: tuple[str, ...] = ()
    old: bool = False  # "my old address": not the one that holds now
    own: bool = False  # it speaks of the user
    attributes: frozenset[Attribute] = field(default_factory=frozenset)  # if it names nothing but these

    def in_item(self, item: CelestialItem) -> bool:
        text = _Text.of(item)
        return bool(self.words) and all(text.has(word) for word in self.words)

    def names_in_item(self, item: CelestialItem) -> bool:
        """Whether a memory has all names of the topic, if not all of its words."""
        text = _Text.of(item)
        return bool(self.names) and all(text.has(name) for name in self.names)

    def share_in_item(self, item: CelestialItem) -> float:
        """The share of the words that a memory has."""
        text = _Text.of(item)
        return sum(text.has(word) for word in self.words) / (len(self.words) or 1)

    def at_address(self, item: CelestialItem) -> bool:
        """Whether a memory says this about the user in other words: "I live in Busan" is an address."""
        address = item.address
        return address is not None and address.subject is Subject.USER and address.attribute in self.attributes


def words_of(topic: ForgetTopic) -> TopicWords:
    """Removes the request's own words and finds what is left.

    >>> words_of(ForgetTopic("what I said about Ana's old job", korean=False)).words
    ('Ana', 'job')
    """
    written = compiled(_WORD).findall(topic.text)[:_MOST_WORDS]
    forms = [(word, _topic_form(word)) for word in written]
    telling = [(word, form) for word, form in forms if form and not _is_empty(word, form, likely=topic.likely)]
    words = tuple(dict.fromkeys(form for _, form in telling))
    names = {name.removesuffix("'s") for name in names_in_english(topic.text)}
    return TopicWords(
        words,
        " ".join(dict.fromkeys(part for pair in telling for part in pair)),
        tuple(word for word in words if word in names or _is_korean_name(word)),
        any(word.casefold() in en.OLD or form in ko.OLD or word in ko.OLD for word, form in forms),
        not names and _in_first_person(compiled(f"{en.WHO_SAID}|{ko.WHO_SAID}", re.IGNORECASE).sub("", topic.text)),
        _attributes(words),
    )


def speaks_of_user(item: CelestialItem) -> bool:
    """Whether a memory speaks of the user: in the first person, or by its address."""
    return _in_first_person(item.content) or (item.address is not None and item.address.subject is Subject.USER)


def _in_first_person(text: str) -> bool:
    return any(compiled(pattern, re.IGNORECASE).search(text) for pattern in (en.FIRST_PERSON, ko.FIRST_PERSON))


def _topic_form(word: str) -> str:
    """Returns a word as memories are searched for it: 수민이는 -> 수민, 이직한다고 -> 이직, Ana's -> Ana."""
    if not is_hangul(word[0]):
        return word.replace("’", "'").removesuffix("'s")
    verb = next(iter(verb_of(word)), None) if len(word) > 2 else None
    if verb is not None:
        nominal = verb.nominal
        return nominal.removesuffix("함") if len(nominal) > 2 else nominal
    return _without_name_ending(without_particle(word).noun)


def _without_name_ending(noun: str) -> str:
    """수민이 -> 수민; 고양이 is a noun of its own."""
    if len(noun) > _LEAST_NAME and noun.endswith("이") and noun not in NOUNS and batchim(noun[-2]):
        return noun[:-1]
    return noun


def _is_empty(word: str, form: str, *, likely: bool) -> bool:
    plain = word.casefold()
    if likely and (plain in en.REMOVING_WORDS or {word, form} & ko.REMOVING_WORDS):
        return True
    if not is_hangul(word[0]):
        return plain in STOP_WORDS or plain in en.REQUEST_WORDS or plain in en.OLD or len(form) < 2
    return bool({word, form} & (ko.REQUEST_WORDS | ko.OLD))


def _is_korean_name(word: str) -> bool:
    return (
        is_hangul(word[0])
        and _LEAST_NAME <= len(word) <= _MOST_NAME
        and word not in NOUNS
        and word not in ko.PERSONAL
        and NAME_SYLLABLES.issuperset(word[-2:])
    )


def _attributes(words: tuple[str, ...]) -> frozenset[Attribute]:
    known = [en.PERSONAL.get(word.casefold()) or ko.PERSONAL.get(word) for word in words]
    if not known or None in known or "other" in known:
        return frozenset()
    return frozenset(Attribute(name) for name in known if name)


@dataclass(frozen=True)
class _Text:
    """A memory's words: stems of other scripts, and Korean words as they are written."""

    stems: frozenset[str]
    korean: tuple[str, ...]

    @classmethod
    def of(cls, item: CelestialItem) -> _Text:
        return _read_text(with_tags(item.content, item.tags))

    def has(self, word: str) -> bool:
        if not is_hangul(word[0]):
            return set(index_words(word)) <= self.stems
        return any(_is_form_of(word, written) for written in self.korean)


@lru_cache(maxsize=256)
def _read_text(text: str) -> _Text:
    return _Text(frozenset(index_words(text)), tuple(dict.fromkeys(compiled("[가-힣]+").findall(text))))


def _is_form_of(word: str, written: str) -> bool:
    """Whether a written word is this word with an ending, or a compound that ends with it: 집주소는, 박수민이."""
    start = written.find(word)
    if start >= 0:
        ending = written[start + len(word) :]
        before = written[:start]
        whole = not before or (
            len(word) > 1 and ((len(before) == 1 and before in SURNAMES) or not _is_korean_name(word))
        )
        if whole and (not ending or compiled(ko.ENDINGS).match(ending)):
            return True
    return any(verb.nominal in (word, f"{word}함") for verb in verb_of(written))
