"""`memory.transfer`: export, import, coordinate documents and backups."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_limit, check_metadata, check_text
from celestial_engine.core.guard.guard import Note, trust_in
from celestial_engine.core.keeping.record_checks import check_record
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import CelestialItem, Trust
from celestial_engine.core.record.lifetimes import Tier, expiry
from celestial_engine.core.self.proposals import Channel
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.engine.proposals import ProposalArea, channel_named
from celestial_engine.engine.reading import read_archived
from celestial_engine.errors import CelestialError, InvalidInputError, NotTheUserError, WrongStateError
from celestial_engine.flow.departures import bring_in
from celestial_engine.flow.departures import retain as retaining
from celestial_engine.flow.self import approve
from celestial_engine.flow.turn import store
from celestial_engine.ports import Progress

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport
    from celestial_engine.core.keeping.imported_record import ImportedRecord
    from celestial_engine.core.paging import Page
    from celestial_engine.engine.schedule.jobs import Backups

_CURSOR = "x"
_BATCH = 500


@dataclass(frozen=True)
class Imported:
    """How many records were imported; records whose id exists are skipped."""

    added: int
    known: int


@dataclass(frozen=True)
class Adopted:
    """How many records of another system were imported; which existed, were refused (and why) or redacted, by id.

    `forgotten` were here before and were purged: deleted memories do not come back by themselves.
    """

    added: int
    known: tuple[str, ...] = ()
    forgotten: frozenset[str] = frozenset()
    refused: dict[str, CelestialError] = field(default_factory=dict)
    redacted: tuple[str, ...] = ()


class TransferArea(Area):
    """Exports memories as records, and imports them as the same memories."""

    def __init__(self, parts: Parts, backups: Backups) -> None:
        super().__init__(parts)
        self._backups = backups

    # -- out ----------------------------------------------------------------------------------------

    def export(self) -> Iterator[dict[str, Any]]:
        """Yields every memory as a JSON object, oldest first, including the cliff and archives."""
        return exported(self._parts)

    def export_page(self, limit: int = 100, cursor: str | None = None) -> Page[dict[str, Any]]:
        """The same, a page at a time."""
        from celestial_engine.core.paging import Page, cursor_of, number_at

        parts, limit = self._parts, check_limit(limit)
        after = -1 if cursor is None else number_at(_CURSOR, cursor)
        with parts.store.read() as session:
            rows = session.items.page(parts.owner, after, limit + 1)
        records = [read_archived(parts, item).to_dict() for item in parts.scored(item for _, item in rows[:limit])]
        more = 0 < limit < len(rows)
        return Page(records, cursor_of(_CURSOR, rows[limit - 1][0]) if more else None)

    def backup(
        self, path: str | os.PathLike[str] | None = None, *, force: bool = False, progress: Progress | None = None
    ) -> BackupReport:
        """Writes a verified copy of the whole database while it is in use. `force` replaces an older backup.

        Without a path it goes to the backup folder, else beside the database; in a folder it gets a generated name.
        """
        parts, now = self._parts, self._parts.now()
        report = parts.store.back_up(self._backups.target(path, now), replace=force, progress=progress)
        with parts.store.write(parts.owner, durable=False) as session:
            detail = {"memories": report.memories, "bytes": report.size_bytes}
            session.ledger.record(Event(EventType.BACKED_UP, parts.owner, now, None, detail))
        return report

    def fork(self, path: str | os.PathLike[str]) -> BackupReport:
        """Writes a verified copy of the whole database for an experiment, which synchronises under its own name.

        What happens in the copy never reaches this memory, unless somebody synchronises the two.
        """
        from celestial_engine.bootstrap import open_store
        from celestial_engine.config import StorageConfig
        from celestial_engine.flow.sync import publish

        parts, now = self._parts, self._parts.now()
        report = parts.store.back_up(self._backups.target(path, now))
        store = open_store(StorageConfig(report.path, key=parts.key))
        try:
            with store.read() as reader:
                owners = [owner for owner in reader.night.owners() if reader.sync.note(owner, "device") is not None]
            for owner in owners:
                publish.renew_device(store, owner, now, platform.node())
        finally:
            store.close()
        return report

    # -- in -----------------------------------------------------------------------------------------

    def add_coordinate(self, document: object) -> CelestialItem:
        """Stores a coordinate document with its id, time and coordinates.

        Its lifetime begins now. Links to missing memories are kept, one-sided.
        """
        from celestial_engine.core.record.coordinate_document import UNJUDGED, from_coordinate

        parts, now, item = self._parts, self._parts.now(), from_coordinate(document)
        record = parts.recorder.adopt(item, parts.owner, now, judged=item.importance_source != UNJUDGED)
        parts.be_present(new_owner=True)
        stored = store.store(
            parts.store, parts.law(), record.item, now, record.fallback_from, loosely=True, redacted=record.redacted
        )
        parts.retention.session_used(stored, parts)
        return stored

    def import_(
        self,
        records: Iterable[object],
        *,
        by: str | None = None,
        channel: Channel | str = Channel.HOST,
        dry_run: bool = False,
        file: str | None = None,
    ) -> Imported:
        """Imports the records of an export for this owner, with their ids, times and lifetimes.

        A core memory stays core if the user whom `by` names says so; otherwise it is only proposed. Works in batches:
        an unreadable record ends the import, and earlier batches stay. With `dry_run` nothing is written. `file` is
        a name by which `sources` finds them.
        """
        if by is not None and not channel_named(channel).is_the_users:
            raise NotTheUserError(proposal="import", channel=channel_named(channel).value)
        parts, added, known, remaining = self._parts, 0, 0, iter(records)
        while batch := [self._arriving(record) for record in islice(remaining, _BATCH)]:
            existing = self._existing_ids([item.id for item in batch])
            items = [replace(item, owner=parts.owner) for item in batch if item.id not in existing]
            known += len(batch) - len(items)
            if dry_run:
                for item in items:
                    check_record(item)
                added += len(items)
                continue
            parts.be_present(new_owner=True)
            core = [item.id for item in items if _was_core(item) and item.trust is not Trust.LOW]
            items = [
                _ordinary(item, parts.now()) if by is None or item.trust is Trust.LOW else item for item in items
            ]
            parts.recorder.embed(items)  # with this engine's own model
            new = bring_in.bring_in(parts.store, parts.law(), items, parts.now(), file=file)
            added, known = added + new, known + len(items) - new
            if core and new:
                self._core_arrived(core, by, channel)
        return Imported(added, known)

    def adopt(self, records: Iterable[ImportedRecord], *, dry_run: bool = False, file: str | None = None) -> Adopted:
        """Imports another system's memories for this owner, in one transaction; `importers` read its files.

        Records that were imported before are skipped, even if purged since. One that cannot be stored is reported
        with the reason; the others are imported. With `dry_run` nothing is written. `file` is a name by which
        `sources` finds them.
        """
        parts, now, imported = self._parts, self._parts.now(), list(records)
        ids = [record.item_id for record in imported]
        existing, forgotten = self._existing_ids(ids), self._forgotten(ids)
        known: list[str] = []
        items: dict[str, CelestialItem] = {}
        refused: dict[str, CelestialError] = {}
        redacted: dict[str, Sequence[Note]] = {}
        for record in imported:
            if record.item_id in existing or record.item_id in items:
                known.append(record.item_id)
                continue
            if record.item_id in forgotten or record.item_id in refused:
                continue
            try:
                item, notes = self._adopted(record, now, judge=not dry_run)
                check_record(item)
            except CelestialError as error:
                refused[record.item_id] = error
                continue
            items[item.id] = item
            if notes:
                redacted[item.id] = notes
        added = len(items)
        if items and not dry_run:
            new = list(items.values())
            parts.be_present(new_owner=True)
            parts.recorder.embed(new)
            added = bring_in.bring_in(parts.store, parts.law(), new, now, redacted, file)
        return Adopted(added, tuple(known), frozenset(forgotten - existing), refused, tuple(redacted))

    def _adopted(self, record: ImportedRecord, now: float, *, judge: bool) -> tuple[CelestialItem, Sequence[Note]]:
        from celestial_engine.core.keeping.imported_record import completed, item_from_import
        from celestial_engine.flow.turn.record import with_first_tier, with_reading

        check_text(record.content)
        check_metadata(dict(record.metadata))
        recorder = self._parts.recorder
        guarded = recorder.guard(item_from_import(record, self._parts.owner, now))
        item = guarded.item
        if judge:  # may call a language model: not in a dry run
            item = completed(item, recorder.perceiver.perceive(item.content))
            item = with_reading(item, recorder.read(item.content, None))
            item = replace(item, emotion=recorder.feel(item.content))
            judged = recorder.judge(item, record.importance)
            item = replace(item, arbitrary_importance=judged.score, importance_source=judged.source)
        elif record.importance is not None:
            item = replace(item, arbitrary_importance=record.importance)
        item = with_first_tier(replace(item, trust=_trust(item)), now)
        return item, guarded.redacted

    def _existing_ids(self, item_ids: Sequence[str]) -> set[str]:
        with self._parts.store.read() as session:
            return {item.id for item in session.items.get_many(self._parts.owner, item_ids)}

    def _forgotten(self, item_ids: Sequence[str]) -> set[str]:
        with self._parts.store.read() as session:
            return session.ledger.ids_with_event(self._parts.owner, item_ids, EventType.PURGED)

    def _core_arrived(self, item_ids: Sequence[str], by: str | None, channel: Channel | str) -> None:
        parts = self._parts
        if by is not None:
            decision = approve.UserDecision(by, channel_named(channel))
            approve.record_imported_core(parts.store, parts.owner, item_ids, decision, parts.now())
            return
        with parts.store.read() as session:
            waiting = [item.id for item in session.items.get_many(parts.owner, item_ids) if item.tier is Tier.M365]
        for item_id in waiting:
            with suppress(InvalidInputError, WrongStateError):  # a full inbox, low trust, or on the cliff
                ProposalArea(parts).core(item_id, by="import", channel=Channel.AGENT)

    def _arriving(self, record: object) -> CelestialItem:
        item = CelestialItem.from_dict(record)
        check_text(item.content)
        item = self._parts.recorder.guard(item).item
        if _trust(item) is Trust.LOW:
            item = replace(item, trust=Trust.LOW)
        if item.state is State.ARCHIVED:  # its archive file is elsewhere; the record has the text
            item = replace(item, state=State.ACTIVE)
        return item


def exported(parts: Parts) -> Iterator[dict[str, Any]]:
    """Yields the records of one owner, with the texts of archived memories."""
    key, at_hand = -1, dict[str, CelestialItem]()
    while True:
        # Read in pages: a slow caller must not hold a session open.
        with parts.store.read() as session:
            page = session.items.page(parts.owner, key, _BATCH)
        if not page:
            return
        for item in parts.scored(item for _, item in page):
            if item.state is not State.ARCHIVED:
                yield item.to_dict()
                continue
            if item.id not in at_hand:  # neighbours are usually in the same file, which is read once
                contents = retaining.contents_of(parts.store, parts.owner, item.id)
                at_hand = {memory.item.id: memory.item for memory in (contents.memories if contents else ())}
            whole = at_hand.get(item.id)
            yield (item if whole is None else replace(whole, state=State.ARCHIVED)).to_dict()
        key = page[-1][0]


def _trust(item: CelestialItem) -> Trust:
    """Returns low trust if the text, gist or triples read like an instruction."""
    texts = (item.content, item.resolution.gist or "", *(" ".join(triple) for triple in item.resolution.triples))
    return Trust.LOW if any(trust_in(text) is Trust.LOW for text in texts) else Trust.NORMAL


def _was_core(item: CelestialItem) -> bool:
    return item.tier is Tier.M0 or item.protection is Protection.CORE


def _ordinary(item: CelestialItem, now: float) -> CelestialItem:
    """Returns the memory without core status and island, which only an approval here can give."""
    item = replace(item, links=replace(item.links, island=None))
    if not _was_core(item):
        return item
    return replace(item, tier=Tier.M365, protection=Protection.NONE, expires_at=expiry(Tier.M365, now))
