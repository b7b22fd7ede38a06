"""Session items stored as side records: one record per turn, in order; long texts get their own records."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from celestial_engine.adapters.shared.side_records import NEUTRAL_EMOTION, retry_on_conflict, side_records_of
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, NotFoundError, Reason, WrongStateError

Item = dict[str, Any]

SIDE_RECORDS_NAME = "sessions"
_TURN, _TEXT = "session_turn", "session_text"
_MAX_RECORD_BYTES = 200_000  # bytes of JSON, safely below the limit of a record's metadata
_LONG_TEXT = 50_000  # a text of at least this many characters gets its own records
_PART_CHARACTERS = 250_000  # characters per record: at four bytes each still within the limit of a memory
_SPLIT_SLACK = 1_000  # search this far back for white space: a cut must not hide half a secret from the guard
_MAX_TURN_TEXT = 2_000  # characters of a turn used as its content
_MIN_RECORDS_READ = 100  # minimum records read: a clock set back may have reordered some


@dataclass(frozen=True)
class History:
    """One session of one owner. A turn is stored whole or not at all."""

    memory: CelestialMemory
    session_id: str

    @classmethod
    def of(
        cls, memory: CelestialMemory, session_id: str, user_id: str | None = None, agent_id: str | None = None
    ) -> History:
        # Normalized as in the engine: session ids that look the same are the same.
        return cls(side_records_of(memory.of(user_id, agent_id), SIDE_RECORDS_NAME), normalize("NFC", session_id))

    def items(self, limit: int | None = None) -> list[Item]:
        """The latest `limit` items, oldest first; None and negative numbers mean all."""
        if limit == 0:
            return []
        if limit is None or limit < 0:
            return [item for record in self._records(None) for item in self._items_of(record)]
        latest: list[Item] = []
        for record in reversed(self._records(limit)):
            latest = self._items_of(record) + latest
            if len(latest) >= limit:
                return latest[-limit:]
        return latest

    def add(self, items: Sequence[Item]) -> None:
        copies = [_json_copy(item) for item in items]
        stored: list[str] = []
        try:
            for turn in _turns(copies):
                self._store_turn(turn, stored)
        except BaseException:
            for item_id in reversed(stored):
                self.memory.forget(item_id)
            raise

    def pop(self) -> Item | None:
        """Remove and return the latest item; retried after a concurrent change."""
        return retry_on_conflict(self._pop, WrongStateError, NotFoundError)

    def clear(self) -> None:
        """Forget all records at once; they can be restored for seven days."""
        self.memory.departures.forget_where(ItemFilter(session_id=self.session_id))

    def _pop(self) -> Item | None:
        records = self._records(1)
        if not records:
            return None
        record = records[-1]
        item, long_texts = self._items_of(record)[-1], _long_entries(record)
        last = len(record.metadata["items"]) - 1
        if last == 0:
            self.memory.forget(record.id, if_version=version_of(record))
        else:
            remaining = record.metadata["items"][:-1]
            metadata = {
                **record.metadata,
                "items": remaining,
                "long": [entry for entry in long_texts if entry[0][0] != last],
            }
            self.memory.update(record.id, _turn_text(remaining), metadata=metadata, if_version=version_of(record))
        for path, parts in long_texts:
            for part in parts if path[0] == last else ():
                self.memory.forget(part)
        return item

    def _records(self, limit: int | None) -> list[CelestialItem]:
        """The turn records, oldest first; with a limit at least that many of the latest."""
        where, page_size = ItemFilter(session_id=self.session_id), limit
        if page_size is not None:
            page_size = max(page_size, _MIN_RECORDS_READ)
        while True:
            page = self.memory.list(1_000_000 if page_size is None else page_size, where=where)
            turns = [record for record in page if record.metadata.get("kind") == _TURN]
            if page_size is None or limit is None or len(page) < page_size or len(turns) >= limit:
                return sorted(turns, key=lambda record: record.time.sequence or 0)
            page_size *= 2  # records of long texts filled the page

    def _store_turn(self, items: list[Item], stored: list[str]) -> None:
        long_texts = []
        for path, text in _long_texts(items):
            parts = [self._store_record(part, {"kind": _TEXT}, stored) for part in _parts(text)]
            _set_at(items, path, "")
            long_texts.append([list(path), parts])
        self._store_record(_turn_text(items), {"kind": _TURN, "items": items, "long": long_texts}, stored)

    def _store_record(self, content: str, metadata: dict[str, Any], stored: list[str]) -> str:
        # Pinned: a history must have no gaps. A fixed importance skips the evaluation.
        item = self.memory.store(
            content,
            0.0,
            metadata,
            source=Source.CONVERSATION,
            tier=Tier.M365,
            pinned=True,
            emotion=NEUTRAL_EMOTION,
            session_id=self.session_id,
        )
        stored.append(item.id)
        return item.id

    def _items_of(self, record: CelestialItem) -> list[Item]:
        items: list[Item] = deepcopy(record.metadata["items"])
        for path, parts in _long_entries(record):
            texts = [self.memory.get(part).content[1:] for part in parts]
            _set_at(items, path, "".join(texts))
        return items


def _json_copy(item: object) -> Item:
    """A copy with only JSON types."""
    if not isinstance(item, dict):
        raise InvalidInputError(
            "items", Reason.WRONG_TYPE, expected=Expected.LIST_OF_OBJECTS, got=type(item).__name__
        )
    try:
        plain: Item = json.loads(json.dumps(item, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError("items", Reason.NOT_SERIALIZABLE, cause=str(error)) from None
    return plain


def _turns(items: list[Item]) -> Iterator[list[Item]]:
    """Group items into turns that fit into one record each."""
    turn: list[Item] = []
    size = 0
    for item in items:
        long_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for _, text in _long_texts([item]))
        item_bytes = len(json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")) - long_bytes
        if turn and size + item_bytes > _MAX_RECORD_BYTES:
            yield turn
            turn, size = [], 0
        turn.append(item)
        size += item_bytes
    if turn:
        yield turn


def _long_texts(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        if len(value) >= _LONG_TEXT:
            yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _long_texts(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from _long_texts(inner, (*path, index))


def _set_at(value: Any, path: Sequence[str | int], text: str) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = text


def _long_entries(record: CelestialItem) -> list[Any]:
    entries: list[Any] = record.metadata.get("long", [])
    return entries


def _parts(text: str) -> Iterator[str]:
    """Split a text into record contents; the leading bar keeps a part of only white space from being blank."""
    start = 0
    while start < len(text):
        end = min(len(text), start + _PART_CHARACTERS)
        if end < len(text):
            space = max(text.rfind(" ", end - _SPLIT_SLACK, end), text.rfind("\n", end - _SPLIT_SLACK, end))
            end = space + 1 if space > start else end
        yield f"|{text[start:end]}"
        start = end


def _turn_text(items: Sequence[Item]) -> str:
    """The text of a turn as record content; the items themselves are in the metadata."""
    text = "\n".join(filter(None, (_item_text(item) for item in items)))[:_MAX_TURN_TEXT]
    return text if text.strip() else ", ".join(str(item.get("type") or "item") for item in items)[:_MAX_TURN_TEXT]


def _item_text(item: Item) -> str:
    content = item.get("content")
    if isinstance(content, list):
        texts = [part.get("text") for part in content if isinstance(part, dict)]
        content = " ".join(text for text in texts if isinstance(text, str))
    if isinstance(content, str) and content.strip():
        return f"{item.get('role') or 'item'}: {content}"
    if item.get("type") == "function_call":
        return f"{item.get('name')}({item.get('arguments')})"
    output = item.get("output")
    return f"= {output}" if isinstance(output, str) and output.strip() else ""
