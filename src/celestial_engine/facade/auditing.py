"""Auditing: what happened, whether the ledger is true, and going back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_limit, check_time
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.learning.reranker import Reranker
from celestial_engine.core.record.events import Event, moment_of
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.ranking import RecallSettings
from celestial_engine.errors import InvalidInputError, StorageError
from celestial_engine.facade.ground import Ground
from celestial_engine.flow.base.embed import Embedding
from celestial_engine.flow.ledger import past, undo, verify
from celestial_engine.ports import ItemStore

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.facade.past import Past
    from celestial_engine.flow.ledger.verify import Verification


class Auditing(Ground):
    """The ledger, for the host program and for whoever wants to know."""

    _embedding: Embedding
    _recall_settings: RecallSettings
    _reranker: Reranker
    _empty_store: Callable[[], ItemStore]

    def log_event(
        self,
        session_id: str,
        event_type: str,
        persona_id: str | None = None,
        memory_id: str | None = None,
        bqi_coordinate: dict[str, Any] | None = None,
        evaluation: dict[str, Any] | None = None,
        plan_adjustment: dict[str, Any] | None = None,
        *,
        memory_refs: Iterable[str] = (),
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Event:
        """Writes what the host program did into the ledger, where it stays for good.

        So long texts, and whatever is called a prompt, become digests.
        """
        from celestial_engine.core.ledger.host_events import host_event

        owner, guard = self._owner.but(user_id, agent_id), Guard(self._guard_policy)
        event = host_event(
            owner, self._now(), session_id, event_type, persona_id, memory_id, memory_refs,
            bqi_coordinate, evaluation, plan_adjustment,
        )  # fmt: skip
        clean = guard.metadata
        event = replace(
            event,
            persona_id=None if event.persona_id is None else guard.text(event.persona_id),
            evaluation=clean(event.evaluation),
            plan_adjustment=clean(event.plan_adjustment),
            bqi_coordinate=clean(event.bqi_coordinate),
        )
        with self._store.write(owner) as session:
            number = session.ledger.record(event)
            written = session.ledger.event(owner, number)
        return event if written is None else written

    @property
    def ledger_file(self) -> str | None:
        """The daily file that today's entries go to; None where there is no mirror."""
        mirror = self._store.mirror
        return None if mirror is None else mirror.file_of(self._now())

    def ledger_head(self) -> Head | None:
        """The newest entry's number and hash, to be kept elsewhere: `str(head)`."""
        with self._store.read() as session:
            return session.ledger.head()

    def events_since(
        self, number: int, limit: int = 500, *, user_id: str | None = None, agent_id: str | None = None
    ) -> Sequence[Event]:
        """What the ledger says of this owner after the entry of that number, oldest first, whoever wrote it."""
        with self._store.read() as session:
            return session.ledger.events_since(self._owner.but(user_id, agent_id), number, None, check_limit(limit))

    def verify_ledger(self, head: Head | str | None = None) -> Verification:
        """Whether the ledger of all owners is what it was; `head` is one that was kept elsewhere."""
        from celestial_engine.core.ledger.chain import Head

        return verify.verify(self._store, Head.read(str(head)) if head is not None else None)

    def repair_ledger(self) -> int:
        """Writes what the ledger's daily files lack; gives how many lines."""
        with_files = self._store.mirror
        try:
            return verify.repair(self._store)
        except OSError as error:
            raise StorageError(path=with_files.path if with_files else self.path, reason=str(error)) from error

    def compress_ledger(self) -> Sequence[str]:
        """Packs the ledger's daily files of past years; gives the names of the packed ones."""
        mirror = self._store.mirror
        if mirror is None:
            return []
        try:
            return mirror.compress(moment_of(self._now()).year)
        except OSError as error:
            raise StorageError(path=mirror.path, reason=str(error)) from error

    def undo(self, number: int, *, user_id: str | None = None, agent_id: str | None = None) -> CelestialItem:
        """Puts a memory back as it was before the event with this number, keeping what was recalled since."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 63:
            raise InvalidInputError(field="event", reason=f"it is {number!r}, not the number of an event")
        owner = self._owner.but(user_id, agent_id)
        text = undo.text_to_return(self._store, owner, number)
        vector = None if text is None else self._embedding.passage(text)
        with self._telling_refusals(owner, None):
            return undo.undo(self._store, self._zones.law, owner, number, self._now(), vector)

    def as_of(self, moment: float | datetime, *, user_id: str | None = None, agent_id: str | None = None) -> Past:
        """The memories as they were at a moment (seconds since 1970, or a datetime), to look at.

        Those purged since are not among them. Zones are those of the scores then.
        """
        from celestial_engine.facade.past import Past

        if isinstance(moment, datetime):
            moment = moment.timestamp()
        owner, moment = self._owner.but(user_id, agent_id), check_time(moment)
        then = past.remembered(self._store, owner, moment)
        reworded = [item for item in then.items if item.id in then.reworded]
        vectors = self._embedding.passages([item.content for item in reworded])
        for item, vector in zip(reworded, vectors, strict=True):
            item.embedding = vector
        return Past(
            moment, then, owner, self._zones.law, self._store, self._empty_store(),
            self._embedding, self._recall_settings, self._reranker,
        )  # fmt: skip
