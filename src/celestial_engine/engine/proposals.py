"""`memory.self.propose`: changes of the self. Any caller may propose; only the user's approval applies them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from celestial_engine.core.checks import check_choice, check_id, check_ids, check_text
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.self.proposals import Channel, Proposal
from celestial_engine.engine.parts import Area, Parts
from celestial_engine.flow.self import draft, inbox

if TYPE_CHECKING:
    from celestial_engine.flow.self.inbox import Make

_MOST_BY = 200


class ProposalArea(Area):
    """Proposals for the inbox. `by` names the proposer, `channel` the surface."""

    def core(self, item_id: str, *, by: str = "host", channel: Channel | str = Channel.HOST) -> Proposal:
        """Proposes a memory as core memory; the user may propose any tier, others only M365."""
        through = channel_named(channel)
        return self._put(
            lambda session, owner: draft.core_promotion(session, owner, check_id(item_id), through), by, through
        )

    def core_change(
        self, item_id: str, content: str, *, by: str = "host", channel: Channel | str = Channel.HOST
    ) -> Proposal:
        """Proposes a new text for a core memory; the reasons list the islands and beliefs affected."""
        text = Guard(self._parts.guard).text(check_text(content))
        return self._put(
            lambda session, owner: draft.core_change(session, owner, check_id(item_id), text), by, channel
        )

    def core_deletion(self, item_id: str, *, by: str = "host", channel: Channel | str = Channel.HOST) -> Proposal:
        """Proposes deleting a core memory; the reasons list the islands and beliefs affected."""
        return self._put(lambda session, owner: draft.core_deletion(session, owner, check_id(item_id)), by, channel)

    def island(
        self,
        name: str,
        founders: Iterable[str],
        *,
        emoji: str = "",
        description: str = "",
        by: str = "host",
        channel: Channel | str = Channel.HOST,
    ) -> Proposal:
        """Proposes a new personality island, founded by core memories."""
        part = {
            "name": one_line(self._parts, name, "name"),
            "emoji": self._optional(emoji, "emoji"),
            "description": self._optional(description, "description"),
            "founders": list(check_ids(founders, "founders")),
        }
        return self._put(lambda session, owner: draft.island_founded(session, owner, part), by, channel)

    def island_change(
        self,
        island_id: str,
        *,
        name: str | None = None,
        emoji: str | None = None,
        description: str | None = None,
        founders: Iterable[str] | None = None,
        dissolve: bool = False,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
    ) -> Proposal:
        """Proposes another name, emoji, description or founders for an island; or its end."""
        fields: dict[str, Any] = {
            "name": None if name is None else one_line(self._parts, name, "name"),
            "emoji": None if emoji is None else self._optional(emoji, "emoji"),
            "description": None if description is None else self._optional(description, "description"),
            "founders": None if founders is None else list(check_ids(founders, "founders")),
        }
        return self._put(
            lambda session, owner: draft.island_changed(session, owner, check_id(island_id), fields, dissolve),
            by, channel,
        )  # fmt: skip

    def belief(
        self,
        statement: str,
        supports: Iterable[str],
        *,
        island: str | None = None,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
    ) -> Proposal:
        """Proposes a belief, such as "나는 실수해도 괜찮은 존재다", supported by memories of tiers M365 and M0."""
        part = {
            "statement": one_line(self._parts, statement, "statement"),
            "supports": list(check_ids(supports, "supports")),
            "island": None if island is None else check_id(island),
        }
        return self._put(lambda session, owner: draft.belief_formed(session, owner, part), by, channel)

    def belief_change(
        self,
        belief_id: str,
        *,
        statement: str | None = None,
        supports: Iterable[str] | None = None,
        island: str | None = None,
        drop: bool = False,
        by: str = "host",
        channel: Channel | str = Channel.HOST,
    ) -> Proposal:
        """Proposes another statement, supports or island for a belief; or its end."""
        fields: dict[str, Any] = {
            "statement": None if statement is None else one_line(self._parts, statement, "statement"),
            "supports": None if supports is None else list(check_ids(supports, "supports")),
            "island": None if island is None else check_id(island),
        }
        return self._put(
            lambda session, owner: draft.belief_changed(session, owner, check_id(belief_id), fields, drop),
            by, channel,
        )  # fmt: skip

    def rollback(self, version: int, *, by: str = "host", channel: Channel | str = Channel.HOST) -> Proposal:
        """Proposes a return to that version of the self; 0 is before the first. Takes effect when approved."""
        return self._put(lambda session, owner: draft.rollback(session, owner, version), by, channel)

    def _optional(self, text: str, field: str) -> str:
        return one_line(self._parts, text, field) if text else ""

    def _put(self, make: Make, by: str, channel: Channel | str) -> Proposal:
        parts = self._parts
        return inbox.propose(parts.store, parts.owner, make, named(by), channel_named(channel), parts.now())


def one_line(parts: Parts, text: str, field: str) -> str:
    """Returns a text about the self on one line, without secrets or hidden characters."""
    from celestial_engine.core.retrieval.framing import escape_for_prompt

    return escape_for_prompt(Guard(parts.guard).text(check_text(text, field), field))


def named(by: str) -> str:
    return check_text(by, "by").strip()[:_MOST_BY]


def channel_named(channel: Channel | str) -> Channel:
    """Returns the channel; its name may be followed by more, such as who asked."""
    name = channel.value if isinstance(channel, Channel) else str(channel).partition(",")[0].strip()
    return check_choice(Channel, name, "channel")
