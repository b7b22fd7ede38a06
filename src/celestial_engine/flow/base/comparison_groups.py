"""Who might say the same as whom, or the contrary: groups of memories, never all pairs.

Not a stage itself: consolidate and supersede stand on it. Texts that belong together share a mark, made when they
were stored; who says itself that something has changed is compared with those nearest by words, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.statement_keys import StatementKeys
from celestial_engine.ports import Reader

NEAREST = 12
_CHANGING = frozenset(
    {EventType.STORED, EventType.UPDATED, EventType.RESTORED, EventType.UNDONE, EventType.UNARCHIVED}
)


def gathered(
    session: Reader,
    owner: Owner,
    since: float | None,
    marks: Callable[[StatementKeys], Iterable[int]],
    *,
    asking: bool,
) -> Iterator[list[str]]:
    """Groups of two or more ids that share a mark; `asking`: and of those who tell of a change with their nearest.

    `since`: only groups of those that came or changed after that moment.
    """
    changed = None if since is None else _changed(session, owner, since)
    if changed is not None and not changed:
        return
    sharing: defaultdict[int, list[str]] = defaultdict(list)
    asks: list[str] = []
    for item_id, saying in session.search.statement_keys(owner):
        for mark in marks(saying):
            sharing[mark].append(item_id)
        if asking and saying.changing:
            asks.append(item_id)
    for group in sharing.values():
        if len(group) > 1 and (changed is None or not changed.isdisjoint(group)):
            yield group
    for standing in session.search.candidates(owner, [one for one in asks if changed is None or one in changed]):
        near = session.search.by_words(owner, standing.content, NEAREST).matches
        yield [standing.item_id, *(match.item_id for match in near if match.item_id != standing.item_id)]


def _changed(session: Reader, owner: Owner, since: float) -> set[str]:
    events = session.ledger.events_since(owner, session.ledger.number_at(since))
    return {event.item_id for event in events if event.item_id and event.type in _CHANGING}
