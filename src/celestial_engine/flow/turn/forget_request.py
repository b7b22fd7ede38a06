"""forget_request: find the memories that a turn asks to forget, and send a few of them over the cliff."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from celestial_engine.core.orbit.law import Law
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.item_filter import ItemFilter
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.sameness.compare import Sameness, compare
from celestial_engine.core.turn.conversation import Action, Role, Utterance
from celestial_engine.core.turn.forget_request import ForgetRequest, ForgetTopic
from celestial_engine.core.turn.forget_topic import TopicWords, speaks_of_user, words_of
from celestial_engine.core.turn.forgetting import ForgetOutcome, Forgetting
from celestial_engine.flow.base.placement import move_to_cliff
from celestial_engine.ports import ItemStore, Reader

FEW = 3  # so many are forgotten without asking again
MOST_LISTED = 20
_ENOUGH = 0.6  # the share of a free request's words that a memory must have to be listed
_MOST_READ = 200  # memories with words of the request that are read, however many there are
_UNSEARCHED = ItemFilter(states=(State.INACTIVE,))
_STILL_HERE = (State.ACTIVE, State.FADED, State.INACTIVE)


@dataclass
class _Matches:
    """What matches one or more topics; `asks` if the user must say which."""

    items: dict[str, CelestialItem] = field(default_factory=dict)
    asks: bool = False
    unclear: bool = False
    more: bool = False

    def add(self, items: Iterable[CelestialItem], *, asks: bool) -> None:
        by_id = {item.id: item for item in items}
        self.items |= by_id
        self.asks = self.asks or (asks and bool(by_id))


def forget_requested(
    store: ItemStore,
    law: Law,
    owner: Owner,
    request: ForgetRequest,
    history: Sequence[Utterance],
    session_id: str | None,
    now: float,
) -> Forgetting:
    """Forget what the user asks for if it is clear and at most a few; else change nothing and list what matches.

    Core, immutable and pinned memories are only reported.
    """
    with store.read() as session:
        matches = _Matches()
        for topic in request.topics:
            _collect(session, owner, topic, history, session_id, matches)
    protected = [item for item in matches.items.values() if _is_protected(item)]
    going = [item for item in matches.items.values() if not _is_protected(item)]
    if matches.asks or len(going) > FEW or (matches.more and going):
        return _listed(ForgetOutcome.CONFIRM, request, going, protected, matches)
    if not going:
        outcome = ForgetOutcome.UNCLEAR if matches.unclear else ForgetOutcome.NOTHING
        return _listed(ForgetOutcome.PROTECTED if protected else outcome, request, (), protected, matches)
    forgotten = _forget(store, law, owner, [item.id for item in going], now)
    if not forgotten:  # somebody else forgot or protected them meanwhile
        return _listed(ForgetOutcome.NOTHING, request, (), protected, matches)
    return Forgetting(ForgetOutcome.FORGOTTEN, request.about, tuple(forgotten), (), tuple(protected[:MOST_LISTED]))


def _listed(
    outcome: ForgetOutcome,
    request: ForgetRequest,
    going: Sequence[CelestialItem],
    protected: Sequence[CelestialItem],
    matches: _Matches,
) -> Forgetting:
    more = matches.more or max(len(going), len(protected)) > MOST_LISTED
    return Forgetting(outcome, request.about, (), tuple(going[:MOST_LISTED]), tuple(protected[:MOST_LISTED]), more)


def _collect(
    session: Reader,
    owner: Owner,
    topic: ForgetTopic,
    history: Sequence[Utterance],
    session_id: str | None,
    matches: _Matches,
) -> None:
    if topic.everything:
        matches.add(session.items.newest(owner, ItemFilter(), MOST_LISTED + 1), asks=True)
        matches.more = matches.more or session.orbits.count(owner) > MOST_LISTED
        return
    if topic.back:
        recent = _said_before(session, owner, history, session_id)
        matches.unclear = matches.unclear or not recent
        matches.add(recent, asks=not topic.certain)
        return
    words = words_of(topic)
    if not words.words:
        matches.unclear = True
        return
    candidates = _near(session, owner, words)
    full = [item for item in candidates if words.in_item(item)]
    if full:
        matches.more = matches.more or len(full) >= _MOST_READ
        meant = _meant(full, words)
        unsure_which_is_old = words.old and len(meant) > 1 and not any(_is_superseded(item) for item in meant)
        matches.add(meant, asks=not topic.certain or unsure_which_is_old)
        return
    named, comma, _ = topic.text.partition(",")
    if comma and named.strip():  # "my allergy to nickel, turns out it was the soap": why, or more of the same
        _collect(session, owner, replace(topic, text=named, certain=False), history, session_id, matches)
        return
    partly = [item for item in candidates if words.names_in_item(item)] or _at_address(session, owner, words)
    if topic.likely and not partly:
        partly = [item for item in candidates if words.share_in_item(item) >= _ENOUGH]
    matches.add(partly, asks=True)


def _near(session: Reader, owner: Owner, words: TopicWords) -> list[CelestialItem]:
    """Return memories with any of the words, and those that no search finds any more."""
    matches = session.search.by_words(owner, words.query, _MOST_READ).matches
    items = session.items.get_many(owner, [match.item_id for match in matches])
    return items + session.items.newest(owner, _UNSEARCHED, _MOST_READ - min(len(items), _MOST_READ))


def _meant(full: Sequence[CelestialItem], words: TopicWords) -> list[CelestialItem]:
    """Return those that are about the user if the request is, and the replaced ones if it says "old"."""
    own = [item for item in full if speaks_of_user(item)] if words.own else []
    meant = own or list(full)
    replaced = [item for item in meant if _is_superseded(item)] if words.old else []
    return replaced or meant


def _at_address(session: Reader, owner: Owner, words: TopicWords) -> list[CelestialItem]:
    """Return memories that say it in other words, as they were read: "I live in Busan" for an address."""
    if not words.attributes:
        return []
    return [item for item in session.items.newest(owner, ItemFilter(), _MOST_READ) if words.at_address(item)]


def _said_before(
    session: Reader, owner: Owner, history: Sequence[Utterance], session_id: str | None
) -> list[CelestialItem]:
    """Return the memory that the user's last turn became; none if it became none."""
    last = next((past for past in reversed(history) if past.role is Role.USER and past.memory_id is None), None)
    if last is None:
        turn = session.lessons.last_turn(owner, session_id)
        return session.items.get_many(owner, [turn.saved_id]) if turn is not None and turn.saved_id else []
    if last.action not in (None, Action.SAVE):
        return []
    matches = session.search.by_words(owner, last.text, MOST_LISTED).matches
    items = session.items.get_many(owner, [match.item_id for match in matches])
    return [item for item in items if _came_from(item, last.text)][:1]


def _came_from(item: CelestialItem, text: str) -> bool:
    return text in (item.content, item.document.source_text) or compare(item.content, text) is Sameness.SAME


def _is_superseded(item: CelestialItem) -> bool:
    return item.validity.superseded_by is not None


def _is_protected(item: CelestialItem) -> bool:
    return item.protection is not Protection.NONE or item.tier is Tier.M0


def _forget(store: ItemStore, law: Law, owner: Owner, item_ids: Sequence[str], now: float) -> list[CelestialItem]:
    with store.write(owner) as session:
        # Read again: another process may have protected or forgotten one since it was found.
        items = session.items.get_many(owner, item_ids)
        going = [item for item in items if item.state in _STILL_HERE and not _is_protected(item)]
        return [move_to_cliff(session, law, item, DepartureReason.MANUAL, now) for item in going]
