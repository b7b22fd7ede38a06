"""Duplicates that devices merged without knowing of each other: which merges count, and which memory stays.

A merge counts only if its survivor still says the text: a survivor that was merged back in a circle, edited, or
forgotten on a device that did not know of the merge does not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256

from celestial_engine.core.record.forgetting import DepartureReason, State
from celestial_engine.core.sync.item_state import AUTOMATIC_REASONS, COUNTS, ItemState, Value, is_forgotten

CIRCLE = "circle"  # of a kept memory: the duplicates that were merged into each other
INTO, TEXT, SURVIVOR_TEXT, ABSORBED = "into", "of", "into_of", "absorbed"
MERGE_NOTE = (INTO, TEXT, SURVIVOR_TEXT)
_MERGED_FROM = "from:"
_RECALLS = COUNTS[0]
_MOST_STEPS = 100  # from a duplicate to its survivor
StateOf = Callable[[str], ItemState]


@dataclass(frozen=True)
class Rescue:
    """Duplicates of which one must stay: the first whose text is still here."""

    candidates: tuple[str, ...]
    circle: tuple[str, ...] = ()


def text_digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def count_source(duplicate: str) -> str:
    """The name under which a survivor counts a duplicate: two devices that merge the same pair count it once."""
    return _MERGED_FROM + duplicate


def absorbed_by(state: ItemState) -> list[str]:
    """The ids of the memories that were merged into this one."""
    sources = {source for entries in state.counts.values() for source in entries}
    return sorted(source.removeprefix(_MERGED_FROM) for source in sources if source.startswith(_MERGED_FROM))


def absorbed_recalls(state: ItemState, state_of: StateOf) -> dict[str, int]:
    """How often each memory that was merged into this one is known to be recalled, at least until it was merged."""
    merged = state.counts.get(_RECALLS, {})
    return {
        duplicate: max(state_of(duplicate).count(_RECALLS), merged.get(count_source(duplicate), (0, 0))[1])
        for duplicate in absorbed_by(state)
    }


def survivor_of(value: Value) -> str | None:
    """The id of the memory that this one was merged into, if it left for that reason."""
    merged = is_forgotten(value) and value.get("reason") == DepartureReason.MERGED.value
    return value.get(INTO) if merged else None


def merge_note(into: str, text: str | None, survivor_text: str | None) -> Value:
    """What is noted of a merge: the survivor, and which texts were the same."""
    texts = {TEXT: text, SURVIVOR_TEXT: survivor_text}
    return {INTO: into, **{name: text_digest(each) for name, each in texts.items() if each is not None}}


def find_rescue(item_id: str, state_of: StateOf) -> Rescue | None:
    """What must stay if following the merges of this memory leads to none that does; None: all is well."""
    chain = [item_id]
    while len(chain) < _MOST_STEPS:
        survivor = survivor_of(state_of(chain[-1]).presence_in_force)
        if survivor is None:
            break
        if survivor in chain:
            circle = tuple(sorted(chain[chain.index(survivor) :]))
            return Rescue(circle, circle)
        chain.append(survivor)
    end = state_of(chain[-1]).presence_in_force
    if len(chain) == 1:
        return None
    if not is_forgotten(end):
        # Another device kept this one out of the circle because it did not have a smaller one any more.
        circle = tuple(end.get(CIRCLE, ()))
        return Rescue((item_id,), circle) if item_id in circle and item_id < chain[-1] else None
    for last in range(len(chain) - 1, 0, -1):
        if not _is_covered(chain[last - 1], chain[last], state_of):
            return Rescue(tuple(reversed(chain[:last])))
    return None


def smaller_survivor(item_id: str, state_of: StateOf, digests: Mapping[str, str]) -> str | None:
    """The memory to which this one gives way, if two devices kept different ones of a circle: the first by id.

    An edited one is no duplicate any more: `digests` are of the texts in force.
    """
    circle = _circle(item_id, state_of, digests)
    others = [other for other in circle if other < item_id and _circle(other, state_of, digests)]
    return min(others, default=None)


def _circle(item_id: str, state_of: StateOf, digests: Mapping[str, str]) -> tuple[str, ...]:
    value = state_of(item_id).presence_in_force
    if is_forgotten(value) or value.get(TEXT) is None or value[TEXT] != digests.get(item_id):
        return ()
    return tuple(value.get(CIRCLE, ()))


def _is_covered(duplicate: str, survivor: str, state_of: StateOf) -> bool:
    """Whether a device that let the survivor go knew that it stood for the duplicate too.

    Merging it further is not letting it go, unless that merge is the one that the duplicate is followed along.
    """
    state, kept = state_of(duplicate), state_of(survivor)
    followed = (None, survivor_of(kept.presence_in_force))
    return any(
        is_forgotten(value)
        and survivor_of(value) in followed
        and duplicate in value.get(ABSORBED, ())
        and not _was_recalled_since(value, duplicate, state)
        for value in (version.value for version in kept.presence.versions)
    )


def _was_recalled_since(value: Value, duplicate: str, state: ItemState) -> bool:
    """Whether it was recalled, and a device that let the survivor go because of time did not know of that."""
    if value.get("reason") not in AUTOMATIC_REASONS:
        return False
    known = value[ABSORBED]
    if isinstance(known, Mapping):
        return state.count(_RECALLS) > int(known[duplicate])
    return state.recalled_at > float(value.get("left_at", 0.0))  # written before recalls were noted


def kept_value(circle: tuple[str, ...], text: str) -> Value:
    """The presence of a memory that a device keeps although it was merged."""
    value: Value = {"state": State.ACTIVE.value}
    return {**value, CIRCLE: list(circle), TEXT: text_digest(text)} if circle else value
