"""What several memories have in common, in a sentence or two, without a language model.

Where they show the same person at the same place or with the same kind of thing, a sentence says so. Else the most
typical of them speaks for all. Times are dropped, persons and things are kept.
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
    """One or two sentences that stand for all of these; "" where they say nothing."""
    if len(texts) == 1:
        return _shortened(_lasting(texts[0]))
    timeless = [text for text in map(without_times, texts) if text]
    if not timeless:
        return _shortened(texts[0]) if texts else ""
    korean = sum(language_of(text) is Language.KO for text in timeless) * 2 >= len(timeless)
    told = _in_korean(timeless) if korean else _in_english(timeless)
    return told or _shortened(_most_typical(timeless))


def _lasting(text: str) -> str:
    """What happened loses its time; a fact may be about one (a birthday), and stays as it is."""
    return (without_times(text) or text) if category_of(text) in _OF_A_MOMENT else text


def _shortened(text: str) -> str:
    sentences = sentences_of(text)
    whole = " ".join(sentences[:_MOST_SENTENCES])
    return whole if len(whole) <= MOST_CHARACTERS and len(sentences) <= _MOST_SENTENCES else gist_of(text)


def _most_typical(texts: Sequence[str]) -> str:
    """The one or two whose words the others share most; of equals the shortest."""
    words = [set(index_words(text)) for text in texts]
    shared = Counter(word for one in words for word in one)

    def weight(at: int) -> tuple[float, int]:
        return sum(shared[word] - 1 for word in words[at]) / (1 + len(words[at])), -len(texts[at])

    first, *others = (_ended(texts[at]) for at in sorted(range(len(texts)), key=weight, reverse=True))
    second = next((text for text in others if text != first and len(first) + len(text) < MOST_CHARACTERS), "")
    return f"{first} {second}" if second and len(sentences_of(first)) == len(sentences_of(second)) == 1 else first


def _ended(text: str) -> str:
    return text if text[-1:] in ".!?…" else f"{text}."


class _Common:
    """What scenes share, by the kinds of a language."""

    def __init__(self, scenes: Sequence[Scene], places: Mapping[str, str], things: Mapping[str, str]) -> None:
        self.subject = _repeated(scene.subject for scene in scenes)
        self.anybody = any(scene.subject for scene in scenes)
        theirs = [scene for scene in scenes if scene.subject in ("", self.subject)]
        self.place = _shared([scene.place for scene in theirs], places)
        self.thing = _shared([scene.thing for scene in theirs], things)
        self.company = _repeated(scene.company for scene in theirs)
        having = (scene for scene in theirs if self.thing in (scene.thing, kind_of(scene.thing, things)))
        self.verb = _most_said(scene.verb for scene in having)
        self.action = _repeated(scene.verb for scene in theirs if not scene.thing)


def _shared(names: Sequence[str], kinds: Mapping[str, str]) -> str:
    """The name that all who are of its kind have; else the kind, if several are of it."""
    of_kind = _repeated(kind_of(name, kinds) for name in names)
    members = {name for name in names if kind_of(name, kinds) == of_kind}
    return members.pop() if len(members) == 1 else of_kind


def _counted(values: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(value for value in values if value).most_common(1) or [("", 0)]


def _repeated(values: Iterable[str]) -> str:
    ((value, times),) = _counted(values)
    return value if times > 1 else ""


def _most_said(values: Iterable[str]) -> str:
    return _counted(values)[0][0]


def _in_korean(texts: Sequence[str]) -> str:
    scenes = [korean_scene(text) for text in texts]
    common = _Common(scenes, ko_distilling.PLACES, ko_distilling.THINGS)
    if any(scene.denied for scene in scenes) or (common.anybody and not common.subject):
        return ""  # who is not the same, or does the opposite, has no habit in common
    going, doing = _going_in_korean(common), _doing_in_korean(common)
    if not going and not doing:
        return ""
    ending = f"{going}고 {doing}" if going and doing else doing or _closed_in_korean(going)
    return f"{with_particle(common.subject or ko_distilling.SPEAKER, '은/는')} {ending}"


def _going_in_korean(common: _Common) -> str:
    """The stem of a clause that ends in ~고 or ~ㄴ다."""
    if not common.place or (common.action and common.action not in ko_grammar.MOTION and not common.thing):
        return ""
    return f"{common.place}에 자주 가"


def _closed_in_korean(stem: str) -> str:
    return f"{stem[:-1]}간다"


def _doing_in_korean(common: _Common) -> str:
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
    common = _Common(scenes, en_distilling.PLACES, en_distilling.THINGS)
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
