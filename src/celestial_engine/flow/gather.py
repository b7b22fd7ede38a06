"""Who might say the same as whom, or the contrary: groups of memories, never all pairs.

Not a stage itself: consolidate and supersede stand on it. Texts that belong together share a key, so all memories are
gone through once; where only a few have changed, each of them asks the word index instead.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator

from celestial_engine.core.events import EventType
from celestial_engine.core.owner import Owner
from celestial_engine.ports import Reader

Keys = Callable[[str], Iterable[Hashable]]

NEAREST = 12
_PAGE = 1_000
_FEW = 8  # up to one in so many may ask one by one: going through all is quicker then
_CHANGING = frozenset(
    {EventType.STORED, EventType.UPDATED, EventType.RESTORED, EventType.UNDONE, EventType.UNARCHIVED}
)


def gathered(
    session: Reader, owner: Owner, since: float | None, keys: Keys, asks: Callable[[str], bool] = lambda text: False
) -> Iterator[list[str]]:
    """Groups of two or more ids that share a key; who `asks` is grouped with those nearest by words, whatever theirs.

    `since`: only groups of those that came or changed after that moment.
    """
    changed = None if since is None else _changed(session, owner, since)
    if changed is None or _FEW * len(changed) > session.orbiting(owner):
        yield from _all(session, owner, keys, asks)
        return
    for item_id, text in _texts(session, owner, changed):
        mine = set(keys(text))
        near = _texts(session, owner, _nearest(session, owner, text))
        group = [other for other, said in near if other != item_id and (asks(text) or mine & set(keys(said)))]
        if group:
            yield [item_id, *group]


def _all(session: Reader, owner: Owner, keys: Keys, asks: Callable[[str], bool]) -> Iterator[list[str]]:
    sharing: defaultdict[int, list[str]] = defaultdict(list)
    asking: list[tuple[str, str]] = []
    after = 0
    while page := session.contents(owner, after, _PAGE):
        after = page[-1][0]
        for _, item_id, text in page:
            for key in keys(text):
                sharing[hash(key)].append(item_id)  # whoever shares one by chance is compared and found different
            if asks(text):
                asking.append((item_id, text))
    yield from (group for group in sharing.values() if len(group) > 1)
    for item_id, text in asking:
        yield [item_id, *(other for other in _nearest(session, owner, text) if other != item_id)]


def _changed(session: Reader, owner: Owner, since: float) -> list[str]:
    events = session.events_since(owner, session.number_at(since))
    return list(dict.fromkeys(event.item_id for event in events if event.item_id and event.type in _CHANGING))


def _texts(session: Reader, owner: Owner, item_ids: list[str]) -> list[tuple[str, str]]:
    return [(standing.item_id, standing.content) for standing in session.standings(owner, item_ids)]


def _nearest(session: Reader, owner: Owner, text: str) -> list[str]:
    return [match.item_id for match in session.by_words(owner, text, NEAREST).matches]
