"""`memory.sources`: what came from a memory, a session or an import, and letting all of it go."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from uuid import uuid4

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine.ledger import LedgerArea
from celestial_engine.engine.parts import Area
from celestial_engine.errors import Reason, SourceNotFoundError, UndoError
from celestial_engine.flow.departures import trace as tracing
from celestial_engine.flow.departures.trace import Trace
from celestial_engine.ports import Reader

__all__ = ["Retraction", "SourceKind", "SourcesArea", "Trace"]


class SourceKind(str, Enum):
    """What a name stands for."""

    MEMORY = "memory"
    SESSION = "session"
    IMPORT = "import"


@dataclass(frozen=True)
class Retraction:
    """What a retraction let go, or would. `event` undoes it; None if nothing was there to let go."""

    trace: Trace
    event: int | None = None
    dry_run: bool = False


class SourcesArea(Area):
    """Traces and retracts sources of this owner's memories."""

    def trace(self, which: str, kind: SourceKind | str | None = None) -> Trace:
        """Returns everything derived from a memory, a session or an import.

        Without a kind it is looked up as a memory, then as a session, then as an import: a format such as `mem0`,
        then the name of a file or a folder.
        """
        with self._parts.store.read() as session:
            return tracing.trace(session, self._parts.owner, self._ids(session, which, kind))

    def retract(self, which: str, kind: SourceKind | str | None = None, *, dry_run: bool = False) -> Retraction:
        """Lets a source and everything made of it alone go over the cliff, in one transaction.

        Statements that it had ended hold again. Core and immutable memories stay. With `dry_run` nothing is written.
        """
        parts = self._parts
        with parts.store.read() as session:
            ids = self._ids(session, which, kind)
            traced = tracing.trace(session, parts.owner, ids)
        if dry_run:
            return Retraction(traced, dry_run=True)
        parts.be_present()
        numbers = tracing.retract(parts.store, parts.law(), parts.owner, ids, uuid4().hex, parts.now())
        return Retraction(traced, numbers[-1] if numbers else None)

    def undo(self, event: int) -> Sequence[CelestialItem]:
        """Takes a whole retraction back; `event` is the number that it returned, or any other of its events."""
        with self._parts.store.read() as session:
            numbers = tracing.events_of_retraction(session, self._parts.owner, event)
        if not numbers:
            raise UndoError(event, Reason.NO_RETRACTION)
        ledger = LedgerArea(self._parts)
        return [ledger.undo(number) for number in numbers]

    def _ids(self, session: Reader, which: str, kind: SourceKind | str | None) -> list[str]:
        owner, wanted = self._parts.owner, None if kind is None else SourceKind(kind)
        name = os.path.basename(os.path.normpath(which))  # of an import: a path may be given
        if wanted in (None, SourceKind.MEMORY) and session.items.get(owner, which) is not None:
            return [which]
        if wanted in (None, SourceKind.SESSION) and (found := tracing.sources_of_session(session, owner, which)):
            return found
        if wanted in (None, SourceKind.IMPORT) and (found := tracing.sources_of_import(session, owner, name)):
            return found
        raise SourceNotFoundError(which)
