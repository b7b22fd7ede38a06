"""Rewards: what a user's turn says about the turn before it. When it is unsure, it says nothing."""

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

# Who comes back later than this begins another talk; its first words are no answer.
SAME_TALK_SECONDS = 1_800.0
_LONGEST = 400  # what is longer tells something, it does not judge
_JUDGING_CLAUSES = 3
_QUOTED = re.compile(r"```.*?(?:```|\Z)|`[^`]*`|\"[^\"]*\"|“[^”]*”|‘[^’]*’|「[^」]*」|(?:^|\n)>[^\n]*", re.DOTALL)
_CLAUSE = re.compile(r"([^.!?,;:…~\n]+)([.!?,;:…~\n]*)")
_IRONIC = frozenset("🙄😒🙃😑🤡👏")
_THUMBS = {"👍": PRAISE, "👎": BLAME}
_WORD = re.compile(r"[\w']+")


class RewardKind(str, Enum):
    GIVEN = "given"  # the host gave the number itself
    PRAISE = "praise"
    BLAME = "blame"
    PICKED_UP = "picked_up"  # the talk goes on, and takes up what was recalled
    GOES_ON = "goes_on"
    DISINTEREST = "disinterest"
    UNSURE = "unsure"  # praise that may be irony, or both at once
    NONE = "none"


@dataclass(frozen=True)
class Reward:
    """From -1 to 1, why, and the words that said so; those are the user's and never kept."""

    value: float
    kind: RewardKind
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Before:
    """The turn that is judged: how long ago it was, what it recalled, and whether the answer asked something."""

    seconds_ago: float = 0.0
    recalled: tuple[str, ...] = ()
    asked: bool | None = None  # None: nobody knows


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


def reward_of(user_turn: str, before: Before | None = None) -> Reward:
    """What this turn says about the one before; without one before it, what its words say of themselves."""
    said = _plain(user_turn)
    if not said:
        return Reward(0.0, RewardKind.NONE)
    judged = _judgement(said, before or Before())
    if judged is not None:
        return judged
    if before is None or not 0.0 <= before.seconds_ago <= SAME_TALK_SECONDS:
        return Reward(0.0, RewardKind.NONE)
    return _interest(said, before)


def _judgement(said: str, before: Before) -> Reward | None:
    """Praise or blame in so many words."""
    if said[0] in _THUMBS and not _WORD.search(said):
        value = _THUMBS[said[0]]
        return Reward(value, RewardKind.PRAISE if value > 0 else RewardKind.BLAME, (said[0],))
    clauses = _clauses(said)
    if len(said) > _LONGEST or not clauses:
        return None
    # A judgement opens a turn or closes it; in the middle somebody tells of something.
    chosen = [*clauses[:_JUDGING_CLAUSES], *clauses[_JUDGING_CLAUSES:][-1:]]
    praise: list[str] = []
    blame: list[str] = []
    for place, clause in enumerate(chosen):
        signs = _signs(clause.text)
        if "?" in clause.end:
            continue
        core = _core(clause.text, signs.around)
        if _says(signs.blame, clause.text, core) or (place == 0 and _denies(clauses, signs, before)):
            blame.append(clause.text)
        elif _says(signs.praise, clause.text, core) or (
            # mild words are praise where they open a turn, and answer nothing
            place == 0 and before.asked is not True and _says(signs.mild, clause.text, core)
        ):
            praise.append(clause.text)
    if not praise and not blame:
        return None
    if blame and not praise:
        return Reward(BLAME, RewardKind.BLAME, tuple(blame))
    if blame or _doubtful(said, clauses):
        return Reward(0.0, RewardKind.UNSURE, (*praise, *blame))
    return Reward(PRAISE, RewardKind.PRAISE, tuple(praise))


def _denies(clauses: Sequence[_Clause], signs: _Signs, before: Before) -> bool:
    """ "No" is blame where nothing was asked, or where the right thing follows."""
    if not signs.denial.fullmatch(clauses[0].text):
        return False
    if len(clauses) > 1:
        return _signs(clauses[1].text).correction.fullmatch(clauses[1].text) is not None
    return before.asked is False


def _doubtful(said: str, clauses: Sequence[_Clause]) -> bool:
    if not _IRONIC.isdisjoint(said):
        return True
    if any("…" in clause.end or ".." in clause.end or "?" in clause.end for clause in clauses[:_JUDGING_CLAUSES]):
        return True
    return any(_signs(clause.text).doubt.search(clause.text) for clause in clauses)


def _interest(said: str, before: Before) -> Reward:
    bare = said.strip(" .!~…")
    if _signs(said).disinterest.fullmatch(bare):
        if before.asked:  # a short answer to a question is an answer
            return Reward(0.0, RewardKind.NONE)
        return Reward(DISINTEREST, RewardKind.DISINTEREST, (bare,))
    taken_up = _taken_up(said, before.recalled)
    if taken_up:
        return Reward(GOES_ON + PICKED_UP, RewardKind.PICKED_UP, taken_up)
    return Reward(GOES_ON, RewardKind.GOES_ON)


def _taken_up(said: str, keywords: Iterable[str]) -> tuple[str, ...]:
    """The keywords that come again; a Korean word may carry a particle."""
    words = _WORD.findall(said)
    found = []
    for keyword in dict.fromkeys(word.casefold() for word in keywords):
        parts = keyword.split()
        korean = language_of(keyword) is Language.KO
        if parts and all(
            any(word.startswith(part) if korean and len(part) > 1 else word == part for word in words)
            for part in parts
        ):
            found.append(keyword)
    return tuple(found)


def _plain(text: str) -> str:
    plain = unicodedata.normalize("NFC", text).replace("\u2019", "'")
    return " ".join(_QUOTED.sub(" ", plain[: 4 * _LONGEST]).casefold().split(" ")).strip()


def _clauses(said: str) -> list[_Clause]:
    found = (_Clause(" ".join(text.split()), end) for text, end in _CLAUSE.findall(said))
    return [clause for clause in found if _WORD.search(clause.text)]


def _core(clause: str, around: re.Pattern[str]) -> str:
    """The clause without what merely surrounds it; never empty."""
    last = ""
    while last != clause:
        last, clause = clause, around.sub("", clause, count=1).strip()
        if not clause:
            return last
    return clause


def _says(pattern: re.Pattern[str], clause: str, core: str) -> bool:
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
