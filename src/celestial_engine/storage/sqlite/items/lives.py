"""What sleep reads: the small rows of all memories, and what the ledger has told of them already."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from celestial_engine.core.record.coordinate import Emotion
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.forgetting import Protection, State
from celestial_engine.core.record.item import Trust
from celestial_engine.core.record.lifetimes import Tier
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.remember_request import LOOKED_AT, asks_to_remember
from celestial_engine.storage.sqlite.items.transaction import SQL_VARIABLES, Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError, known

if TYPE_CHECKING:
    from celestial_engine.core.night.lives import LifetimeRow

# A short beginning of the text, of the first tier alone: who is asked to remember, is asked early.
_COLUMNS = (
    "seq, id, state, tier, protection, created_at, last_recalled_at, recall_count, mention_count, expires_at, "
    f"arbitrary_importance, importance_source, facets, CASE tier WHEN 'M30' THEN substr(content, 1, {LOOKED_AT}) END"
)


class LifeReading(Transaction):
    """The lives of an owner within one transaction."""

    def lives(self, owner: Owner) -> Iterator[LifetimeRow]:
        rows = self._db.execute(
            f"SELECT {_COLUMNS} FROM items JOIN texts USING (seq) "
            "WHERE seq BETWEEN ? AND ? AND state IN ('active', 'faded', 'inactive') ORDER BY seq",
            self._range(owner),
        )
        return map(_life, rows)

    def told_of(self, owner: Owner, item_ids: Iterable[str], kind: EventType, detail: str = "") -> set[str]:
        ids, number, found = list(item_ids), self._number(owner), set[str]()
        for start in range(0, len(ids), SQL_VARIABLES):
            part = ids[start : start + SQL_VARIABLES]
            rows = self._db.execute(
                f"SELECT DISTINCT item_id FROM ledger WHERE owner = ? AND item_id IN ({', '.join('?' * len(part))}) "
                "AND type = ? AND instr(detail, ?)",
                (number, *part, kind.value, f'"{detail}":' if detail else ""),
            )
            found.update(item_id for (item_id,) in rows)
        return found


def _life(row: tuple[Any, ...]) -> LifetimeRow:
    from celestial_engine.core.night.lives import LifetimeRow

    (seq, item_id, state, tier, protection, created, recalled, recalls, mentions, expires, importance, source,
     facets, beginning) = row  # fmt: skip
    try:
        rest = json.loads(facets) if facets != "{}" else {}
        links, emotion, resolution = rest.get("links", {}), rest.get("emotion", {}), rest.get("resolution", {})
        felt = set(emotion.get("tags", ())) - {Emotion.NEUTRAL.value}
        tied = len(links.get("children", ())) + len(links.get("related", ())) + ("parent" in links)
        return LifetimeRow(
            seq, item_id, known(State, state), known(Tier, tier), known(Protection, protection), created, recalled,
            recalls, mentions, rest.get("influence_count", 0), expires, rest.get("state_since"),
            rest.get("validity", {}).get("until"), importance, source, rest.get("user_rating"), tied,
            links.get("island"), tuple(links.get("promoted_from", ())), rest.get("trust") != Trust.LOW.value,
            emotion.get("intensity", 0.0), len(felt), emotion.get("sentiment_score", 0.0),
            tuple(rest.get("keywords", ())), "gist" in resolution, "triples" in resolution,
            beginning is not None and asks_to_remember(beginning),
        )  # fmt: skip
    except (ValueError, AttributeError, TypeError) as error:
        raise UnreadableRowError(f"memory {item_id!r} cannot be read ({error})") from error
