"""The profile: what is known about the user, as quoted data within a token budget.

Its text depends on nothing but the facts and the budget, so that a prompt may begin with it and be cached; only an
instruction that a question finds marks what tells of the same thing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from celestial_engine.core.record.coordinate import ContentType
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Address, Attribute, Subject
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.retrieval.composition import Composition, PromptText, Used, prompt_texts
from celestial_engine.core.retrieval.framing import frame_for
from celestial_engine.core.retrieval.planted import tells_of_name
from celestial_engine.core.retrieval.repeats import normalised
from celestial_engine.core.sameness.supersession import is_partly_true
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.tokens import count_tokens
from celestial_engine.lang.en import profile as en_profile
from celestial_engine.lang.ko import profile as ko_profile

BUDGET = 400
SHARE_OF_PROMPT = 1 / 4  # of a prompt's budget, if the profile comes before the memories
EACH = 16  # memories of one address that are considered
_MOST_READ = 200
_SHORTEST_FACT = 8  # tokens: facts are read in the number that a budget could hold, and some that may be superseded
_LONGEST_TEXT = 160  # characters; beyond that the gist
_PATIENCE = 16  # stop after this many in a row that do not fit

# The most telling first.
_ORDER = (
    Attribute.NAME, Attribute.HOME, Attribute.WORK, Attribute.EMPLOYER, Attribute.PARTNER, Attribute.CHILD,
    Attribute.FAMILY, Attribute.HEALTH, Attribute.ALLERGY, Attribute.MEDICINE, Attribute.DIET, Attribute.INSTRUCTION,
    Attribute.PET, Attribute.AGE, Attribute.BIRTHDAY, Attribute.STUDY, Attribute.BODY, Attribute.LANGUAGE,
    Attribute.ORIGIN, Attribute.PERSONALITY, Attribute.BELIEF, Attribute.LIKES, Attribute.DISLIKES, Attribute.HOBBY,
    Attribute.HABIT, Attribute.SKILL, Attribute.GOAL, Attribute.PROJECT, Attribute.DECISION, Attribute.TOOL,
    Attribute.FRIEND, Attribute.COLLEAGUE, Attribute.SCHEDULE, Attribute.COMMUTE, Attribute.VEHICLE, Attribute.DEVICE,
    Attribute.POSSESSION, Attribute.MONEY, Attribute.PLAN, Attribute.TRAVEL, Attribute.EVENT, Attribute.APPOINTMENT,
    Attribute.MOOD, Attribute.OTHER,
)  # fmt: skip
_PLACE = {attribute: place for place, attribute in enumerate(_ORDER)}
_SINGLE_VALUED = frozenset({
    Attribute.NAME, Attribute.HOME, Attribute.WORK, Attribute.EMPLOYER, Attribute.PARTNER, Attribute.AGE,
    Attribute.BIRTHDAY, Attribute.ORIGIN,
})  # fmt: skip
_KIN = frozenset({Attribute.PARTNER, Attribute.CHILD, Attribute.FAMILY, Attribute.PET})
# How many places a fact gives way: to newer ones at its address, and if it is about somebody or something else.
_BEHIND_NEWER, _BEHIND_NEWER_SINGLE = 4, 12
_BEHIND_USER = {Subject.USER: 0, Subject.PERSON: 8, Subject.THING: 16}

_CLOSING = "</profile>"

T = TypeVar("T")


@dataclass(frozen=True)
class ProfileFact:
    """One statement of the profile and the memory that it quotes; `at` is when that was stored.

    `until`: since then a part of it is replaced; None while all of it is true.
    """

    item_id: str
    subject: Subject
    attribute: Attribute
    value: str | None  # the words that state the attribute's value, if known
    text: str
    level: int
    at: float
    source: Source
    tokens: int
    until: float | None = None


@dataclass(frozen=True)
class Profile:
    """What is known about the user: facts in the order of the text, and the text for a prompt."""

    facts: tuple[ProfileFact, ...]
    text: str
    tokens: int
    budget: int
    left_out: int  # facts that found no room
    language: str

    def __str__(self) -> str:
        return self.text

    @property
    def used(self) -> tuple[Used, ...]:
        return tuple(Used(fact.item_id, fact.level, fact.tokens, background=True) for fact in self.facts)

    def quotes(self, item: CelestialItem) -> bool:
        """Whether it quotes this memory, or another one with the same text."""
        plain = normalised(item.content)
        return any(fact.item_id == item.id or normalised(fact.text) == plain for fact in self.facts)

    def as_composition(self, budget: int) -> Composition:
        """Returns the profile as the memories that answer a question."""
        return Composition(self.text, self.used, self.tokens, budget, self.left_out)


class _Words(NamedTuple):
    header: str
    sections: Mapping[str, str]
    labels: Mapping[str, str]


_ENGLISH = _Words(en_profile.HEADER, en_profile.SECTIONS, en_profile.LABELS)
_KOREAN = _Words(ko_profile.HEADER, ko_profile.SECTIONS, ko_profile.LABELS)


class _Entry(NamedTuple):
    item: CelestialItem
    address: Address
    quoted: PromptText
    line: str
    tokens: int


def label_of(attribute: Attribute, language: str) -> str:
    """Returns the name of an attribute as people read it."""
    return _words(language).labels[attribute.value]


def section_of(subject: Subject, language: str) -> str:
    """Returns the heading of the facts about the user, about others or about things."""
    return _words(language).sections[subject.value]


def worth_reading(facts: Sequence[tuple[Subject, Attribute, str]], budget: int) -> list[str]:
    """Returns the ids of the most telling facts, as many as the budget may have room for.

    Facts of one address are given newest first.
    """
    ranked = _ranked((Address(subject, attribute), item_id) for subject, attribute, item_id in facts)
    return [item_id for _, item_id in ranked[: min(_MOST_READ, EACH + budget // _SHORTEST_FACT)]]


def compose_profile(
    items: Sequence[CelestialItem], budget: int = BUDGET, unread: int = 0, orders: Sequence[CelestialItem] = ()
) -> Profile:
    """Composes the profile of memories that are newest first within an address; `unread`: facts not among them.

    Superseded statements that tell nothing else, imagined ones, questions, texts with low trust and the agent's own
    words are left out. What tells of something that an instruction among the memories or `orders` names is marked.
    """
    about_user = _each_once([item for item in items if _tells_of_user(item)])
    korean = sum(language_of(item.content) is Language.KO for _, item in about_user) * 2 >= len(about_user) > 0
    language = (Language.KO if korean else Language.EN).value
    planted = tells_of_name([*items, *orders])
    entries = _fitting(
        (
            _entry(item, address, language, named=planted is not None and planted(item))
            for address, item in about_user
        ),
        budget,
        language,
    )
    text = _text(entries, language) if entries else ""
    facts = tuple(
        ProfileFact(
            entry.item.id, entry.address.subject, entry.address.attribute, entry.address.value, entry.quoted.text,
            entry.quoted.level, entry.item.created_at, entry.item.source, entry.tokens,
            entry.item.validity.until,
        )
        for entry in entries
    )  # fmt: skip
    return Profile(facts, text, count_tokens(text), budget, len(about_user) - len(facts) + unread, language)


def _tells_of_user(item: CelestialItem) -> bool:
    return (
        item.address is not None
        and (item.validity.until is None or is_partly_true(item))
        and not item.is_claim  # neither an injected instruction nor a web page may stand in every prompt
        and item.source is not Source.IMAGINATION
        and item.document.type is ContentType.USER_INPUT
        and not item.content.rstrip().endswith(("?", "？"))
    )


def _each_once(items: Iterable[CelestialItem]) -> list[tuple[Address, CelestialItem]]:
    """Returns the memories with their addresses, most telling first, each text once."""
    once: dict[str, tuple[Address, CelestialItem]] = {}
    for address, item in _ranked((_address_of(item), item) for item in items):
        plain = normalised(item.content)
        if plain:
            once.setdefault(plain, (address, item))
    return list(once.values())


def _address_of(item: CelestialItem) -> Address:
    """Returns the address; what somebody else said about themselves is about that person."""
    address = item.address or Address(Subject.USER, Attribute.OTHER)
    speaker = item.metadata.get("speaker")
    if address.subject is Subject.USER and isinstance(speaker, str) and speaker != item.owner.user_id:
        return Address(Subject.PERSON, address.attribute, address.value)
    return address


def _ranked(addressed: Iterable[tuple[Address, T]]) -> list[tuple[Address, T]]:
    newer: Counter[tuple[Subject, Attribute]] = Counter()
    ranked: list[tuple[int, int, Address, T]] = []
    for position, (address, value) in enumerate(addressed):
        key = address.subject, address.attribute
        step = _BEHIND_NEWER_SINGLE if address.attribute in _SINGLE_VALUED else _BEHIND_NEWER
        behind_user = 0 if address.attribute in _KIN else _BEHIND_USER[address.subject]
        ranked.append((_PLACE[address.attribute] + step * newer[key] + behind_user, position, address, value))
        newer[key] += 1
    ranked.sort(key=lambda entry: entry[:2])
    return [(address, value) for _, _, address, value in ranked]


def _entry(item: CelestialItem, address: Address, language: str, *, named: bool) -> _Entry:
    frame = frame_for(language)
    texts = list(prompt_texts(item, frame))
    short = [text for text in texts[:2] if len(text.text) <= _LONGEST_TEXT]
    quoted = texts[-1] if item.state is State.FADED or not short else short[0]
    quote = frame.quote(item, quoted.note, quoted.text, named=named)
    line = f"- {label_of(address.attribute, language)}: {quote}\n"
    return _Entry(item, address, quoted, line, count_tokens(line))


def _fitting(ranked: Iterable[_Entry], budget: int, language: str) -> list[_Entry]:
    """Returns the entries that fit, in the order in which they are shown."""
    room = budget - count_tokens(_opening(language)) - count_tokens(_CLOSING)
    fitting: list[_Entry] = []
    headed: set[Subject] = set()
    missed = 0
    for entry in ranked:
        subject = entry.address.subject
        heading = 0 if subject in headed else count_tokens(_heading(subject, language))
        if entry.tokens + heading > room:
            missed += 1
            if missed == _PATIENCE:
                break
            continue
        missed = 0
        room -= entry.tokens + heading
        headed.add(subject)
        fitting.append(entry)
    subjects = list(Subject)
    # Sorting is stable: newest first within an address.
    return sorted(fitting, key=lambda one: (subjects.index(one.address.subject), _PLACE[one.address.attribute]))


def _text(entries: Sequence[_Entry], language: str) -> str:
    parts = [_opening(language)]
    last: Subject | None = None
    for entry in entries:
        if entry.address.subject is not last:
            last = entry.address.subject
            parts.append(_heading(last, language))
        parts.append(entry.line)
    return "".join([*parts, _CLOSING])


def _opening(language: str) -> str:
    return f"<profile>\n{_words(language).header}\n"


def _heading(subject: Subject, language: str) -> str:
    return f"{section_of(subject, language)}:\n"


def _words(language: str) -> _Words:
    return _KOREAN if language.lower().startswith("ko") else _ENGLISH
