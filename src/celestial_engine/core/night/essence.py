"""Summarises what several memories have in common in one or two sentences, without a language model.

If they have the same person at the same place or with the same kind of thing, a sentence is generated. Else the
most typical memory represents all. Times are dropped, persons and things are kept.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from celestial_engine.core.night.scenes import (
    Scene,
    english_scene,
    in_the_present,
    kind_of,
    korean_scene,
    with_particle,
)
from celestial_engine.core.record.item import Category
from celestial_engine.core.sameness.strip_time import without_times
from celestial_engine.core.text.gist import gist_of
from celestial_engine.core.text.keywords import category_of
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.text.words import index_words
from celestial_engine.lang.en import distillation as en_distilling
from celestial_engine.lang.ko import distillation as ko_distilling
from celestial_engine.lang.ko import grammar as ko_grammar

MOST_CHARACTERS = 200
_MOST_SENTENCES = 2
_OF_A_MOMENT = (Category.EXPERIENCE, Category.EMOTION)


def essence_of(texts: Sequence[str]) -> str:
    """Returns one or two sentences that represent all texts; "" if they say nothing."""
    if len(texts) == 1:
        return _shortened(_without_moment(texts[0]))
    timeless = [text for text in map(without_times, texts) if text]
    if not timeless:
        return _shortened(texts[0]) if texts else ""
    korean = sum(language_of(text) is Language.KO for text in timeless) * 2 >= len(timeless)
    habit = _in_korean(timeless) if korean else _in_english(timeless)
    return habit or _shortened(_most_typical(timeless))


def _without_moment(text: str) -> str:
    """Drops times from experiences; facts keep them, because a fact may be a date (a birthday)."""
    return (without_times(text) or text) if category_of(text) in _OF_A_MOMENT else text


def _shortened(text: str) -> str:
    sentences = sentences_of(text)
    whole = " ".join(sentences[:_MOST_SENTENCES])
    return whole if len(whole) <= MOST_CHARACTERS and len(sentences) <= _MOST_SENTENCES else gist_of(text)


def _most_typical(texts: Sequence[str]) -> str:
    """Returns the one or two texts whose words the others share most; ties go to the shortest."""
    words = [set(index_words(text)) for text in texts]
    shared = Counter(word for text_words in words for word in text_words)

    def weight(index: int) -> tuple[float, int]:
        return sum(shared[word] - 1 for word in words[index]) / (1 + len(words[index])), -len(texts[index])

    first, *others = (_with_full_stop(texts[index]) for index in sorted(range(len(texts)), key=weight, reverse=True))
    second = next((text for text in others if text != first and len(first) + len(text) < MOST_CHARACTERS), "")
    return f"{first} {second}" if second and len(sentences_of(first)) == len(sentences_of(second)) == 1 else first


def _with_full_stop(text: str) -> str:
    return text if text[-1:] in ".!?…" else f"{text}."


class _CommonScene:
    """What several scenes have in common; things and places are compared by kind."""

    def __init__(self, scenes: Sequence[Scene], places: Mapping[str, str], things: Mapping[str, str]) -> None:
        self.subject = _repeated(scene.subject for scene in scenes)
        self.anybody = any(scene.subject for scene in scenes)
        same_subject = [scene for scene in scenes if scene.subject in ("", self.subject)]
        self.place = _shared([scene.place for scene in same_subject], places)
        self.thing = _shared([scene.thing for scene in same_subject], things)
        self.company = _repeated(scene.company for scene in same_subject)
        with_thing = (scene for scene in same_subject if self.thing in (scene.thing, kind_of(scene.thing, things)))
        self.verb = _most_frequent(scene.verb for scene in with_thing)
        self.action = _repeated(scene.verb for scene in same_subject if not scene.thing)


def _shared(names: Sequence[str], kinds: Mapping[str, str]) -> str:
    """Returns the name if all of its kind share it; else the kind, if it occurs more than once."""
    of_kind = _repeated(kind_of(name, kinds) for name in names)
    members = {name for name in names if kind_of(name, kinds) == of_kind}
    return members.pop() if len(members) == 1 else of_kind


def _most_common(values: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(value for value in values if value).most_common(1) or [("", 0)]


def _repeated(values: Iterable[str]) -> str:
    ((value, times),) = _most_common(values)
    return value if times > 1 else ""


def _most_frequent(values: Iterable[str]) -> str:
    return _most_common(values)[0][0]


def _in_korean(texts: Sequence[str]) -> str:
    scenes = [korean_scene(text) for text in texts]
    common = _CommonScene(scenes, ko_distilling.PLACES, ko_distilling.THINGS)
    if any(scene.denied for scene in scenes) or (common.anybody and not common.subject):
        return ""  # different people, or a negation: no common habit
    going, doing = _going_in_korean(common), _doing_in_korean(common)
    if not going and not doing:
        return ""
    ending = f"{going}고 {doing}" if going and doing else doing or _closed_in_korean(going)
    return f"{with_particle(common.subject or ko_distilling.SPEAKER, '은/는')} {ending}"


def _going_in_korean(common: _CommonScene) -> str:
    """Returns the stem of a clause; the caller adds ~고 or ~ㄴ다."""
    if not common.place or (common.action and common.action not in ko_grammar.MOTION and not common.thing):
        return ""
    return f"{common.place}에 자주 가"


def _closed_in_korean(stem: str) -> str:
    return f"{stem[:-1]}간다"


def _doing_in_korean(common: _CommonScene) -> str:
    verb = in_the_present(common.verb)
    if common.thing and verb:
        company = f"{with_particle(common.company, '과/와')} " if common.company else ""
        thing = company + with_particle(common.thing, "을/를")
        if common.verb in ko_distilling.ENJOYED:
            return f"{thing} 즐긴다"
        return f"{thing} {verb}" if common.verb in ko_distilling.LASTING else f"{thing} 자주 {verb}"
    action = in_the_present(common.action)
    if not action or (common.place and common.action in ko_grammar.MOTION - ko_distilling.LASTING):
        return ""
    often = "" if common.action in ko_distilling.LASTING else "자주 "
    where = f"{common.place}{'에' if common.action in ('삶', '다님') else '에서'} " if common.place else ""
    return f"{where}{often}{action}"


def _in_english(texts: Sequence[str]) -> str:
    scenes = [english_scene(text) for text in texts]
    common = _CommonScene(scenes, en_distilling.PLACES, en_distilling.THINGS)
    if any(scene.denied for scene in scenes) or not common.subject:
        return ""
    parts = []
    if common.place:
        parts.append(f"often goes to {_with_article(common.place)}")
    if common.thing and common.verb in en_distilling.ENJOYED:
        parts.append(f"enjoys {common.thing}")
    elif common.thing and common.verb:
        lasting = common.verb in en_distilling.LASTING
        parts.append(f"{'' if lasting else 'often '}{_third_person(common.verb)} {common.thing}")
    company = f" with {common.company}" if common.company and common.thing else ""
    return f"{common.subject} {' and '.join(parts)}{company}." if parts else ""


def _with_article(place: str) -> str:
    return place if place[:1].isupper() else f"the {place}"


def _third_person(verb: str) -> str:
    first, blank, rest = verb.partition(" ")
    if first in ("has", "is"):
        return verb
    if first.endswith("y") and first[-2:-1] not in "aeiou":
        first = first[:-1] + "ie"
    elif first.endswith(("s", "sh", "ch", "x", "o", "z")):
        first += "e"
    return f"{first}s{blank}{rest}"
