"""The sentences of the command line, in the language of whoever reads them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from celestial_engine.errors import CelestialError, Problem

LANGUAGES = ("en", "ko")


class Texts:
    """The catalogue of one language. Most commands need a part of it, and nothing else is loaded for
    them. The sentences of errors are their own.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._package = f"celestial_engine.surfaces.cli.texts.{language}"
        self._texts: dict[str, str] = import_module(f"{self._package}.common").COMMON

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with this key."""
        return str((self._texts.get(key) or self._whole.TEXTS[key]).format(**fields))

    def about(self, text: str, otherwise: str | None = None) -> str:
        """What the declaration of an operation says in English, in this language."""
        return str(import_module(f"{self._package}.operations").OPERATIONS.get(text) or otherwise or text)

    def word(self, kind: str, value: str) -> str:
        """The name of one of the engine's own words; a word nobody translated stays as it is."""
        key = f"{kind}.{value}"
        return str(self._texts.get(key) or self._whole.TEXTS.get(key) or value)

    @property
    def _whole(self) -> Any:
        return import_module(f"{self._package}.general")

    def error(self, error: CelestialError) -> str:
        """What is wrong and what to do about it."""
        return error.message(self.language)

    def problem(self, problem: Problem) -> str:
        """What is wrong, as a part of a sentence."""
        return problem.message(self.language)
