"""What the nightly jobs read: counts, and small rows of all memories."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Trust
from celestial_engine.core.record.item_filter import FacetKind, ItemFilter
from celestial_engine.core.record.labels import Lifetime
from celestial_engine.core.record.lifetimes import Tier, TierReason, is_lasting
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.turn.remember_request import LOOKED_AT, asks_to_remember
from celestial_engine.errors import Reason, problem
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError, enum_value
from celestial_engine.storage.sqlite.schema.migrations import IN_ORBIT

if TYPE_CHECKING:
    from celestial_engine.core.night.lifetime_rows import LifetimeRow
    from celestial_engine.core.night.sleep import Census


# The start of the text, only for the first tier: a request to remember comes early in a text.
_COLUMNS = (
    "seq, id, state, tier, protection, created_at, last_recalled_at, idle_since, state_since, recall_count, "
    "mention_count, expires_at, arbitrary_importance, importance_source, lifetime, facets, "
    f"CASE tier WHEN 'M30' THEN substr(content, 1, {LOOKED_AT}) END"
)
_LIFETIMES = tuple(Lifetime)


class SqliteNight:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def owners(self) -> list[Owner]:
        rows = self._tx.db.execute("SELECT user_id, agent_id FROM owners ORDER BY owner")
        return [Owner(*row) for row in rows]

    def census(self, owner: Owner) -> Census:
        from celestial_engine.core.night.sleep import Census

        number, count = self._tx.number(owner), self._tx.facets.counts
        orbit = self._tx.facets.chosen(number, ItemFilter())
        return Census(
            {enum_value(State, state): n for state, n in count(number, FacetKind.STATE).items()},
            {int(zone): n for zone, n in count(number, FacetKind.ZONE, orbit).items()},
            {enum_value(Tier, tier): n for tier, n in count(number, FacetKind.TIER, orbit).items()},
        )

    def population(self) -> dict[int, int]:
        self._tx.see_all_owners()
        # Group by owner first, so that the count uses only the orbit index.
        rows = self._tx.db.execute(
            "SELECT zone, sum(memories) FROM "
            f"(SELECT zone, count(*) AS memories FROM items WHERE {IN_ORBIT} GROUP BY owner, zone) AS counted "
            "GROUP BY zone"
        )
        return {zone: int(memories) for zone, memories in rows}

    def lifetime_rows(self, owner: Owner) -> Iterator[LifetimeRow]:
        condition, values = self._tx.of_owner(owner)
        rows = self._tx.db.execute(
            f"SELECT {_COLUMNS} FROM {self._tx.dialect.texts} "
            f"WHERE {condition} AND state IN ('active', 'faded', 'inactive') ORDER BY seq",
            values,
        )
        return map(_lifetime_row, rows)


def _lifetime_row(row: tuple[Any, ...]) -> LifetimeRow:
    from celestial_engine.core.night.lifetime_rows import LifetimeRow

    (seq, item_id, state, tier, protection, created, recalled, idle, inactive, recalls, mentions, expires,
     importance, source, lifetime, facets, beginning) = row  # fmt: skip
    try:
        rest = json.loads(facets) if facets != "{}" else {}
        links, emotion, resolution = rest.get("links", {}), rest.get("emotion", {}), rest.get("resolution", {})
        felt = set(emotion.get("tags", ())) - {Emotion.NEUTRAL.value}
        valid_until, why = rest.get("validity", {}).get("until"), rest.get("tier_reason")
        lasting = is_lasting(
            enum_value(Tier, tier),
            None if lifetime is None else _LIFETIMES[lifetime],
            None if why is None else enum_value(TierReason, why),
            superseded=valid_until is not None,
        )
        tied = len(links.get("children", ())) + len(links.get("related", ())) + ("parent" in links)
        return LifetimeRow(
            seq, item_id, enum_value(State, state), enum_value(Tier, tier), enum_value(Protection, protection),
            created, recalled, recalls, mentions, rest.get("influence_count", 0), expires, inactive,
            valid_until, importance, source, rest.get("user_rating"), tied,
            links.get("island"), tuple(links.get("promoted_from", ())), rest.get("trust") != Trust.LOW.value,
            emotion.get("intensity", 0.0), len(felt), emotion.get("sentiment_score", 0.0),
            tuple(rest.get("keywords", ())), "gist" in resolution, "triples" in resolution,
            beginning is not None and asks_to_remember(beginning), recalled if idle is None else idle, lasting,
            lifetime is not None,
        )  # fmt: skip
    except (ValueError, AttributeError, TypeError) as error:
        raise UnreadableRowError(problem(None, Reason.ITEM_UNREADABLE, got=item_id, cause=str(error))) from error
