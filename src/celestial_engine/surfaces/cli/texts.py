"""The sentences of the command line, in the language of whoever reads them."""

from __future__ import annotations

from celestial_engine.errors import CelestialError

LANGUAGES = ("en", "ko")
_TRANSLATED_DETAILS = ("field", "reason", "action", "state", "protection")


class Texts:
    """One language's catalogue; only that one is loaded."""

    def __init__(self, language: str) -> None:
        self.language = language
        if language == "ko":
            from celestial_engine.surfaces.cli.texts_ko import DETAILS, ERRORS, TEXTS
        else:
            from celestial_engine.surfaces.cli.texts_en import DETAILS, ERRORS, TEXTS
        self._texts, self._errors, self._details = TEXTS, ERRORS, DETAILS

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with this key."""
        return self._texts[key].format(**fields)

    def word(self, kind: str, value: str) -> str:
        """The name of one of the engine's own words; a word nobody translated stays as it is."""
        return self._texts.get(f"{kind}.{value}", value)

    def error(self, error: CelestialError) -> str:
        """What is wrong and what to do about it."""
        parts = self._errors.get(error.code)
        if parts is None:  # the errors themselves speak English
            return str(error)
        details = {name: self._detail(name, value) for name, value in error.details.items()}
        return " ".join(part.format(**details) for part in parts if part)

    def _detail(self, name: str, value: object) -> object:
        if name in _TRANSLATED_DETAILS and isinstance(value, str):
            return self._details.get(value, value)
        return value
