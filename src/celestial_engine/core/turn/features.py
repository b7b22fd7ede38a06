"""What can be seen of a turn of a conversation before anything is decided about it."""

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

_LOOKED_AT = 4_000
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
_ASKINGS = ("ASKS_BACK", "DISCOURSE", "REMEMBER")
_SAYINGS = ("REMEMBER", "DISCOURSE", "PERSONAL", "PREFERENCE", "TECHNICAL", "EMOTION", "TOLD")


@dataclass(frozen=True)
class TurnFeatures:
    """What a turn says, and where in the conversation it stands."""

    # what it asks
    question: bool = False
    asks_back: bool = False  # a question about the one who asks, or about what was said before
    discourse: bool = False  # points back to something said before

    # what it says; a question says nothing
    personal: bool = False
    preference: bool = False
    technical: bool = False
    emotion: bool = False
    keyword_density: float = 0.0  # telling words among all words
    keyword_count: int = 0
    told: bool = False  # something that happened, was decided or is planned
    remember: bool = False  # asks to be remembered
    small_talk: bool = False  # nothing else in it
    prose: bool = True  # False: code, data, signs
    length: int = 0
    role: Role = Role.USER
    category: Category = Category.FACT

    # where it stands
    turn_position: int = 0
    memory_count: int = 0
    recent_saves: int = 0
    recent_retrieves: int = 0

    @property
    def state(self) -> tuple[float, ...]:
        """Ten numbers from 0 to 1, for whoever learns."""
        return (
            min(1.0, self.turn_position / _MOST_TURNS),
            min(1.0, self.memory_count / _MOST_MEMORIES),
            min(1.0, self.keyword_count / _MOST_KEYWORDS),
            float(self.question),
            float(self.personal or self.told),  # of a life; alone the first would always be 0 where it is learned
            float(self.preference),
            float(self.technical),
            float(self.emotion),
            min(1.0, self.recent_saves / RECENT_TURNS),
            min(1.0, self.recent_retrieves / RECENT_TURNS),
        )

    @property
    def importance(self) -> float:
        """How much the turn is worth saving, 0 to 1: a weighted sum. Not the importance of a memory."""
        return min(1.0, sum(weight * float(getattr(self, name)) for name, weight in WEIGHTS))


def features_of(turn: Utterance, history: Sequence[Utterance] = (), memory_count: int = 0) -> TurnFeatures:
    """What a turn shows by its words, and by what came before it."""
    said = [past for past in history if past.memory_id is None]
    done = [past.action for past in said[-RECENT_TURNS:]]
    place = {
        "role": turn.role,
        "turn_position": len(said),
        "memory_count": memory_count,
        "recent_saves": done.count(Action.SAVE),
        "recent_retrieves": done.count(Action.RETRIEVE),
    }
    return TurnFeatures(**_read(turn.text), **place)  # type: ignore[arg-type]


def _read(text: str) -> dict[str, object]:
    head = text[:_LOOKED_AT].replace("’", "'")
    prose = _prose(head)
    asked: set[str] = set()
    shown: set[str] = set()
    small = True
    for sentence in sentences_of(prose)[:_MOST_SENTENCES]:
        signs = _signs(sentence.casefold())
        if "SMALL_TALK" in signs:
            continue
        small = False
        (asked if "QUESTION" in signs else shown).update(signs)
    words = [word.casefold() for word in _WORD.findall(prose)]
    telling = {word for word in words if not any(word in language.EMPTY_WORDS for language in LANGUAGES)}
    return {
        "question": bool(asked),
        "asks_back": "ASKS_BACK" in asked,
        "discourse": "DISCOURSE" in shown | asked,
        "personal": "PERSONAL" in shown,
        "preference": "PREFERENCE" in shown,
        "technical": "TECHNICAL" in shown,
        "emotion": "EMOTION" in shown,
        "told": "TOLD" in shown,
        "remember": "REMEMBER" in shown | asked,
        "keyword_density": len(telling) / len(words) if words else 0.0,
        "keyword_count": len(telling),
        "small_talk": small and bool(words),
        "prose": bool(words),
        "length": len(text),
        "category": category_of(prose) if words else Category.FACT,
    }


def _prose(text: str) -> str:
    """A text without its code and data."""
    text = _BLOB.sub(" ", _FENCE.sub(" ", text))
    lines = text.split("\n")
    return "\n".join(line for line in lines if len(lines) == 1 or not _CODE_LINE.search(line))


def _signs(sentence: str) -> set[str]:
    """The names of what a sentence shows, in any language whose letters it has."""
    words = set(compiled(r"[\w'+-]+").findall(sentence))
    if not sentence.isascii():
        words.update(a + b for a, b in pairwise(sentence))
    spoken = [language for language in LANGUAGES if compiled(language.LETTERS).search(sentence)]
    if not spoken or _is_small_talk(sentence, words, spoken):
        return {"SMALL_TALK"}
    asks = _shown("QUESTION", sentence, words, spoken)
    found = {name for name in (_ASKINGS if asks else _SAYINGS) if _shown(name, sentence, words, spoken)}
    return found | {"QUESTION"} if asks else found


def _shown(name: str, sentence: str, words: set[str], spoken: Sequence[ModuleType]) -> bool:
    return any(shows(sentence, words, sign) for language in spoken for sign in getattr(language, name))


def _is_small_talk(sentence: str, words: set[str], spoken: Sequence[ModuleType]) -> bool:
    said = [word.casefold() for word in _WORD.findall(sentence)]
    if all(any(word in language.GREETINGS for language in spoken) for word in said):
        return True
    return _shown("SMALL_TALK", sentence, words, spoken)
