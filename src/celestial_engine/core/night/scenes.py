"""Extracts the scene of a text: who does what, to what, where and with whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.text.entities import USER, entity, korean_noun
from celestial_engine.core.text.hangul import LM, L, M, N, batchim, closed, is_hangul, opened
from celestial_engine.core.text.korean import qualities, verb_of, without_particle
from celestial_engine.core.text.triples import is_negative, triples_of
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.ko import distillation as ko_distilling
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import nouns as ko_nouns


@dataclass(frozen=True)
class Scene:
    """The parts of one text; "" for missing parts. `denied`: the text has a negation."""

    subject: str = ""
    verb: str = ""
    thing: str = ""
    place: str = ""
    company: str = ""
    denied: bool = False


def korean_scene(text: str) -> Scene:
    """Parses by particles: 삐돌이가 카페에서 라떼 마심 -> 삐돌이, 마심, 라떼, 카페."""
    subject = thing = place = verb = company = bare = ""
    denied = False
    for word in compiled(r"[\w가-힣]+").findall(text):
        if word in ko_grammar.NEGATING_ADVERBS:
            denied = True
            continue
        noun, particle = without_particle(word)
        if word in ko_nouns.SELF:
            subject = subject or ko_distilling.SPEAKER
        elif (nominal := _predicate(word)) and not (particle in ("을", "를", "에서") and korean_noun(word)[0]):
            verb = nominal
            denied = denied or is_negative(nominal) or compiled(r".*(?:않|못하|말)").match(word) is not None
        elif not korean_noun(word)[0]:
            continue
        elif particle in ko_distilling.SUBJECTS:
            subject = subject or noun
        elif particle in ("을", "를"):
            thing = thing or noun
        elif particle in ("에서", "에", "으로", "로"):
            place = place or noun
        elif particle in ("랑", "이랑", "와", "과", "하고"):
            company = company or noun
        elif not particle:
            bare = noun
    if bare and verb in ko_grammar.MOTION:
        place = place or bare
    elif bare and verb:
        thing = thing or bare
    return Scene(subject, verb, thing, place, company, denied)


@lru_cache(maxsize=4_096)
def _predicate(word: str) -> str:
    """Returns the noun form of a verb, which notes often end with: 마셨다, 마심 -> 마심."""
    if word in ko_grammar.TRANSITIVE or word in ko_grammar.MOTION or word in ko_distilling.ENJOYED:
        return word
    verbs = verb_of(word)
    return verbs[0].nominal if verbs else ""


def in_the_present(nominal: str) -> str:
    """Conjugates: 마심 -> 마신다, 먹음 -> 먹는다; "" for adjectives: 좋음, 아픔."""
    if nominal in qualities() or not is_hangul(nominal[-1:]):
        return ""
    if nominal.endswith("음") and len(nominal) > 1 and batchim(nominal[:-1]):
        return f"{nominal[:-1]}는다"
    if batchim(nominal) in (M, LM):
        return f"{closed(opened(nominal), N)}다"
    return ""


def with_particle(noun: str, pair: str) -> str:
    """Appends the particle that fits the last sound: 커피를, 라면을; 카페로, 서울로, 집으로."""
    after_batchim, after_vowel = pair.split("/")
    final = batchim(noun)
    if after_vowel == "로":
        return noun + (after_vowel if final in (0, L) else after_batchim)
    return noun + (after_batchim if final else after_vowel)


def english_scene(text: str) -> Scene:
    """Parses by triples: Mina drank a latte at the cafe -> Mina, drink, latte, cafe."""
    subject = thing = place = verb = company = ""
    denied = False
    for who, predicate, what in triples_of(text):
        if subject and who != subject:
            continue
        subject = who
        denied = denied or is_negative(predicate)
        action, _, preposition = predicate.rpartition(" ")
        if preposition in en_distilling.TO_PLACES and action:
            place = place or what
            verb = verb or action
        elif preposition == "with" and action:
            company = company or what
        elif not thing and not preposition.startswith("related"):
            thing, verb = what, predicate
    if entity(subject) == USER:
        subject = en_distilling.SPEAKER
    return Scene(subject, verb, thing, place, company, denied)


def kind_of(name: str, kinds: Mapping[str, str]) -> str:
    """Returns the kind of a word by the lists; the word itself if it is not listed."""
    plain = name.casefold()
    for kind, members in kinds.items():
        if plain == kind or plain in members.split():
            return kind
    return name
