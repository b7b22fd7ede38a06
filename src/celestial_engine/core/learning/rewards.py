"""Rewards: infers from a user's turn how good the turn before was. Unsure cases give no reward."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from types import ModuleType

from celestial_engine.core.record.reading import Reading
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import rewards as en_rewards
from celestial_engine.lang.ko import rewards as ko_rewards

PRAISE, BLAME = 1.0, -1.0
GOES_ON, PICKED_UP, DISINTEREST = 0.3, 0.2, -0.1

# A turn after a longer pause begins a new conversation and is no reaction.
SAME_TALK_SECONDS = 1_800.0
_LONGEST = 400  # longer turns are content, not feedback
_LIKELY = 0.4  # from which probability praise and blame count
_QUOTED = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|(?:^|\n)>[^\n]*", re.DOTALL)
_IRONIC = frozenset("🙄😒🙃😑🤡👏")
_FIRST_SENTENCE = re.compile(r"[^.!\n]*")
_THUMBS = {"👍": PRAISE, "👎": BLAME}
_WORD = re.compile(r"[\w']+")


class RewardKind(str, Enum):
    GIVEN = "given"  # passed by the host
    PRAISE = "praise"
    BLAME = "blame"
    PICKED_UP = "picked_up"  # the conversation goes on and mentions what was recalled
    GOES_ON = "goes_on"
    DISINTEREST = "disinterest"
    UNSURE = "unsure"  # praise that may be irony, or praise and blame together
    NONE = "none"


EXPLICIT = frozenset({RewardKind.GIVEN, RewardKind.PRAISE, RewardKind.BLAME})


@dataclass(frozen=True)
class Reward:
    """A value from -1 to 1, its kind, and the user's words as evidence, which are never stored."""

    value: float
    kind: RewardKind
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class RatedTurn:
    """The turn being rated: its age, the keywords it recalled, and whether the answer was a question."""

    seconds_ago: float = 0.0
    recalled: tuple[str, ...] = ()
    is_question: bool | None = None  # None: unknown


def reward_of(user_turn: str, reading: Reading, before: RatedTurn | None = None) -> Reward:
    """Returns the reward for the turn before, from what the user says next (`reading` is what that says).

    Without `before`, only explicit praise and blame count.
    """
    text = _plain(user_turn)
    if not text:
        return Reward(0.0, RewardKind.NONE)
    explicit = _judgement(text, reading, before or RatedTurn())
    if explicit is not None:
        return explicit
    if before is None or not 0.0 <= before.seconds_ago <= SAME_TALK_SECONDS:
        return Reward(0.0, RewardKind.NONE)
    return _interest(text, before)


def _judgement(text: str, reading: Reading, before: RatedTurn) -> Reward | None:
    """Detects explicit praise or blame: certain signs first, then the act of the turn."""
    words = _words_of(language_of(text))
    bare = text.strip(" .!~…")
    if text[0] in _THUMBS and not _WORD.search(text):
        value = _THUMBS[text[0]]
        return Reward(value, RewardKind.PRAISE if value > 0 else RewardKind.BLAME, (text[0],))
    if re.fullmatch(words.DENIAL, bare):  # an answer to a question judges nothing
        return None if before.is_question else Reward(BLAME, RewardKind.BLAME, (bare,))
    if len(text) > _LONGEST or "?" in text:
        return None
    first = _FIRST_SENTENCE.match(text)[0].strip(" .!~…ㅋㅎ")  # type: ignore[index]  # it matches every text
    praises = not before.is_question and re.fullmatch(words.PRAISE, first) is not None
    if not praises and (reading.blame >= _LIKELY or re.fullmatch(words.BLAME, first)):
        return Reward(BLAME, RewardKind.BLAME, (text,))
    if not praises and reading.praise < _LIKELY:
        return None
    if not _IRONIC.isdisjoint(text) or "…" in text or ".." in text or re.search(words.DOUBT, text):
        return Reward(0.0, RewardKind.UNSURE, (text,))
    return Reward(PRAISE, RewardKind.PRAISE, (text,))


def _interest(text: str, before: RatedTurn) -> Reward:
    bare = text.strip(" .!~…")
    if re.fullmatch(_words_of(language_of(text)).DISINTEREST, bare):
        if before.is_question:  # a short answer to a question is an answer
            return Reward(0.0, RewardKind.NONE)
        return Reward(DISINTEREST, RewardKind.DISINTEREST, (bare,))
    picked_up = _repeated_keywords(text, before.recalled)
    if picked_up:
        return Reward(GOES_ON + PICKED_UP, RewardKind.PICKED_UP, picked_up)
    return Reward(GOES_ON, RewardKind.GOES_ON)


def _repeated_keywords(text: str, keywords: Iterable[str]) -> tuple[str, ...]:
    """Returns the keywords that the text repeats; a Korean word may have a particle."""
    words = _WORD.findall(text)
    repeated = []
    for keyword in dict.fromkeys(word.casefold() for word in keywords):
        parts = keyword.split()
        korean = language_of(keyword) is Language.KO
        if parts and all(
            any(word.startswith(part) if korean and len(part) > 1 else word == part for word in words)
            for part in parts
        ):
            repeated.append(keyword)
    return tuple(repeated)


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    return " ".join(_QUOTED.sub(" ", plain[: 4 * _LONGEST]).casefold().split(" ")).strip()


def _words_of(language: Language) -> ModuleType:
    return ko_rewards if language is Language.KO else en_rewards
