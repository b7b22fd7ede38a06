"""Korean morphemes from the package kiwipiepy, beside syllable pairs: together they find more than either."""

from __future__ import annotations

import re
from functools import cached_property
from importlib import import_module
from importlib.metadata import version
from threading import Lock
from typing import Any

from celestial_engine.core.text.words import ANALYSER, PairsAndStems, bounded, index_words, query_words
from celestial_engine.errors import ConfigError, Reason

_HANGUL = r"[가-힣]"
# Nouns, verbs, adjectives, adverbs and roots carry the content. Particles and endings do not.
_CONTENT_TAGS = frozenset(["NNG", "NNP", "NNB", "NR", "NP", "VV", "VA", "MAG", "XR", "XPN"])
_MOST_CHARACTERS = 20_000


class KiwiAnalyser(PairsAndStems):
    """Loads the model with the first Korean text."""

    def __init__(self) -> None:
        self._lock = Lock()

    @cached_property
    def name(self) -> str:  # type: ignore[override]
        # Another version may split differently, so it counts as another analyser.
        return f"kiwi-{version('kiwipiepy')}-{ANALYSER}"

    def index_words(self, text: str) -> list[str]:
        return index_words(text) + self._morphemes(text)

    def query_words(self, text: str) -> list[str]:
        return query_words(text) + bounded(list(dict.fromkeys(self._morphemes(text))))

    def _morphemes(self, text: str) -> list[str]:
        """Marks morphemes with a k, so that none equals a syllable pair."""
        if not re.search(_HANGUL, text):
            return []
        with self._lock:
            tokens = self._kiwi.tokenize(text[:_MOST_CHARACTERS])
        forms = (token.form for token in tokens if token.tag.partition("-")[0] in _CONTENT_TAGS)
        return ["k" + form for form in forms if re.fullmatch(r"[가-힣]+", form)]

    @cached_property
    def _kiwi(self) -> Any:
        try:
            return import_module("kiwipiepy").Kiwi(num_workers=1)
        except ImportError as error:
            from celestial_engine.install_hints import install_command

            install = install_command("korean")
            raise ConfigError(
                "words", Reason.PACKAGE_MISSING, package="kiwipiepy", cause=str(error), install=install
            ) from error
