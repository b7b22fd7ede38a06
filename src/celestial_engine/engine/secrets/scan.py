"""Find secrets that older versions stored, everywhere, and redact them where that is possible."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from celestial_engine.bootstrap import backup_texts
from celestial_engine.config import is_server
from celestial_engine.core.guard.guard import Guard, Note
from celestial_engine.core.guard.secrets import GuardPolicy
from celestial_engine.core.guard.stored_secret import SecretPlace, SecretScan, StoredSecret
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.engine.parts import Parts
from celestial_engine.flow.departures import redact as redacting
from celestial_engine.flow.departures import retain

if TYPE_CHECKING:
    from celestial_engine.engine.schedule.jobs import Backups

_IN_MEMORIES = (SecretPlace.MEMORY, SecretPlace.ARCHIVE, SecretPlace.VERSION)
_BATCH = 500


def scan_secrets(parts: Parts, backups: Backups, *, redact: bool) -> SecretScan:
    """Finds the secrets of this owner and of every backup, and redacts memories if asked to."""
    policy = redacting.redacting(parts.guard)
    secrets = [
        *redacting.in_memories(_memories(parts), policy),
        *redacting.in_ledger(parts.store, parts.owner, policy),
        *_in_backups(parts, backups, policy),
    ]
    if not redact:
        return SecretScan(tuple(secrets), {}, (), dry_run=True)
    renamed = _redacted(parts, policy, [secret for secret in secrets if secret.place in _IN_MEMORIES])
    remaining = tuple(secret for secret in secrets if secret.where not in renamed)
    return SecretScan(tuple(secrets), renamed, remaining, dry_run=False)


def _redacted(parts: Parts, policy: GuardPolicy, secrets: Sequence[StoredSecret]) -> dict[str, str]:
    """Replaces the memories; archived ones are brought back first, and their files written again without them."""

    def clean(item: CelestialItem) -> tuple[CelestialItem, Sequence[Note]]:
        record = parts.recorder.redact(item, policy)
        return record.item, record.redacted

    store, law, owner, now = parts.store, parts.law(), parts.owner, parts.now()
    archived = [secret.where for secret in secrets if secret.place is SecretPlace.ARCHIVE]
    for item_id in archived:
        retain.bring_back(store, law, owner, item_id, now)
    if archived:
        retain.tidy(store, now)
    ids = list(dict.fromkeys(secret.where for secret in secrets))
    renamed = redacting.redact_memories(store, law, owner, ids, clean, now) if ids else {}
    with store.read() as session:
        copies = session.items.get_many(owner, list(renamed.values()))
    parts.embedding.embed_missing(owner, copies)
    if renamed:
        store.sweep()  # wipes deleted words from the files; if a reader blocks it, the night does it
    return renamed


def _memories(parts: Parts) -> Iterator[CelestialItem]:
    """Yields every memory, page by page; archived ones with the text of their archive."""
    key = -1
    while True:
        with parts.store.read() as session:
            page = session.items.page(parts.owner, key, _BATCH)
        if not page:
            return
        for _, item in page:
            yield _with_archived_text(parts, item) if item.state is State.ARCHIVED else item
        key = page[-1][0]


def _with_archived_text(parts: Parts, item: CelestialItem) -> CelestialItem:
    contents = retain.contents_of(parts.store, parts.owner, item.id)
    for packed in contents.memories if contents else ():
        if packed.item.id == item.id:
            return replace(packed.item, state=State.ARCHIVED)
    return item


def _in_backups(parts: Parts, backups: Backups, policy: GuardPolicy) -> Iterator[StoredSecret]:
    if parts.store.path == ":memory:" or is_server(parts.store.path):
        return
    for path in backups.existing():
        guard = Guard(policy)
        for content, metadata in backup_texts(path, parts.key):
            guard.text(content)
            guard.metadata(json.loads(metadata))
        if guard.notes:
            yield StoredSecret(SecretPlace.BACKUP, path, tuple(dict.fromkeys(str(note[0]) for note in guard.notes)))
