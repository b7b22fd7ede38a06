"""One search for the hints of all rules: most texts contain none, and cost little more than this search."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from celestial_engine.core.patterns import compiled

DIGIT = "digit"  # first of the hints of a rule that needs a digit in the text


class Prefilter(NamedTuple):
    """Hints as one pattern. A group of hints has a number, and is a bit in the masks."""

    pattern: str
    masks: dict[str, int]
    needing_digit: int
    digit_alone: int

    @classmethod
    def of(cls, groups: Iterable[tuple[str, ...]]) -> Prefilter:
        own: dict[str, int] = {}
        needing_digit = digit_alone = 0
        for number, hints in enumerate(groups):
            words = hints[1:] if hints[0] == DIGIT else hints
            needing_digit |= (hints[0] == DIGIT) << number
            digit_alone |= (not words) << number
            for word in words:
                own[word] = own.get(word, 0) | 1 << number
        # the longest hint at a place is found: it also counts for the hints that it begins with
        masks = dict.fromkeys(own, 0)
        for word in own:
            for end in range(1, len(word) + 1):
                masks[word] |= own.get(word[:end], 0)
        return cls(trie(sorted(own)), masks, needing_digit, digit_alone)

    def __call__(self, text: str) -> int:
        """Returns the groups that a text has a hint of, as a mask."""
        lower, at, mask = text.lower(), 0, 0
        search = compiled(self.pattern).search
        while found := search(lower, at):
            mask |= self.masks[found[0]]
            at = found.start() + 1
        if compiled("[0-9]").search(text):
            return mask | self.digit_alone
        return mask & ~self.needing_digit


def trie(words: list[str]) -> str:
    """Returns a pattern for any of the words, longest first, in which words share their beginnings."""
    branches: dict[str, list[str]] = {}
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
    parts = [re.escape(first) + trie(rest) for first, rest in branches.items()]
    if not parts:
        return ""
    joined = parts[0] if len(parts) == 1 and "" not in words else f"(?:{'|'.join(parts)})"
    return f"{joined}?" if "" in words else joined
