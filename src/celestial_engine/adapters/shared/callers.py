"""The owner of a run: fixed names, or functions that derive them from the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from celestial_engine.adapters.shared.memory_tools import Caller
from celestial_engine.core.record.owner import Owner

Run = TypeVar("Run")
NameSource: TypeAlias = str | Callable[[Run], str] | None


@dataclass(frozen=True)
class Callers(Generic[Run]):
    """The user and the agent of each run; None means the engine's own owner."""

    user_id: NameSource[Run]
    agent_id: NameSource[Run]

    def __post_init__(self) -> None:
        fixed = (None if callable(name) else name for name in (self.user_id, self.agent_id))
        Owner().with_ids(*fixed)  # raises for invalid names

    def of(self, run: Run, session_id: str | None) -> Caller:
        """The caller of this run; raises if a function returns no name, instead of using another owner's memory."""
        user_id, agent_id = _resolved(self.user_id, run), _resolved(self.agent_id, run)
        Owner().with_ids(user_id, agent_id)
        return Caller(user_id, agent_id, session_id)


def _resolved(source: NameSource[Run], run: Run) -> str | None:
    if not callable(source):
        return source
    # None would mean the engine's own owner, which a run without a user must never reach.
    return source(run) or ""
