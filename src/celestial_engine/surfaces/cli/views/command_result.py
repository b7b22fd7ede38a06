"""What a view of the command line receives."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.cli.views.format import headed
from celestial_engine.surfaces.operations.declaration import Caller


class CommandResult(NamedTuple):
    """The answer of an operation, its request and its caller; `before`: what the view read before it ran."""

    console: Console
    caller: Caller
    request: Any
    answer: Any
    before: Any = None

    @property
    def now(self) -> float:
        return time.time()

    @property
    def texts(self) -> Texts:
        return self.console.texts

    def say(self, key: str, **fields: object) -> None:
        self.console.say(self.texts(key, **fields))

    def say_table(
        self, names: Sequence[str], rows: Sequence[Sequence[str]], if_empty: str, right: Sequence[int] = ()
    ) -> None:
        """Prints a table, or the text `if_empty` where it would have no rows."""
        if rows:
            self.console.say(*headed(self.texts, names, rows, right))
        else:
            self.say(if_empty)


View = Callable[[CommandResult], None]
Before = Callable[[Caller, Any], Any]  # looks, or refuses, before the operation runs
ExitCode = Callable[[CommandResult], int]
