"""On whose behalf a run is: a fixed owner, or whoever a function of the run names."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from celestial_engine.adapters.shared.memory_tools import For
from celestial_engine.core.record.owner import Owner

Run = TypeVar("Run")
Whose: TypeAlias = str | Callable[[Run], str] | None


@dataclass(frozen=True)
class Callers(Generic[Run]):
    """The user and the agent of each run; None is the memory's own."""

    user_id: Whose[Run]
    agent_id: Whose[Run]

    def __post_init__(self) -> None:
        fixed = (None if callable(whose) else whose for whose in (self.user_id, self.agent_id))
        Owner().but(*fixed)  # refuses what is no name

    def of(self, run: Run, session_id: str | None) -> For:
        """Whom this run names; a function that names nobody is an error, not somebody else's memory."""
        user_id, agent_id = _named(self.user_id, run), _named(self.agent_id, run)
        Owner().but(user_id, agent_id)
        return For(user_id, agent_id, session_id)


def _named(whose: Whose[Run], run: Run) -> str | None:
    if not callable(whose):
        return whose
    # None would mean the memory's own owner, whom a run that should name its user must never reach.
    return whose(run) or ""
