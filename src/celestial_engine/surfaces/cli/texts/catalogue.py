"""The sentences of the command line, in the language of whoever reads them."""

from __future__ import annotations

import re

from celestial_engine.errors import CelestialError

LANGUAGES = ("en", "ko")
_TRANSLATED_DETAILS = ("field", "reason", "action", "state", "protection")
# Korean particles follow the sound before them: 내용이, 태그가.
_PARTICLE = re.compile(r"\{field\}(이\(가\)|을\(를\)|은\(는\))")


class Texts:
    """One language's catalogue; only that one is loaded."""

    def __init__(self, language: str) -> None:
        self.language = language
        if language == "ko":
            from celestial_engine.surfaces.cli.texts.ko.general import DETAILS, ERRORS, PATTERNS, TEXTS
        else:
            from celestial_engine.surfaces.cli.texts.en.general import DETAILS, ERRORS, PATTERNS, TEXTS
        self._texts, self._errors, self._details, self._patterns = TEXTS, ERRORS, DETAILS, PATTERNS

    def __call__(self, key: str, **fields: object) -> str:
        """The sentence with this key."""
        return self._texts[key].format(**fields)

    def word(self, kind: str, value: str) -> str:
        """The name of one of the engine's own words; a word nobody translated stays as it is."""
        return self._texts.get(f"{kind}.{value}", value)

    def error(self, error: CelestialError) -> str:
        """What is wrong and what to do about it."""
        parts = self._errors.get(f"{error.code}/{error.details.get('action')}") or self._errors.get(error.code)
        if parts is None:  # the errors themselves speak English
            return str(error)
        details = {name: self._detail(name, value) for name, value in error.details.items()}
        field = str(details.get("field", ""))
        return " ".join(
            _PARTICLE.sub(lambda found: "{field}" + _particle(field, found[1]), part).format(**details)
            for part in parts
            if part
        )

    def remark(self, text: str) -> str:
        """What the engine or the system remarks, as far as it is known here; else as it is."""
        if text in self._details:
            return self._details[text]
        for pattern, translation in self._patterns.items():
            found = re.fullmatch(pattern, text)
            if found:
                return translation.format(*found.groups())
        # Several mistakes may be told at once; each is known by itself.
        first, separator, rest = text.partition("; ")
        return f"{self.remark(first)}; {self.remark(rest)}" if separator else text

    def _detail(self, name: str, value: object) -> object:
        return self.remark(value) if name in _TRANSLATED_DETAILS and isinstance(value, str) else value


def _particle(word: str, pair: str) -> str:
    """Of 이(가) the one that fits the word; both where the word does not tell."""
    if not word or not "가" <= word[-1] <= "힣":
        return pair
    return pair[0] if (ord(word[-1]) - ord("가")) % 28 else pair[2]
