"""The sentences of the command line, in the language of whoever reads them."""

from __future__ import annotations

from celestial_engine.errors import CelestialError, Problem

LANGUAGES = ("en", "ko")


class Texts:
    """One language's catalogue; only that one is loaded. The sentences of errors are their own."""

    def __init__(self, language: str) -> None:
        self.language = language
        if language == "ko":
            from celestial_engine.surfaces.cli.texts.ko.general import TEXTS
        else:
            from celestial_engine.surfaces.cli.texts.en.general import TEXTS
        self._texts = TEXTS

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with this key."""
        return self._texts[key].format(**fields)

    def word(self, kind: str, value: str) -> str:
        """The name of one of the engine's own words; a word nobody translated stays as it is."""
        return self._texts.get(f"{kind}.{value}", value)

    def error(self, error: CelestialError) -> str:
        """What is wrong and what to do about it."""
        return error.message(self.language)

    def problem(self, problem: Problem) -> str:
        """What is wrong, as a part of a sentence."""
        return problem.message(self.language)
