"""Import a file in batches; importing the same file again adds nothing twice."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.core.turn.policy import Action, DecisionReason
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ImportSourceError, InvalidInputError, NotFoundError, Reason
from celestial_engine.importers import bundle, celestial
from celestial_engine.importers.formats import AUTO, FORMATS, MAPPABLE_FORMATS, detect_format
from celestial_engine.importers.reading import UnusableEntry
from celestial_engine.importers.report import ImportReport, Tally

Progress = Callable[[int, int], None]

BATCH = 200
_BATCH_CHARACTERS = 4 << 20  # of texts; texts may be large, and a batch is held in memory
_CHECKED_EVERY = 10_000  # entries between two calls of `progress` while a source is checked
_CONTEXT_TURNS = 4  # previous turns passed to `decide` as context
_MAX_NAMES_SHOWN = 5
_OWN = (celestial.NAME, bundle.NAME)


def import_from(
    memory: CelestialMemory,
    path: str | os.PathLike[str],
    kind: str = AUTO,
    *,
    mapping: Mapping[str, str] | None = None,
    user: str | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    by: str | None = None,
    channel: str = "host",
    user_id: str | None = None,
    agent_id: str | None = None,
) -> ImportReport:
    """Import the memories of another system, or an export of this one; `FORMATS` lists the formats.

    `mapping` maps meanings to the fields of a JSONL or CSV file. `user` selects one user of a shared source. Each
    batch is a transaction: an interrupted import can be run again and continues. With `dry_run` nothing is written.
    `progress` is called with the entries done and all entries; all are 0 while a large source is being checked.
    `by` and `channel` record the user's consent for core memories, as for `import_memories`. With `by`, core memories
    need the explicit format "celestial": detection alone can be fooled by a file that looks like an export.
    """
    source, chosen = os.fspath(path), dict(mapping or {})
    if not os.path.exists(source):
        raise ImportSourceError(source, Reason.NO_SUCH_FILE)
    if not (os.path.isfile(source) or os.path.isdir(source)):  # a pipe cannot be read twice
        raise ImportSourceError(source, Reason.NOT_A_FILE)
    format_name = detect_format(source, mapped=bool(chosen)) if kind == AUTO else _checked_format(kind)
    if chosen and format_name not in MAPPABLE_FORMATS:
        raise InvalidInputError("map", Reason.MAP_NOT_USED, got=format_name)
    # A name that is no text could not be written down.
    name = os.path.basename(os.path.abspath(source)).encode("utf-8", "replace").decode()
    target = _Target(memory.of(user_id, agent_id), dry_run, by, channel, name)
    read = FORMATS[format_name].read
    total = _check_source(source, read(source, chosen), user, vouched=by is None or kind in _OWN, progress=progress)
    tally, messages = Tally(), _MessageFilter(target)
    for batch in _batches(read(source, chosen)):
        tally.read += len(batch)
        entries = [entry for entry in batch if _is_wanted(entry, user, tally)]
        if format_name in _OWN:
            _import_own(target, entries, tally)
        else:
            _import_foreign(target, [entry for entry in entries if messages.keeps(entry, tally)], tally)
        if progress is not None:
            progress(tally.read, total)
    return tally.report(source, format_name, dry_run=dry_run)


@dataclass(frozen=True)
class _Target:
    """Where to import: the engine of one owner, whose consent applies, and the name of the file."""

    memory: CelestialMemory
    dry_run: bool
    by: str | None
    channel: str
    file: str


def _checked_format(kind: str) -> str:
    if kind not in FORMATS:
        raise InvalidInputError("format", Reason.UNKNOWN_CHOICE, got=kind, choices=(AUTO, *FORMATS))
    return kind


def _check_source(
    path: str, entries: Iterable[Any], user: str | None, *, vouched: bool, progress: Progress | None
) -> int:
    """Count the entries, and refuse the source before anything is written.

    A source of several users needs a chosen one: their memories must not be mixed. Core memories need a format that
    the user named: consent given for a guessed format is no consent.
    """
    users: Counter[str] = Counter()
    total = core = 0
    for entry in entries:
        total += 1
        if progress is not None and total % _CHECKED_EVERY == 0:
            progress(total, 0)
        if isinstance(entry, ImportedRecord):
            users.update([] if entry.user is None else [entry.user])
        elif not isinstance(entry, UnusableEntry):
            core += celestial.is_core(entry[1])
    if core and not vouched:
        raise ImportSourceError(path, Reason.CORE_INSIDE, count=core)
    if user is None and len(users) > 1:
        more = ", …" if len(users) > _MAX_NAMES_SHOWN else ""
        names = ", ".join(name for name, _ in users.most_common(_MAX_NAMES_SHOWN)) + more
        raise ImportSourceError(path, Reason.SEVERAL_USERS, count=len(users), names=names)
    if user is not None and user not in users:
        raise ImportSourceError(path, Reason.NO_SUCH_USER, got=user)
    return total


def _is_wanted(entry: object, user: str | None, tally: Tally) -> bool:
    """Whether the entry is a memory of the chosen user; if not, the tally counts it as skipped."""
    if isinstance(entry, UnusableEntry):
        tally.skip(entry.where, entry.reason)
        return False
    if user is not None and isinstance(entry, ImportedRecord) and entry.user != user:
        tally.skip(entry.where, "other_user")
        return False
    return True


def _import_foreign(target: _Target, records: list[ImportedRecord], tally: Tally) -> None:
    result = target.memory.transfer.adopt(records, dry_run=target.dry_run, file=target.file)
    tally.added += result.added
    tally.known += len(result.known)
    tally.redacted += len(result.redacted)
    new_ids = Counter(record.item_id for record in records) - Counter(result.known)
    for record in records:
        error = result.refused.get(record.item_id)
        if error is not None:
            tally.skip(record.where, error.code, str(error))
        elif record.item_id in result.forgotten:
            tally.skip(record.where, "forgotten")
        else:
            if record.zone is not None:
                tally.zones[record.zone] += 1
            if new_ids.pop(record.item_id, 0) and record.created_at is None:
                tally.undated += 1
                tally.first_undated = tally.first_undated or record.where


def _import_own(target: _Target, records: list[tuple[str, Any]], tally: Tally) -> None:
    """Import records of this engine with their ids. If one is invalid, it is reported and the others are imported."""

    def import_batch(batch: list[Any]) -> None:
        result = target.memory.transfer.import_(
            batch, by=target.by, channel=target.channel, dry_run=target.dry_run, file=target.file
        )
        tally.added += result.added
        tally.known += result.known

    try:
        import_batch([record for _, record in records])
    except InvalidInputError as error:  # the batch was rolled back: retry record by record
        if len(records) == 1:
            tally.skip(records[0][0], error.code, str(error))
            return
        for record in records:
            _import_own(target, [record], tally)


class _MessageFilter:
    """Filters messages: keeps those that `decide` would have saved in a live conversation."""

    def __init__(self, target: _Target) -> None:
        self._target = target
        self._session: str | None = None
        self._context: deque[Utterance] = deque(maxlen=_CONTEXT_TURNS)
        self._texts: set[bytes] = set()  # digests: a source may hold millions of messages

    def keeps(self, record: ImportedRecord, tally: Tally) -> bool:
        if record.role is None:
            return True
        if record.time.session_id != self._session:
            self._session = record.time.session_id
            self._context.clear()
        utterance = Utterance(record.content, record.role)
        try:
            reason = self._skip_reason(utterance, record.item_id)
        except InvalidInputError as error:  # too long or not text: neither kept nor used as context
            tally.skip(record.where, error.code, str(error))
            return False
        self._context.append(replace(utterance, action=Action.SKIP if reason else Action.SAVE))
        if reason is not None:
            tally.skip(record.where, reason)
        return reason is None

    def _skip_reason(self, utterance: Utterance, item_id: str) -> str | None:
        if utterance.role is not Role.USER:
            return "not_the_user"
        normalized = sha256(" ".join(utterance.text.casefold().split()).encode("utf-8", "replace")).digest()
        if self._is_stored(item_id):
            self._texts.add(normalized)
            return None
        decision = self._target.memory.decide(utterance, tuple(self._context), item_id)
        if decision.action is not Action.SAVE:
            return DecisionReason(decision.reason).value
        if normalized in self._texts:  # a duplicate within this batch, which is not stored yet
            return DecisionReason.DUPLICATE.value
        self._texts.add(normalized)
        return None

    def _is_stored(self, item_id: str) -> bool:
        try:
            self._target.memory.get(item_id)
        except NotFoundError:
            return False
        return True


def _batches(entries: Iterable[Any]) -> Iterator[list[Any]]:
    batch: list[Any] = []
    size = 0
    for entry in entries:
        batch.append(entry)
        size += _text_size(entry)
        if len(batch) == BATCH or size > _BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _text_size(entry: Any) -> int:
    if isinstance(entry, ImportedRecord):
        return len(entry.content)
    record = None if isinstance(entry, UnusableEntry) else entry[1]
    content = record.get("content") if isinstance(record, dict) else None
    return len(content) if isinstance(content, str) else 0
