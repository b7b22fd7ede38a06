"""`memory.ledger`: the events, verification of the hash chain, undo and the past."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_id, check_limit, check_time
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine.parts import Area
from celestial_engine.errors import Expected, InvalidInputError, Reason, StorageError, os_problem
from celestial_engine.flow.ledger import anchor, compress, past, undo, verify

if TYPE_CHECKING:
    from celestial_engine.core.ledger.chain import Head
    from celestial_engine.core.ledger.proof import ProofCheck
    from celestial_engine.core.paging import Page
    from celestial_engine.engine.past import Past
    from celestial_engine.flow.ledger.verify import Verification

_EVENTS = "e"


class LedgerArea(Area):
    """The append-only log of every change, as a hash chain for each owner."""

    def history(self, item_id: str | None = None, limit: int = 100) -> Sequence[Event]:
        """Returns ledger entries, newest first; of one memory, or of all."""
        with self._parts.store.read() as session:
            return session.ledger.events(self._parts.owner, item_id and check_id(item_id), check_limit(limit))

    def history_page(self, item_id: str | None = None, limit: int = 100, cursor: str | None = None) -> Page[Event]:
        """The same, a page at a time."""
        from celestial_engine.core.paging import Page, cursor_of, number_at

        owner, about, limit = self._parts.owner, item_id and check_id(item_id), check_limit(limit)
        until = None if cursor is None else number_at(_EVENTS, cursor)
        with self._parts.store.read() as session:
            events = session.ledger.events(owner, about, limit + 1, until)
        more = events[limit].number if 0 < limit < len(events) else None
        return Page(events[:limit], None if more is None else cursor_of(_EVENTS, more))

    def since(self, number: int, limit: int = 500) -> Sequence[Event]:
        """Returns this owner's entries after that number, oldest first, whichever process wrote them."""
        with self._parts.store.read() as session:
            return session.ledger.events_since(self._parts.owner, number, None, check_limit(limit))

    def notices(self, limit: int = 20) -> Sequence[Event]:
        """Returns the user's notifications, such as a shaking island; newest first."""
        with self._parts.store.read() as session:
            return session.ledger.latest(self._parts.owner, (EventType.NOTICED,), check_limit(limit))

    def log(
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
    ) -> Event:
        """Appends a host program's event to the ledger, permanently.

        Long texts and all prompts become digests.
        """
        from celestial_engine.core.ledger.host_events import host_event

        parts, guard = self._parts, Guard(self._parts.guard)
        event = host_event(
            parts.owner, parts.now(), session_id, event_type, persona_id, memory_id, memory_refs,
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
        with parts.store.write(parts.owner) as session:
            number = session.ledger.record(event)
            written = session.ledger.event(parts.owner, number)
        return event if written is None else written

    def file(self) -> str | None:
        """Returns the path of today's ledger file; None without a mirror."""
        mirror = self._parts.store.mirror
        return None if mirror is None else mirror.file_of(self._parts.now())

    def head(self) -> Head | None:
        """Returns the number and hash of this owner's newest entry, to save elsewhere: `str(head)`."""
        with self._parts.store.read() as session:
            return session.ledger.head(self._parts.owner)

    def newest_anchor(self) -> Head | None:
        """Returns the number and hash of the newest anchor over all owners' chains, to save elsewhere."""
        with self._parts.store.read() as session:
            return session.ledger.newest_anchor()

    def anchor(self) -> Head | None:
        """Writes an anchor over all owners' chains, as sleep does every night; None if no chain has grown."""
        from celestial_engine.core.ledger.chain import Head

        written = anchor.anchor(self._parts.store, self._parts.now())
        return None if written is None else Head(written.number, written.hash)

    def verify(
        self, head: Head | str | None = None, *, anchor: Head | str | None = None, all_owners: bool = True
    ) -> Verification:
        """Verifies the hash chain of every owner, the anchors and the daily files; or of this owner alone.

        `head` is a head of this owner's chain that was saved elsewhere, `anchor` that of the anchors.
        """
        from celestial_engine.core.ledger.chain import Head

        saved_head, saved_anchor = (None if text is None else Head.read(str(text)) for text in (head, anchor))
        return verify.verify(self._parts.store, self._parts.owner, saved_head, saved_anchor, all_owners=all_owners)

    def prove_purged(self, item_ids: Sequence[str]) -> dict[str, Any]:
        """Returns a document that proves to others that these memories were purged; `check_proof` checks it.

        It has the ledger's entries from the first purge on and an anchor, which is written if there is none.
        """
        from celestial_engine.flow.ledger import prove

        ids = [check_id(item_id) for item_id in ([item_ids] if isinstance(item_ids, str) else item_ids)]
        if not ids:
            raise InvalidInputError("ids", Reason.EMPTY)
        return prove.prove_purged(self._parts.store, self._parts.owner, ids, self._parts.now())

    def check_proof(self, document: object, anchor: Head | str | None = None) -> ProofCheck:
        """Checks such a document, of any database; `anchor` is one that you were given another way."""
        from celestial_engine.core.ledger.chain import Head
        from celestial_engine.core.ledger.proof import check_proof

        return check_proof(document, None if anchor is None else Head.read(str(anchor)))

    def repair(self) -> int:
        """Writes the lines that the daily files lack, and returns how many."""
        store = self._parts.store
        try:
            return verify.repair(store)
        except OSError as error:
            raise StorageError(store.mirror.path if store.mirror else store.path, os_problem(error)) from error

    def compress(self) -> Sequence[str]:
        """Compresses the daily files of past months, as sleep does, and returns the names of the compressed ones."""
        store = self._parts.store
        try:
            return compress.compress_past_months(store, self._parts.now())
        except OSError as error:
            raise StorageError(store.mirror.path if store.mirror else store.path, os_problem(error)) from error

    def undo(self, number: int) -> CelestialItem:
        """Restores a memory as it was before the event with this number; recalls since stay counted."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < 1 << 63:
            raise InvalidInputError("event", Reason.WRONG_VALUE, expected=Expected.EVENT_NUMBER, got=number)
        parts = self._parts
        text = undo.text_to_return(parts.store, parts.owner, number)
        vector = None if text is None else parts.embedding.passage(text)
        with parts.recording_refusals(None):
            parts.be_present()
            return undo.undo(parts.store, parts.law(), parts.owner, number, parts.now(), vector)

    def as_of(self, moment: float | datetime) -> Past:
        """Returns the memories as they were at a moment (seconds since 1970, or a datetime), read-only.

        Memories purged since are missing. Zones are those of the scores at that time.
        """
        from celestial_engine.engine.past import open_past

        at = check_time(moment.timestamp() if isinstance(moment, datetime) else moment)
        then = past.memories_at(self._parts.store, self._parts.owner, at)
        self._parts.recorder.embed([item for item in then.items if item.id in then.reworded])
        return open_past(self._parts, at, then)
