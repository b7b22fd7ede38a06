"""Features of a conversation turn, the input of the decision to save, skip or retrieve."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from celestial_engine.core.record.item import Category
from celestial_engine.core.record.labels import Act, Subject
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.conversation import Action, Role, Utterance
from celestial_engine.core.turn.forget_request import forget_request_in
from celestial_engine.core.turn.profile_request import asks_for_profile
from celestial_engine.core.turn.remember_request import asks_to_remember, is_bare_request
from celestial_engine.lang.turns import EMPTY_WORDS

LONGEST_TURN = 20_000  # characters; beyond that it is a document
RECENT_TURNS = 10

_READ_CHARACTERS = 4_000
_MOST_TURNS, _MOST_MEMORIES, _MOST_KEYWORDS = 50, 1_000, 20
_MAY_TELL = 0.1  # below that probability nothing is told, and what it would be about says nothing
_FENCE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{1,80}`", re.DOTALL)
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,:/%-]*")
_CODE_LINE = re.compile(
    r"[;{}]\s*$|^\s*(?:def|class|import|from \w+ import|return|if|for|while|const|let|var|public|#include|@)\b"
    r".*[(:{;]|"
    r"^\s*[<>]|(?<!\w)\w+\([^)]{0,200}\)\s*$|^\s*//|=>"
)
_BLOB = re.compile(r"\S{120,}")


@dataclass(frozen=True)
class TurnFeatures:
    """What a turn says, and its position in the conversation."""

    reading: Reading = field(default_factory=Reading)
    remember: bool = False  # asks to remember it
    asks_for_profile: bool = False  # asks for all that is known about the user
    prose: bool = True  # False for code, data, symbols
    keyword_density: float = 0.0  # share of content words
    keyword_count: int = 0
    length: int = 0
    role: Role = Role.USER

    # position in the conversation
    turn_position: int = 0
    memory_count: int = 0
    recent_saves: int = 0
    recent_retrieves: int = 0

    @property
    def importance(self) -> float:
        """How much the turn is worth saving, 0 to 1. This is not the importance of a memory."""
        return self.reading.keep

    @property
    def question(self) -> bool:
        return self.reading.asks

    @property
    def small_talk(self) -> bool:
        return self.reading.act is Act.REACTION and not self._tells

    @property
    def personal(self) -> bool:
        """Whether it tells a fact about the user."""
        about_user = self.reading.subject is Subject.USER
        return self._tells and about_user and self.category in (Category.FACT, Category.CORE_PRINCIPLE)

    @property
    def preference(self) -> bool:
        return self._tells and self.category is Category.PREFERENCE

    @property
    def technical(self) -> bool:
        return self._tells and self.category is Category.TECHNICAL

    @property
    def emotion(self) -> bool:
        return self._tells and self.category is Category.EMOTION

    @property
    def category(self) -> Category:
        return self.reading.category

    @property
    def state(self) -> tuple[float, ...]:
        """Ten numbers from 0 to 1, the input of the learned policy."""
        return (
            min(1.0, self.turn_position / _MOST_TURNS),
            min(1.0, self.memory_count / _MOST_MEMORIES),
            min(1.0, self.keyword_count / _MOST_KEYWORDS),
            float(self.question),
            float(self.personal),
            float(self.preference),
            float(self.technical),
            float(self.emotion),
            min(1.0, self.recent_saves / RECENT_TURNS),
            min(1.0, self.recent_retrieves / RECENT_TURNS),
        )

    @property
    def _tells(self) -> bool:
        return self.reading.keep > _MAY_TELL


def prose_in(text: str) -> str:
    """Returns the text without code and data."""
    text = _BLOB.sub(" ", _FENCE.sub(" ", text[:_READ_CHARACTERS]))
    lines = text.split("\n")
    return "\n".join(line for line in lines if len(lines) == 1 or not _CODE_LINE.search(line))


def features_of(
    turn: Utterance, reading: Reading, history: Sequence[Utterance] = (), memory_count: int = 0
) -> TurnFeatures:
    """Computes the features of a turn from its reading, its words and the history."""
    turns = [past for past in history if past.memory_id is None]
    actions = [past.action for past in turns[-RECENT_TURNS:]]
    words = [word.casefold() for word in _WORD.findall(prose_in(turn.text))]
    content_words = {word for word in words if word not in EMPTY_WORDS}
    return TurnFeatures(
        reading=reading,
        remember=_asks_to_remember_something(turn.text),
        asks_for_profile=asks_for_profile(turn.text, reading),
        prose=bool(words),
        keyword_density=len(content_words) / len(words) if words else 0.0,
        keyword_count=len(content_words),
        length=len(turn.text),
        role=turn.role,
        turn_position=len(turns),
        memory_count=memory_count,
        recent_saves=actions.count(Action.SAVE),
        recent_retrieves=actions.count(Action.RETRIEVE),
    )


def said_before(history: Sequence[Utterance]) -> str | None:
    """Returns what the assistant said last, which a short answer can only be understood with."""
    last = next((past for past in reversed(history) if past.memory_id is None), None)
    return last.text if last is not None and last.role is Role.ASSISTANT else None


def _asks_to_remember_something(text: str) -> bool:
    return asks_to_remember(text) and not is_bare_request(text) and forget_request_in(text) is None
