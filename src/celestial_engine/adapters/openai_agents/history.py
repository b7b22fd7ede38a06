"""The items of a session as records: a record a turn, in the order they came; long texts in records of their own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from celestial_engine.adapters.shared.side_records import CALM, again, side_records_of
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Source, Tier
from celestial_engine.core.record.versions import version_of
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import Expected, InvalidInputError, NotFoundError, Reason, WrongStateError

Item = dict[str, Any]

SHELF = "sessions"
_TURN, _TEXT = "session_turn", "session_text"
_MOST_A_RECORD = 200_000  # bytes of JSON: what a record's metadata takes, with room to spare
_LONG = 50_000  # characters from which a text gets records of its own
_PART = 250_000  # characters of one of those: at four bytes each still within what a memory takes
_SLACK = 1_000  # a part ends at white space if there is some: no secret is cut in half, unseen
_MOST_TOLD = 2_000  # characters of a turn that are searched by
_LOOKED_AT = 100  # records, at least: a clock that was put back may have shuffled so many


@dataclass(frozen=True)
class History:
    """One session of one owner, synchronously. A turn is stored whole or not at all."""

    memory: CelestialMemory
    session_id: str

    @classmethod
    def of(
        cls, memory: CelestialMemory, session_id: str, user_id: str | None = None, agent_id: str | None = None
    ) -> History:
        # Session ids that look the same are the same, as everywhere.
        return cls(side_records_of(memory.of(user_id, agent_id), SHELF), normalize("NFC", session_id))

    def items(self, limit: int | None = None) -> list[Item]:
        """The latest so many, oldest first; None and negative numbers mean all."""
        if limit == 0:
            return []
        if limit is None or limit < 0:
            return [item for record in self._records(None) for item in self._unpacked(record)]
        found: list[Item] = []
        for record in reversed(self._records(limit)):
            found = self._unpacked(record) + found
            if len(found) >= limit:
                return found[-limit:]
        return found

    def add(self, items: Sequence[Item]) -> None:
        plain = [_plain(item) for item in items]
        stored: list[str] = []
        try:
            for turn in _turns(plain):
                self._store(turn, stored)
        except BaseException:
            for item_id in reversed(stored):
                self.memory.forget(item_id)
            raise

    def pop(self) -> Item | None:
        """The latest item, taken away; a record changed by somebody else meanwhile is looked at again."""
        return again(self._pop, WrongStateError, NotFoundError)

    def clear(self) -> None:
        """Over the cliff, all at once; restorable for seven days, as everything is."""
        self.memory.departures.forget_where(ItemFilter(session_id=self.session_id))

    def _pop(self) -> Item | None:
        records = self._records(1)
        if not records:
            return None
        record = records[-1]
        item, longs = self._unpacked(record)[-1], _longs(record)
        last = len(record.metadata["items"]) - 1
        if last == 0:
            self.memory.forget(record.id, if_version=version_of(record))
        else:
            kept = record.metadata["items"][:-1]
            metadata = {**record.metadata, "items": kept, "long": [one for one in longs if one[0][0] != last]}
            self.memory.update(record.id, _told(kept), metadata=metadata, if_version=version_of(record))
        for path, parts in longs:
            for part in parts if path[0] == last else ():
                self.memory.forget(part)
        return item

    def _records(self, limit: int | None) -> list[CelestialItem]:
        """Those of the turns, oldest first; with a limit at least so many of the latest."""
        where, wanted = ItemFilter(session_id=self.session_id), limit
        if wanted is not None:
            wanted = max(wanted, _LOOKED_AT)
        while True:
            found = self.memory.list(1_000_000 if wanted is None else wanted, where=where)
            turns = [record for record in found if record.metadata.get("kind") == _TURN]
            if wanted is None or limit is None or len(found) < wanted or len(turns) >= limit:
                return sorted(turns, key=lambda record: record.time.sequence or 0)
            wanted *= 2  # long texts take up the place

    def _store(self, items: list[Item], stored: list[str]) -> None:
        longs = []
        for path, text in _long_texts(items):
            parts = [self._stored(part, {"kind": _TEXT}, stored) for part in _parts(text)]
            _put(items, path, "")
            longs.append([list(path), parts])
        self._stored(_told(items), {"kind": _TURN, "items": items, "long": longs}, stored)

    def _stored(self, content: str, metadata: dict[str, Any], stored: list[str]) -> str:
        # Pinned: a history with holes is none. Its importance is given: it is kept, not weighed.
        item = self.memory.store(
            content,
            0.0,
            metadata,
            source=Source.CONVERSATION,
            tier=Tier.M365,
            pinned=True,
            emotion=CALM,
            session_id=self.session_id,
        )
        stored.append(item.id)
        return item.id

    def _unpacked(self, record: CelestialItem) -> list[Item]:
        items: list[Item] = deepcopy(record.metadata["items"])
        for path, parts in _longs(record):
            texts = [self.memory.get(part).content[1:] for part in parts]
            _put(items, path, "".join(texts))
        return items


def _plain(item: object) -> Item:
    """A copy as JSON has it."""
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
    """All in one record if it holds them."""
    turn: list[Item] = []
    size = 0
    for item in items:
        long = sum(len(text.encode("utf-8", "surrogatepass")) for _, text in _long_texts([item]))
        more = len(json.dumps(item, ensure_ascii=False).encode("utf-8", "surrogatepass")) - long
        if turn and size + more > _MOST_A_RECORD:
            yield turn
            turn, size = [], 0
        turn.append(item)
        size += more
    if turn:
        yield turn


def _long_texts(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    if isinstance(value, str):
        if len(value) >= _LONG:
            yield path, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _long_texts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _long_texts(inner, (*path, place))


def _put(value: Any, path: Sequence[str | int], text: str) -> None:
    for step in path[:-1]:
        value = value[step]
    value[path[-1]] = text


def _longs(record: CelestialItem) -> list[Any]:
    longs: list[Any] = record.metadata.get("long", [])
    return longs


def _parts(text: str) -> Iterator[str]:
    """Pieces that are memories each; the bar in front lets them be white space alone."""
    start = 0
    while start < len(text):
        end = min(len(text), start + _PART)
        if end < len(text):
            space = max(text.rfind(" ", end - _SLACK, end), text.rfind("\n", end - _SLACK, end))
            end = space + 1 if space > start else end
        yield f"|{text[start:end]}"
        start = end


def _told(items: Sequence[Item]) -> str:
    """The words of a turn, by which it is found; the items themselves are kept beside them."""
    words = "\n".join(filter(None, (_words(item) for item in items)))[:_MOST_TOLD]
    return words if words.strip() else ", ".join(str(item.get("type") or "item") for item in items)[:_MOST_TOLD]


def _words(item: Item) -> str:
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
