"""The self in tables: one row per part, as JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import InvalidItemError, Reason, problem
from celestial_engine.storage.sqlite.dialect import NO_LIMIT
from celestial_engine.storage.sqlite.items.transaction import Transaction
from celestial_engine.storage.sqlite.rows import UnreadableRowError, cause_of

if TYPE_CHECKING:
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island
    from celestial_engine.core.self.proposals import Proposal, ProposalStatus
    from celestial_engine.core.self.self_state import SelfVersion

T = TypeVar("T")


class SqliteSelf:
    """Reads within one transaction."""

    __slots__ = ("_tx",)

    def __init__(self, transaction: Transaction) -> None:
        self._tx = transaction

    def islands(self, owner: Owner) -> list[Island]:
        from celestial_engine.core.self.islands import Island

        return self._parts(Island, "islands", owner)

    def beliefs(self, owner: Owner) -> list[Belief]:
        from celestial_engine.core.self.beliefs import Belief

        return self._parts(Belief, "beliefs", owner)

    def proposal(self, owner: Owner, proposal_id: str) -> Proposal | None:
        proposals = self._proposals("id = ?", (self._tx.number(owner), proposal_id), 1)
        return proposals[0] if proposals else None

    def proposals(self, owner: Owner, status: ProposalStatus | None, limit: int) -> list[Proposal]:
        if status is None:
            return self._proposals("TRUE", (self._tx.number(owner),), limit)
        return self._proposals("status = ?", (self._tx.number(owner), status.value), limit)

    def proposals_about(self, owner: Owner, about: str) -> list[Proposal]:
        return self._proposals("about = ?", (self._tx.number(owner), about), NO_LIMIT)

    def versions(self, owner: Owner) -> list[SelfVersion]:
        from celestial_engine.core.self.self_state import SelfVersion

        rows = self._tx.db.execute(
            "SELECT body FROM self_versions WHERE owner = ? ORDER BY version DESC", (self._tx.number(owner),)
        )
        return [_read(SelfVersion, body) for (body,) in rows]

    def soul_digest(self, owner: Owner, path: str) -> str | None:
        row = self._tx.db.execute(
            "SELECT digest FROM souls WHERE owner = ? AND path = ?", (self._tx.number(owner), path)
        ).fetchone()
        return None if row is None else str(row[0])

    def _parts(self, kind: type[T], table: str, owner: Owner) -> list[T]:
        rows = self._tx.db.execute(
            f"SELECT body FROM {table} WHERE owner = ? ORDER BY number", (self._tx.number(owner),)
        )
        return [_read(kind, body) for (body,) in rows]

    def _proposals(self, condition: str, values: tuple[object, ...], limit: int) -> list[Proposal]:
        from celestial_engine.core.self.proposals import Proposal

        rows = self._tx.db.execute(
            f"SELECT body FROM proposals WHERE owner = ? AND {condition} ORDER BY number DESC LIMIT ?",
            (*values, limit),
        )
        return [_read(Proposal, body) for (body,) in rows]


class SqliteSelfWriter(SqliteSelf):
    """Reads and writes parts of the self."""

    __slots__ = ()

    def put_island(self, owner: Owner, island: Island) -> None:
        from celestial_engine.core.self.codec import to_json_text

        self._put("islands", owner, island.id, to_json_text(island))

    def remove_island(self, owner: Owner, island_id: str) -> None:
        self._tx.db.execute("DELETE FROM islands WHERE owner = ? AND id = ?", (self._tx.writable(owner), island_id))

    def put_belief(self, owner: Owner, belief: Belief) -> None:
        from celestial_engine.core.self.codec import to_json_text

        self._put("beliefs", owner, belief.id, to_json_text(belief))

    def remove_belief(self, owner: Owner, belief_id: str) -> None:
        self._tx.db.execute("DELETE FROM beliefs WHERE owner = ? AND id = ?", (self._tx.writable(owner), belief_id))

    def put_proposal(self, owner: Owner, proposal: Proposal) -> None:
        from celestial_engine.core.self.codec import to_json_text

        self._tx.db.execute(
            "INSERT INTO proposals (owner, id, status, about, body) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (owner, id) DO UPDATE SET status = excluded.status, body = excluded.body",
            (self._tx.enrolled(owner), proposal.id, proposal.status.value, proposal.about, to_json_text(proposal)),
        )

    def add_version(self, owner: Owner, version: SelfVersion) -> None:
        from celestial_engine.core.self.codec import to_json_text

        self._tx.db.execute(
            "INSERT INTO self_versions (owner, version, body) VALUES (?, ?, ?)",
            (self._tx.enrolled(owner), version.version, to_json_text(version)),
        )

    def set_soul_digest(self, owner: Owner, path: str, digest: str) -> None:
        self._tx.db.execute(
            "INSERT INTO souls (owner, path, digest) VALUES (?, ?, ?) "
            "ON CONFLICT (owner, path) DO UPDATE SET digest = excluded.digest",
            (self._tx.enrolled(owner), path, digest),
        )

    def withdraw_proposals(self, owner: Owner) -> None:
        """Withdraws the pending proposals of a restored database: they may have been decided since."""
        from celestial_engine.core.self.proposals import ProposalStatus

        for proposal in self.proposals(owner, ProposalStatus.PENDING, NO_LIMIT):
            self.put_proposal(owner, replace(proposal, status=ProposalStatus.WITHDRAWN, nonce=None))

    def forget_item(self, owner: Owner, item_id: str) -> None:
        """Removes a purged memory from islands, beliefs and proposals."""
        from celestial_engine.core.self.codec import mentions_memory, without_memory
        from celestial_engine.core.self.proposals import Proposal

        for island in self.islands(owner):
            if item_id in (*island.founders, *island.lost):
                self.put_island(owner, island.without_memory(item_id))
        for belief in self.beliefs(owner):
            if item_id in (*belief.supports, *belief.lost):
                self.put_belief(owner, belief.without_memory(item_id))
        rows = self._tx.db.execute(
            "SELECT body FROM proposals WHERE owner = ? AND replace(body, ?, '') != body",
            (self._tx.number(owner), item_id),
        ).fetchall()
        for (body,) in rows:
            if mentions_memory(body, item_id):
                self.put_proposal(owner, without_memory(_read(Proposal, body), item_id))

    def _put(self, table: str, owner: Owner, part_id: str, body: str) -> None:
        self._tx.db.execute(
            f"INSERT INTO {table} (owner, id, body) VALUES (?, ?, ?) "
            "ON CONFLICT (owner, id) DO UPDATE SET body = excluded.body",
            (self._tx.enrolled(owner), part_id, body),
        )


def _read(kind: type[T], body: str) -> T:
    from celestial_engine.core.self.codec import from_json_text

    try:
        return from_json_text(kind, body)
    except (ValueError, InvalidItemError) as error:
        raise UnreadableRowError(problem("self", Reason.DAMAGED, cause=cause_of(error))) from error
