"""Rewards: infers from a user's turn how good the turn before was. Unsure cases give no reward."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import rewards as en_rewards
from celestial_engine.lang.ko import rewards as ko_rewards

PRAISE, BLAME = 1.0, -1.0
GOES_ON, PICKED_UP, DISINTEREST = 0.3, 0.2, -0.1

# A turn after a longer pause begins a new conversation and is no reaction.
SAME_TALK_SECONDS = 1_800.0
_LONGEST = 400  # longer turns are content, not feedback
_JUDGING_CLAUSES = 3
_QUOTED = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|(?:^|\n)>[^\n]*", re.DOTALL)
_CLAUSE = re.compile(r"([^.!?,;:…~\n]+)([.!?,;:…~\n]*)")
_IRONIC = frozenset("🙄😒🙃😑🤡👏")
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


@dataclass(frozen=True)
class Reward:
    """A value from -1 to 1, its kind, and the user's words as evidence, which are never stored."""

    value: float
    kind: RewardKind
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class RatedTurn:
    """The turn being rated: its age, the keywords it recalled, and whether the reply asked a question."""

    seconds_ago: float = 0.0
    recalled: tuple[str, ...] = ()
    asked: bool | None = None  # None: unknown


class _Clause(NamedTuple):
    text: str
    end: str


class _Signs(NamedTuple):
    around: re.Pattern[str]
    praise: re.Pattern[str]
    mild: re.Pattern[str]
    blame: re.Pattern[str]
    denial: re.Pattern[str]
    correction: re.Pattern[str]
    doubt: re.Pattern[str]
    disinterest: re.Pattern[str]


def reward_of(user_turn: str, before: RatedTurn | None = None) -> Reward:
    """Returns the reward for the turn before; without `before`, only from explicit words."""
    text = _plain(user_turn)
    if not text:
        return Reward(0.0, RewardKind.NONE)
    explicit = _judgement(text, before or RatedTurn())
    if explicit is not None:
        return explicit
    if before is None or not 0.0 <= before.seconds_ago <= SAME_TALK_SECONDS:
        return Reward(0.0, RewardKind.NONE)
    return _interest(text, before)


def _judgement(text: str, before: RatedTurn) -> Reward | None:
    """Detects explicit praise or blame."""
    if text[0] in _THUMBS and not _WORD.search(text):
        value = _THUMBS[text[0]]
        return Reward(value, RewardKind.PRAISE if value > 0 else RewardKind.BLAME, (text[0],))
    clauses = _clauses(text)
    if len(text) > _LONGEST or not clauses:
        return None
    # Feedback is at the beginning or end of a turn; the middle is content.
    chosen = [*clauses[:_JUDGING_CLAUSES], *clauses[_JUDGING_CLAUSES:][-1:]]
    praise: list[str] = []
    blame: list[str] = []
    for index, clause in enumerate(chosen):
        signs = _signs(clause.text)
        if "?" in clause.end:
            continue
        core = _core(clause.text, signs.around)
        if _matches(signs.blame, clause.text, core) or (index == 0 and _denies(clauses, signs, before)):
            blame.append(clause.text)
        elif _matches(signs.praise, clause.text, core) or (
            # mild words are praise only if they open a turn and do not answer a question
            index == 0 and before.asked is not True and _matches(signs.mild, clause.text, core)
        ):
            praise.append(clause.text)
    if not praise and not blame:
        return None
    if blame and not praise:
        return Reward(BLAME, RewardKind.BLAME, tuple(blame))
    if blame or _doubtful(text, clauses):
        return Reward(0.0, RewardKind.UNSURE, (*praise, *blame))
    return Reward(PRAISE, RewardKind.PRAISE, tuple(praise))


def _denies(clauses: Sequence[_Clause], signs: _Signs, before: RatedTurn) -> bool:
    """Whether a "no" is blame: nothing was asked, or a correction follows."""
    if not signs.denial.fullmatch(clauses[0].text):
        return False
    if len(clauses) > 1:
        return _signs(clauses[1].text).correction.fullmatch(clauses[1].text) is not None
    return before.asked is False


def _doubtful(text: str, clauses: Sequence[_Clause]) -> bool:
    if not _IRONIC.isdisjoint(text):
        return True
    if any("…" in clause.end or ".." in clause.end or "?" in clause.end for clause in clauses[:_JUDGING_CLAUSES]):
        return True
    return any(_signs(clause.text).doubt.search(clause.text) for clause in clauses)


def _interest(text: str, before: RatedTurn) -> Reward:
    bare = text.strip(" .!~…")
    if _signs(text).disinterest.fullmatch(bare):
        if before.asked:  # a short answer to a question is an answer
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


def _clauses(text: str) -> list[_Clause]:
    clauses = (_Clause(" ".join(part.split()), end) for part, end in _CLAUSE.findall(text))
    return [clause for clause in clauses if _WORD.search(clause.text)]


def _core(clause: str, around: re.Pattern[str]) -> str:
    """Strips filler words around the clause; never empty."""
    last = ""
    while last != clause:
        last, clause = clause, around.sub("", clause, count=1).strip()
        if not clause:
            return last
    return clause


def _matches(pattern: re.Pattern[str], clause: str, core: str) -> bool:
    return pattern.fullmatch(clause) is not None or pattern.fullmatch(core) is not None


def _signs(text: str) -> _Signs:
    return _signs_of(language_of(text))


@lru_cache(maxsize=2)
def _signs_of(language: Language) -> _Signs:
    words = ko_rewards if language is Language.KO else en_rewards
    return _Signs(
        re.compile(rf"^(?:{words.AROUND})(?: |$)|(?:^| )(?:{words.AROUND})$"),
        re.compile("|".join(words.PRAISE)),
        re.compile("|".join(words.MILD_PRAISE)),
        re.compile("|".join(words.BLAME)),
        re.compile(words.DENIAL),
        re.compile(words.CORRECTION),
        re.compile(words.DOUBT),
        re.compile(words.DISINTEREST),
    )
