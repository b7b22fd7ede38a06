"""Parses a text into a statement: its content words in order, values, negation and tense.

Statements are compared by these alone, so words that do not change the meaning are dropped: articles,
politeness, "really". The word lists are in `lang/*/sameness.py`.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from celestial_engine.core.patterns import compiled
from celestial_engine.core.sameness.values import ValueKind, Values, values_of
from celestial_engine.core.text.english import Word, is_adverb, verb_form, words_of
from celestial_engine.core.text.entities import USER, entity
from celestial_engine.core.text.hangul import batchim, is_hangul
from celestial_engine.core.text.korean import Ending, Verb, copula_of, verb_of, without_particle
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.stemming import stem
from celestial_engine.core.text.turns import read_turn
from celestial_engine.lang.en import grammar as en_grammar
from celestial_engine.lang.en import sameness as en_sameness
from celestial_engine.lang.ko import grammar as ko_grammar
from celestial_engine.lang.ko import nouns as ko_nouns
from celestial_engine.lang.ko import sameness as ko_sameness

LOOKED_AT = 2_000
LIKES = "\0like"  # one word for all verbs of liking; disliking is its negation
_ROLES = (
    dict.fromkeys("이 가 께서".split(), "subject")
    | dict.fromkeys("을 를".split(), "object")
    | dict.fromkeys("까지 로 으로 에게 한테 께".split(), "to")
    | dict.fromkeys("부터 에게서 한테서 로부터 으로부터".split(), "from")
    | dict.fromkeys("보다 보다는".split(), "than")
)
_SOFT = (en_grammar.ADJECTIVES | en_grammar.PREPOSITIONS) - en_sameness.WEIGHTY
_SOFT_KO = ko_grammar.ADVERBS - ko_sameness.WEIGHTY
_NOUNS_FOLLOW = en_grammar.DETERMINERS | frozenset("of 's in at for with".split())
_USERS = ("사용자", "유저")
_WAS = frozenset("was were had did".split())
# Matches the blood types O+ and O-, timeout < 5, --force; not a dash, **bold** or a smile ^^.
_SIGNS = r"[+=<>|&%$€£¥₩±×÷−←-⇿∀-⋿♭♯]|(?<=[^\W\d])-(?![\w-])|(?<![\w-])-(?=[^\W\d]|-\w)|(?<=\s)[*/](?=\s)"
_PICTURES = r"[☀-➿⬀-⯿\U0001f000-\U0001faff]"
_EDGES = " \t.,!?…~·;:\"'“”‘’()[]{}<>「」『』《》*-—–ㅋㅎㅠㅜ^"


@dataclass(frozen=True)
class Statement:
    """The parsed form of a text."""

    plain: str  # the text in lower case, without punctuation at its ends
    words: tuple[str, ...]
    solid: frozenset[str]  # nouns and verbs: no adjectives, no adverbs
    values: Values
    speaker: str | None = None
    negative: bool = False
    past: bool = False
    moods: frozenset[str] = frozenset()  # can, must, will
    asks: bool = False
    roles: Mapping[str, str] = field(default_factory=dict)  # Korean: the role of each noun
    whole: bool = True  # False if the text was cut off
    changing: bool = False  # the text itself says that something changed
    renewed: bool = False  # the change is only a "now"
    left: frozenset[str] = frozenset()  # what was replaced: "from here" in "from here to there"
    signs: tuple[str, ...] = ()  # with a meaning: + - < = %
    pictures: frozenset[str] = frozenset()
    shades: frozenset[str] = frozenset()  # Korean: only, if, to me
    placing: frozenset[str] = frozenset()  # English: in, on, of, with


@lru_cache(maxsize=4_096)  # a memory is compared with several others
def read_statement(text: str) -> Statement:
    """Parses a text; of a long one only the first 2,000 characters."""
    turn = read_turn(text[:LOOKED_AT])
    plain = " ".join(unicodedata.normalize("NFKC", turn.text).split())
    reading = _KoreanReading() if language_of(plain) is Language.KO else _EnglishReading()
    rest, values = values_of(plain.replace("’", "'"))
    reading.read(rest)
    for kind, more in reading.values.items():
        values = {**values, kind: (*values.get(kind, ()), *more)}
    return Statement(
        plain=plain.casefold().strip(_EDGES) or plain,
        words=tuple(reading.words),
        solid=frozenset(reading.solid),
        values=values,
        speaker=_speaker(turn.speaker),
        negative=reading.denials % 2 == 1,
        past=reading.past,
        moods=frozenset(reading.moods),
        asks=plain.rstrip(" \"'”’)").endswith(("?", "？")),
        roles=reading.roles,
        whole=len(text) <= LOOKED_AT,
        changing=reading.changing or reading.renewed,
        renewed=reading.renewed,
        left=frozenset(reading.left) if reading.changing else frozenset(),
        signs=tuple(compiled(_SIGNS).findall(plain)),
        pictures=frozenset(compiled(_PICTURES).findall(plain)),
        shades=frozenset(reading.shades),
        placing=frozenset(reading.placing),
    )


def _speaker(name: str | None) -> str | None:
    key = entity(name) if name else None
    return None if key in (None, USER, "human") else key


class _Reading:
    """The parse state, updated word by word."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.solid: set[str] = set()
        self.values: defaultdict[ValueKind, list[str]] = defaultdict(list)
        self.moods: set[str] = set()
        self.roles: dict[str, str] = {}
        self.denials = 0
        self.past = False
        self.changing = False
        self.renewed = False
        self.left: set[str] = set()
        self.shades: set[str] = set()
        self.placing: set[str] = set()

    def read(self, text: str) -> None:
        raise NotImplementedError

    def _add_word(self, word: str, *, solid: bool) -> None:
        word = _synonyms().get(word, word)
        self.words.append(word)
        if solid:
            self.solid.add(word)


class _EnglishReading(_Reading):
    def read(self, text: str) -> None:
        words = [word for word in words_of(text) if not word.is_sign]
        for index, word in enumerate(words):
            after = words[index + 1].plain if index + 1 < len(words) else ""
            before = words[index - 1].plain if index else ""
            words_before = len(self.words)
            self._word(word, before, after)
            if before == "from" and "to" in [later.plain for later in words[index + 1 : index + 4]]:
                self.left.update(self.words[words_before:])

    def _word(self, word: Word, before: str, after: str) -> None:
        plain = word.plain
        form = verb_form(plain)
        self.changing = self.changing or plain in en_sameness.CHANGING or (form and form.base) in en_sameness.CHANGING
        self.renewed = self.renewed or plain in en_sameness.RENEWING
        if plain in en_sameness.NEGATING:
            alone = plain not in en_sameness.TOGETHER or not self.denials
            self.denials += alone and (plain != "longer" or before == "no")
            if plain == "longer" and before not in ("no", "any"):
                self._add_word("long", solid=False)
        elif plain in en_sameness.NUMBER_WORDS and plain != "half":
            self.values[ValueKind.NUMBER].append(en_sameness.NUMBER_WORDS[plain])
        elif value := en_sameness.MOMENTS.get(plain) or (word.is_name and en_sameness.SHORT_WEEKDAYS.get(plain)):
            self.values[ValueKind(value[0])].append(value[1])
        elif plain in en_sameness.FUTURE or (plain == "going" and after == "to"):
            self.moods.add("will")
        elif plain in en_sameness.MOODS and verb_form(before) is None:
            self.moods.add({"could": "can", "might": "may"}.get(plain, plain))
        elif plain in _WAS or (plain == "used" and after == "to"):
            self.past = True
        elif plain in en_sameness.SELF:
            self._add_word(USER, solid=False)
        elif plain in en_sameness.PLACING:
            self.placing.add(plain)
        elif plain not in en_sameness.EMPTY and plain != "'s":
            self._content_word(word, before)

    def _content_word(self, word: Word, before: str) -> None:
        form = verb_form(word.plain)
        if form is None or before in _NOUNS_FOLLOW or (word.is_name and self.words):
            soft = word.plain in _SOFT or (is_adverb(word.plain) and word.plain not in en_sameness.WEIGHTY)
            root = word.plain if word.is_name and self.words else stem(word.plain)
            self._add_word(root, solid=not soft)
            return
        if form.kinds == frozenset(("past",)) and before not in en_grammar.HAVE | en_grammar.BE | {"'s"}:
            self.past = True
        if form.base in en_sameness.DISLIKING or form.base in en_sameness.QUITTING:
            self.denials += 1
        if form.base in en_sameness.QUITTING:
            return
        liking = form.base in en_sameness.DISLIKING or (form.base == "like" and before != "feel")
        self._add_word(LIKES if liking else stem(form.base), solid=True)


class _KoreanReading(_Reading):
    def read(self, text: str) -> None:
        words = [word for word in (part.strip(_EDGES) for part in text.split()) if word]
        skipped = False
        for index, word in enumerate(words):
            if skipped:
                skipped = False
                continue
            after = words[index + 1] if index + 1 < len(words) else ""
            skipped = self._word(word if after else _without_ending(word), after)

    def _word(self, word: str, after: str) -> bool:
        """Reads a word; returns whether the next word belongs to it and is skipped."""
        if word in ko_sameness.NEGATING and verb_of(after):
            self.denials += 1
        elif word in ko_sameness.RENEWING:
            self.renewed = True
        elif word in ko_sameness.COUNTED and compiled(ko_sameness.COUNTERS).match(after):
            self.values[ValueKind.NUMBER].append(ko_sameness.COUNTED[word])
        elif word in ko_sameness.EMPTY or word.startswith(ko_sameness.FUTURE[:-1]):
            if word.startswith(ko_sameness.FUTURE[:-1]):
                self.moods.add("will")
        elif word in ko_sameness.SPEAKER or word in ko_sameness.LEFT_OF_VALUES:
            return False  # Korean often omits the speaker
        elif word in ko_nouns.SELF:
            self._add_self(done_to=word not in _USERS)
        elif word.startswith(("아니", "아닙", "아닌", "아님")):
            self.denials += 1
        elif (verbs := verb_of(word)) and not self._is_noun(word, verbs[0]):
            return self._verb(verbs[0], word, after)
        else:
            self._noun(word)
        return False

    @staticmethod
    def _is_noun(word: str, verb: Verb) -> bool:
        noun, particle = without_particle(word)
        marked = particle in ("을", "를", "에서", "에게", "한테", "께서", "으로")
        return marked or (noun in ko_nouns.ONE_SYLLABLE_NOUNS and verb.ending is Ending.MODIFYING)

    def _verb(self, verb: Verb, word: str, after: str) -> bool:
        nominal, used = verb.nominal, False
        following = verb_of(after)[:1]
        self.past = self.past or verb.shape == "p"
        if "겠" in word or (verb.shape == "l" and after.startswith(ko_sameness.FUTURE)):
            self.moods.add("will")
        if verb.ending is Ending.NEGATED and following and following[0].nominal in ("않음", "못함"):
            self.denials += 1
            self.past = self.past or following[0].shape == "p"
            used = True
        elif following and verb.tail in ("고", "") and verb.shape in "sa" and following[0].nominal in ("있음", "봄"):
            self.past = self.past or following[0].shape == "p"
            used = True
        elif following and following[0].nominal == "싶음":
            self.moods.add("want")
            used = True
        elif verb.shape == "a" and verb.tail == "야":
            self.moods.add("must")
        if (following[0] if used and following else verb).tail in ko_sameness.CONDITIONAL:
            self.shades.add("if")
        if nominal in ko_sameness.CHANGING:
            self.changing = True
        self._add_verb(nominal)
        return used

    def _add_verb(self, nominal: str) -> None:
        if nominal in ko_sameness.DENYING or nominal in ko_sameness.DISLIKING or nominal in ko_sameness.QUITTING:
            self.denials += 1
        if nominal in ko_sameness.QUITTING:
            return
        if nominal in ko_sameness.DISLIKING or nominal in ("좋아함", "좋음"):
            nominal = LIKES
        nominal = ko_sameness.DENYING.get(nominal, nominal)
        if nominal not in ("함", "됨", "임"):
            self._add_word(nominal, solid=True)

    def _noun(self, word: str) -> None:
        copula = copula_of(word)
        past = copula is not None and ("였" in word[-4:] or "이었" in word[-5:])
        self.past = self.past or past
        noun, particle = (copula.noun, "") if copula is not None else without_particle(word)
        if particle in ko_sameness.ONLY:
            self.shades.add("only")
        if noun in ko_sameness.EMPTY or not noun:
            return
        if noun in ko_nouns.SELF:
            self._add_self(done_to=bool(particle))
            return
        if not is_hangul(noun[-1]):
            noun = noun.casefold()
        self._add_word(noun, solid=noun not in _SOFT_KO)
        if particle in ("에서", "에서는"):
            self.left.add(self.words[-1])
        if role := _ROLES.get(particle):
            self.roles[_synonyms().get(noun, noun)] = role

    def _add_self(self, *, done_to: bool) -> None:
        """나 as the subject may be omitted; as an object (나를) it may not."""
        self._add_word(USER, solid=False)
        if done_to:
            self.shades.add(USER)


def _without_ending(word: str) -> str:
    """Strips the ending of a name at the end of a sentence: 진수야 -> 진수."""
    ends = len(word) > 2 and word[-1] in "야다" and word[-2] != "니" and batchim(word[:-1]) == 0
    return word[:-1] if ends and not verb_of(word) and copula_of(word) is None else word


@lru_cache(maxsize=1)
def _synonyms() -> dict[str, str]:
    """Maps each word to the first of its synonyms."""
    table: dict[str, str] = {}
    for group in _groups(en_sameness.ALIKE):
        table |= {stem(word): stem(group[0]) for word in group}
    for group in _groups(ko_sameness.ALIKE):
        table |= {word.casefold(): group[0] for word in group}
    return table


@lru_cache(maxsize=1)
def opposites() -> frozenset[frozenset[str]]:
    """Returns pairs of words with opposite meaning."""
    pairs = {frozenset(map(stem, pair)) for pair in _groups(en_sameness.OPPOSITES)}
    return frozenset(pairs | {frozenset(pair) for pair in _groups(ko_sameness.OPPOSITES)})


def _groups(lists: str) -> Iterator[list[str]]:
    return (group.split() for group in lists.split(";"))
