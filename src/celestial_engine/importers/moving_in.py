"""Moving in: what a file holds becomes memories, batch by batch, once however often it is done."""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

from celestial_engine.core.keeping.imported_record import ImportedRecord
from celestial_engine.core.turn.conversation import Role, Utterance
from celestial_engine.core.turn.policy import Action, DecisionReason
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import ImportSourceError, InvalidInputError, NotFoundError, Reason
from celestial_engine.importers import celestial
from celestial_engine.importers.formats import AUTO, FORMATS, MAPPED, detected
from celestial_engine.importers.reading import Garbage
from celestial_engine.importers.report import ImportReport, Tally

Progress = Callable[[int, int], None]
T = TypeVar("T")

BATCH = 200
_HEARD = 4  # turns before one that say what it is about
_NAMED = 5


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
    """Brings in what another system remembered, or an export of this one; `FORMATS` names what can be read.

    `mapping` says which field of a JSONL or CSV file means what. Of a source that several users share, `user` chooses
    one. Each batch is a transaction: stopped anywhere and started again, it goes on where it was. With `dry_run`
    nothing is written. `by` and `channel` give the user's word for core memories, as for `import_memories`; for those
    the user must have said that it is an export of this engine: a file may look like one.
    """
    source, chosen = os.fspath(path), dict(mapping or {})
    if not os.path.exists(source):
        raise ImportSourceError(source, Reason.NO_SUCH_FILE)
    if not (os.path.isfile(source) or os.path.isdir(source)):  # a pipe gives what it has once
        raise ImportSourceError(source, Reason.NOT_A_FILE)
    name = detected(source, mapped=bool(chosen)) if kind == AUTO else _known(kind)
    if chosen and name not in MAPPED:
        raise InvalidInputError("map", Reason.MAP_NOT_USED, got=name)
    into = _Into(memory.of(user_id, agent_id), dry_run, by, channel)
    read = FORMATS[name].read
    total = _surveyed(source, read(source, chosen), user, vouched=by is None or kind == celestial.NAME)
    tally, listener = Tally(), _Listener(into)
    for batch in _batches(read(source, chosen)):
        tally.read += len(batch)
        told = [one for one in batch if _counts(one, user, tally)]
        if name == celestial.NAME:
            _come_back(into, told, tally)
        else:
            _arrive(into, [one for one in told if listener.keeps(one, tally)], tally)
        if progress is not None:
            progress(tally.read, total)
    return tally.report(source, name, dry_run=dry_run)


@dataclass(frozen=True)
class _Into:
    """The memory, whose memories they become there, and by whose word."""

    memory: CelestialMemory
    dry_run: bool
    by: str | None
    channel: str


def _known(kind: str) -> str:
    if kind not in FORMATS:
        raise InvalidInputError("format", Reason.UNKNOWN_CHOICE, got=kind, choices=(AUTO, *FORMATS))
    return kind


def _surveyed(path: str, told: Iterable[Any], user: str | None, *, vouched: bool) -> int:
    """How much there is to read. A source of several users is refused, unless one was chosen: nobody's are mixed.

    So are core memories, unless the user said what they come from: a word that nobody asked for is none.
    """
    users: Counter[str] = Counter()
    total = core = 0
    for one in told:
        total += 1
        if isinstance(one, ImportedRecord):
            users.update([] if one.user is None else [one.user])
        elif not isinstance(one, Garbage):
            core += celestial.is_core(one[1])
    if core and not vouched:
        raise ImportSourceError(path, Reason.CORE_INSIDE, count=core)
    if user is None and len(users) > 1:
        named = ", ".join(name for name, _ in users.most_common(_NAMED)) + (", …" if len(users) > _NAMED else "")
        raise ImportSourceError(path, Reason.SEVERAL_USERS, count=len(users), names=named)
    if user is not None and user not in users:
        raise ImportSourceError(path, Reason.NO_SUCH_USER, got=user)
    return total


def _counts(one: object, user: str | None, tally: Tally) -> bool:
    """Whether it is a memory, and of whom it was asked for."""
    if isinstance(one, Garbage):
        tally.skip(one.where, one.reason)
        return False
    if user is not None and isinstance(one, ImportedRecord) and one.user != user:
        tally.skip(one.where, "other_user")
        return False
    return True


def _arrive(into: _Into, arrivals: list[ImportedRecord], tally: Tally) -> None:
    done = into.memory.transfer.adopt(arrivals, dry_run=into.dry_run)
    tally.added += done.added
    tally.known += len(done.known)
    tally.redacted += len(done.redacted)
    new = Counter(arrival.item_id for arrival in arrivals) - Counter(done.known)
    for arrival in arrivals:
        error = done.refused.get(arrival.item_id)
        if error is not None:
            tally.skip(arrival.where, error.code, str(error))
        elif arrival.item_id in done.forgotten:
            tally.skip(arrival.where, "forgotten")
        else:
            if arrival.zone is not None:
                tally.zones[arrival.zone] += 1
            if new.pop(arrival.item_id, 0) and arrival.created_at is None:
                tally.undated += 1
                tally.first_undated = tally.first_undated or arrival.where


def _come_back(into: _Into, records: list[tuple[str, Any]], tally: Tally) -> None:
    """Records of this engine, with their ids and lives; one that cannot be kept is told, and the others come."""

    def bring(told: list[Any]) -> None:
        done = into.memory.transfer.import_(told, by=into.by, channel=into.channel, dry_run=into.dry_run)
        tally.added += done.added
        tally.known += done.known

    try:
        bring([record for _, record in records])
    except InvalidInputError as error:  # one of them; nothing of the batch has come yet
        if len(records) == 1:
            tally.skip(records[0][0], error.code, str(error))
            return
        for one in records:
            _come_back(into, [one], tally)


class _Listener:
    """Of what was said, keeps what `decide` would have saved, had it been heard live."""

    def __init__(self, into: _Into) -> None:
        self._into = into
        self._session: str | None = None
        self._heard: deque[Utterance] = deque(maxlen=_HEARD)
        self._texts: set[str] = set()

    def keeps(self, arrival: ImportedRecord, tally: Tally) -> bool:
        if arrival.role is None:
            return True
        if arrival.time.session_id != self._session:
            self._session = arrival.time.session_id
            self._heard.clear()
        said = Utterance(arrival.content, arrival.role)
        try:
            reason = self._why_not(said, arrival.item_id)
        except InvalidInputError as error:  # too long, not text: not to be kept, nor to be listened to
            tally.skip(arrival.where, error.code, str(error))
            return False
        self._heard.append(replace(said, action=Action.SKIP if reason else Action.SAVE))
        if reason is not None:
            tally.skip(arrival.where, reason)
        return reason is None

    def _why_not(self, said: Utterance, item_id: str) -> str | None:
        if said.role is not Role.USER:
            return "not_the_user"
        same = " ".join(said.text.casefold().split())
        if self._came_before(item_id):
            self._texts.add(same)
            return None
        decision = self._into.memory.decide(said, tuple(self._heard), item_id)
        if decision.action is not Action.SAVE:
            return DecisionReason(decision.reason).value
        if same in self._texts:  # said before in this batch, and not stored yet
            return DecisionReason.DUPLICATE.value
        self._texts.add(same)
        return None

    def _came_before(self, item_id: str) -> bool:
        try:
            self._into.memory.get(item_id)
        except NotFoundError:
            return False
        return True


def _batches(told: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(told)
    while batch := list(islice(rest, BATCH)):
        yield batch
