"""Groups of memories that may say the same thing or contradict each other; avoids comparing all pairs.

Not a stage itself: consolidate and supersede use it. Related texts share a key that was computed when they were
stored. A memory that announces a change is also compared with its nearest neighbours by words.
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


def comparison_groups(
    session: Reader,
    owner: Owner,
    since: float | None,
    marks: Callable[[StatementKeys], Iterable[int]],
    *,
    asking: bool,
) -> Iterator[list[str]]:
    """Yield groups of two or more ids that share a key.

    With `asking`, also group each memory that announces a change with its nearest neighbours.
    `since`: only groups with a memory that was added or changed after that time.
    """
    changed = None if since is None else _changed(session, owner, since)
    if changed is not None and not changed:
        return
    by_mark: defaultdict[int, list[str]] = defaultdict(list)
    announcing: list[str] = []
    for item_id, keys in session.search.statement_keys(owner):
        for mark in marks(keys):
            by_mark[mark].append(item_id)
        if asking and keys.changing:
            announcing.append(item_id)
    for group in by_mark.values():
        if len(group) > 1 and (changed is None or not changed.isdisjoint(group)):
            yield group
    for candidate in session.search.candidates(
        owner, [item_id for item_id in announcing if changed is None or item_id in changed]
    ):
        matches = session.search.by_words(owner, candidate.content, NEAREST).matches
        yield [candidate.item_id, *(match.item_id for match in matches if match.item_id != candidate.item_id)]


def _changed(session: Reader, owner: Owner, since: float) -> set[str]:
    events = session.ledger.events_since(owner, session.ledger.number_at(owner, since))
    return {event.item_id for event in events if event.item_id and event.type in _CHANGING}
