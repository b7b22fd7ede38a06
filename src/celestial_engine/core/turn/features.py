"""Features of a conversation turn, the input of the decision to save, skip or retrieve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType

from celestial_engine.core.patterns import compiled
from celestial_engine.core.record.item import Category
from celestial_engine.core.text.keywords import category_of, shows
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.turn.conversation import Action, Role, Utterance
from celestial_engine.lang.turns import LANGUAGES

WEIGHTS = (
    ("personal", 0.40),
    ("preference", 0.35),
    ("technical", 0.30),
    ("emotion", 0.20),
    ("keyword_density", 0.15),
)
LONGEST_TURN = 20_000  # characters; beyond that it is a document
RECENT_TURNS = 10

_READ_CHARACTERS = 4_000
_MOST_SENTENCES = 60
_MOST_TURNS, _MOST_MEMORIES, _MOST_KEYWORDS = 50, 1_000, 20
_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,80}`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:/%-]*")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*(?:def|class|import|from \w+ import|return|if|for|while|const|let|var|public|#include|@)\b"
    r".*[(:{;]|"
    r"^\s*[<>]|\w+\([^)]*\)\s*$|^\s*//|=>"
)
_BLOB = re.compile(r"\S{120,}")
_QUESTION_SIGNS = ("ASKS_BACK", "DISCOURSE", "REMEMBER")
_STATEMENT_SIGNS = ("REMEMBER", "DISCOURSE", "PERSONAL", "PREFERENCE", "TECHNICAL", "EMOTION", "TOLD")


@dataclass(frozen=True)
class TurnFeatures:
    """What a turn contains, and its position in the conversation."""

    # questions
    question: bool = False
    asks_back: bool = False  # a question about the user, or about what was said before
    discourse: bool = False  # refers to something said before

    # statements; a question states nothing
    personal: bool = False
    preference: bool = False
    technical: bool = False
    emotion: bool = False
    keyword_density: float = 0.0  # share of content words
    keyword_count: int = 0
    told: bool = False  # reports something that happened, was decided or is planned
    remember: bool = False  # asks to remember it
    small_talk: bool = False  # nothing else in it
    prose: bool = True  # False for code, data, symbols
    length: int = 0
    role: Role = Role.USER
    category: Category = Category.FACT

    # position in the conversation
    turn_position: int = 0
    memory_count: int = 0
    recent_saves: int = 0
    recent_retrieves: int = 0

    @property
    def state(self) -> tuple[float, ...]:
        """Ten numbers from 0 to 1, the input of the learned policy."""
        return (
            min(1.0, self.turn_position / _MOST_TURNS),
            min(1.0, self.memory_count / _MOST_MEMORIES),
            min(1.0, self.keyword_count / _MOST_KEYWORDS),
            float(self.question),
            # combined, because `personal` alone is always 0 where the learned policy decides
            float(self.personal or self.told),
            float(self.preference),
            float(self.technical),
            float(self.emotion),
            min(1.0, self.recent_saves / RECENT_TURNS),
            min(1.0, self.recent_retrieves / RECENT_TURNS),
        )

    @property
    def importance(self) -> float:
        """How much the turn is worth saving, 0 to 1: a weighted sum. This is not the importance of a memory."""
        return min(1.0, sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS))


def features_of(turn: Utterance, history: Sequence[Utterance] = (), memory_count: int = 0) -> TurnFeatures:
    """Computes the features of a turn from its words and the history."""
    turns = [past for past in history if past.memory_id is None]
    actions = [past.action for past in turns[-RECENT_TURNS:]]
    position = {
        "role": turn.role,
        "turn_position": len(turns),
        "memory_count": memory_count,
        "recent_saves": actions.count(Action.SAVE),
        "recent_retrieves": actions.count(Action.RETRIEVE),
    }
    return TurnFeatures(**_text_features(turn.text), **position)  # type: ignore[arg-type]


def _text_features(text: str) -> dict[str, object]:
    head = text[:_READ_CHARACTERS].replace("’", "'")
    prose = _prose(head)
    question_signs: set[str] = set()
    statement_signs: set[str] = set()
    only_small_talk = True
    for sentence in sentences_of(prose)[:_MOST_SENTENCES]:
        signs = _signs(sentence.casefold())
        if "SMALL_TALK" in signs:
            continue
        only_small_talk = False
        (question_signs if "QUESTION" in signs else statement_signs).update(signs)
    words = [word.casefold() for word in _WORD.findall(prose)]
    content_words = {word for word in words if not any(word in language.EMPTY_WORDS for language in LANGUAGES)}
    return {
        "question": bool(question_signs),
        "asks_back": "ASKS_BACK" in question_signs,
        "discourse": "DISCOURSE" in statement_signs | question_signs,
        "personal": "PERSONAL" in statement_signs,
        "preference": "PREFERENCE" in statement_signs,
        "technical": "TECHNICAL" in statement_signs,
        "emotion": "EMOTION" in statement_signs,
        "told": "TOLD" in statement_signs,
        "remember": "REMEMBER" in statement_signs | question_signs,
        "keyword_density": len(content_words) / len(words) if words else 0.0,
        "keyword_count": len(content_words),
        "small_talk": only_small_talk and bool(words),
        "prose": bool(words),
        "length": len(text),
        "category": category_of(prose) if words else Category.FACT,
    }


def _prose(text: str) -> str:
    """Returns the text without code and data."""
    text = _BLOB.sub(" ", _FENCE.sub(" ", text))
    lines = text.split("\n")
    return "\n".join(line for line in lines if len(lines) == 1 or not _CODE_LINE.search(line))


def _signs(sentence: str) -> set[str]:
    """Returns the names of the signs in a sentence, for every language whose letters it has."""
    words = set(compiled(r"[\w'+-]+").findall(sentence))
    if not sentence.isascii():
        words.update(a + b for a, b in pairwise(sentence))
    languages = [language for language in LANGUAGES if compiled(language.LETTERS).search(sentence)]
    if not languages or _is_small_talk(sentence, words, languages):
        return {"SMALL_TALK"}
    asks = _has_sign("QUESTION", sentence, words, languages)
    names = {
        name
        for name in (_QUESTION_SIGNS if asks else _STATEMENT_SIGNS)
        if _has_sign(name, sentence, words, languages)
    }
    return names | {"QUESTION"} if asks else names


def _has_sign(name: str, sentence: str, words: set[str], languages: Sequence[ModuleType]) -> bool:
    return any(shows(sentence, words, sign) for language in languages for sign in getattr(language, name))


def _is_small_talk(sentence: str, words: set[str], languages: Sequence[ModuleType]) -> bool:
    spoken_words = [word.casefold() for word in _WORD.findall(sentence)]
    if all(any(word in language.GREETINGS for language in languages) for word in spoken_words):
        return True
    return _has_sign("SMALL_TALK", sentence, words, languages)
