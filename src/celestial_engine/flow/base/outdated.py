"""Which of the memories found for a question are outdated, by what a later one among them says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.record.labels import Address, Attribute, Lifetime, Subject
from celestial_engine.core.retrieval import relevance
from celestial_engine.core.retrieval.judges import NO_EMBEDDER
from celestial_engine.core.retrieval.outdated import MOST_COMPARED, MOST_OLDER, Found
from celestial_engine.core.retrieval.ranking import Evidence
from celestial_engine.core.retrieval.relevance import Judged, is_typed
from celestial_engine.core.sameness.succession import VectorScale
from celestial_engine.flow.base.read import outdated_among

_COVERED = relevance.FEATURES.index("covered")
_READ_CHARACTERS = 2_000


def outdated_by(
    question: str,
    scale: VectorScale | None,
    chosen: Sequence[Evidence],
    judged: Mapping[str, Judged],
    items: Mapping[str, CelestialItem],
) -> dict[str, tuple[str, float]]:
    """Return which memories are likely outdated: the later one that says so, and how likely it is.

    `scale` is that of their vectors, if the question has one.

    The lines of a dialogue are left as they are: what one says is not what the other one changed. So is a memory
    whose own words were typed, and what was ended before and is valid again: that was undone.
    """
    from celestial_engine.core.sameness.supersession import may_supersede

    candidates = [each.candidate for each in chosen[:MOST_COMPARED] if each.candidate.speaker is None]
    valid = [items[each.item_id] for each in candidates if each.superseded_by is None]
    pairs = [
        (older, newer)
        for older in range(min(MOST_OLDER, len(valid)))
        if not is_typed(judged[valid[older].id].values)
        for newer in range(len(valid))
        if valid[older].id not in valid[newer].validity.replaces and may_supersede(valid[newer], valid[older])
    ]
    if not pairs:
        return {}
    found = [_found(item, judged[item.id]) for item in valid]

    def closeness(first: Found, second: Found) -> float | None:
        if first.vector is None or second.vector is None or scale is None:
            return None
        return scale.closeness(sum(map(float.__mul__, first.vector, second.vector)))

    return {
        valid[each.older].id: (valid[each.newer].id, each.probability)
        for each in outdated_among(
            question, found, pairs, closeness, NO_EMBEDDER if scale is None else scale.embedder
        )
    }


def _found(item: CelestialItem, judged: Judged) -> Found:
    address = item.address or Address(Subject.USER, Attribute.OTHER)
    lifetime = item.lifetime or Lifetime.SEASON
    return Found(
        item.content[:_READ_CHARACTERS], address.subject, address.attribute, lifetime, judged.probability,
        judged.values[_COVERED], item.embedding,
    )  # fmt: skip
