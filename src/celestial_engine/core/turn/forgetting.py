"""What became of a request to forget, and how a language model is told about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.framing import escape_for_prompt
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.lang.en import forgetting as en
from celestial_engine.lang.ko import forgetting as ko

_MOST_QUOTED, _MOST_CHARACTERS = 10, 120


class ForgetOutcome(str, Enum):
    FORGOTTEN = "forgotten"
    CONFIRM = "confirm"  # nothing was changed: say which by passing ids to forget()
    PROTECTED = "protected"  # all that match are protected
    NOTHING = "nothing"  # nothing stored matches
    UNCLEAR = "unclear"  # it does not say what to forget


@dataclass(frozen=True)
class Forgetting:
    """What a turn asked to forget, and what was done. What was forgotten can be restored for seven days."""

    outcome: ForgetOutcome
    about: str  # what to forget, in the user's words
    forgotten: tuple[CelestialItem, ...] = ()
    to_confirm: tuple[CelestialItem, ...] = ()
    protected: tuple[CelestialItem, ...] = ()  # match too, but are never forgotten by what is said in a turn
    more: bool = False  # more memories match than are listed

    @property
    def notice(self) -> str:
        """What a language model needs to reply truthfully; memories are quoted as data, forgotten ones not at all."""
        words = (ko if language_of(self.about) is Language.KO else en).NOTICES
        about = escape_for_prompt(self.about[:_MOST_CHARACTERS])
        count = f"{len(self.to_confirm)}+" if self.more else str(len(self.to_confirm) or len(self.forgotten))
        lines = [words[self.outcome.value].format(about=about, count=count)]
        lines += [_quoted(item) for item in self.to_confirm[:_MOST_QUOTED]]
        if self.protected:
            lines += [words["kept"], *(_quoted(item) for item in self.protected[:_MOST_QUOTED])]
        return "\n".join(lines) + "\n"


def _quoted(item: CelestialItem) -> str:
    text = escape_for_prompt(item.content[:_MOST_CHARACTERS]).replace('"', "'")
    return f'- {item.id}: "{text}"'
