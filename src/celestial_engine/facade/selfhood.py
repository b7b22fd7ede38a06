"""Selfhood: the approved self, for people, for prompts and as SOUL.md."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from celestial_engine.core.checks import check_budget, check_id, check_limit
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.self.proposals import Proposal
from celestial_engine.facade.proposing import Proposing, named
from celestial_engine.flow.self import draft
from celestial_engine.ports import SoulFile

if TYPE_CHECKING:
    from celestial_engine.core.self.beliefs import Belief
    from celestial_engine.core.self.islands import Island
    from celestial_engine.core.self.self_state import Self, SelfVersion

_MOST_BY = 200


class Selfhood(Proposing):
    """Who the agent of this memory is, as the user has approved it."""

    _soul_path: str | None
    _soul_file: Callable[[str, str | None, Owner], SoulFile]

    # -- the self -----------------------------------------------------------------------------------

    def islands(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[Island]:
        """The islands, oldest first, collapsed ones too."""
        with self._store.read() as session:
            return session.self.islands(self._owner.but(user_id, agent_id))

    def beliefs(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[Belief]:
        """The beliefs, oldest first."""
        with self._store.read() as session:
            return session.self.beliefs(self._owner.but(user_id, agent_id))

    def self_context(self, tokens: int = 400, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """The approved self for a prompt, in at most so many tokens; "" where there is none yet."""
        from celestial_engine.core.self.context import context_of
        from celestial_engine.flow.self.tend import self_of

        budget = check_budget(tokens)
        with self._store.read() as session:
            return context_of(self_of(session, self._owner.but(user_id, agent_id)), budget)

    def self_versions(self, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[SelfVersion]:
        """Every version of the self that was approved, newest first."""
        with self._store.read() as session:
            return session.self.versions(self._owner.but(user_id, agent_id))

    def shaken_by(self, item_id: str, *, user_id: str | None = None, agent_id: str | None = None) -> Self:
        """The islands that would be left without a founder, and the beliefs that would lose a support."""
        with self._store.read() as session:
            return draft.shaken_by(session, self._owner.but(user_id, agent_id), check_id(item_id))

    def notices(self, limit: int = 20, *, user_id: str | None = None, agent_id: str | None = None) -> Sequence[Event]:
        """What the user was told of, such as an island that shakes; newest first."""
        with self._store.read() as session:
            return session.ledger.latest(self._owner.but(user_id, agent_id), (EventType.NOTICED,), check_limit(limit))

    # -- SOUL.md ------------------------------------------------------------------------------------

    def soul(self, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """SOUL.md as it would be written now."""
        from celestial_engine.flow.self import soul  # most who open a memory do without

        with self._store.read() as session:
            return soul.rendered(session, self._owner.but(user_id, agent_id))

    def soul_diff(self, path: str | None = None, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """What `write_soul` would change in the file, as a unified diff."""
        from celestial_engine.flow.self import soul

        owner = self._owner.but(user_id, agent_id)
        return soul.diff(self._store, owner, self._soul_of(owner, path))

    def write_soul(self, path: str | None = None, *, user_id: str | None = None, agent_id: str | None = None) -> str:
        """Writes SOUL.md and gives its path. What somebody edited in it is not overwritten but must be read first."""
        from celestial_engine.flow.self import soul

        owner = self._owner.but(user_id, agent_id)
        return soul.write(self._store, owner, self._soul_of(owner, path))

    def read_soul(
        self,
        path: str | None = None,
        *,
        by: str = "SOUL.md",
        user_id: str | None = None,
        agent_id: str | None = None,
    ) -> Sequence[Proposal]:
        """What somebody edited in SOUL.md, as proposals."""
        from celestial_engine.flow.self import soul

        owner = self._owner.but(user_id, agent_id)
        return soul.read_back(self._store, owner, self._soul_of(owner, path), named(by), self._now(), self._said)

    # -- within -------------------------------------------------------------------------------------

    def _soul_of(self, owner: Owner, path: str | None) -> SoulFile:
        """Where the engine was told that it is holds for its own owner."""
        place = path or (self._soul_path if owner == self._owner else None)
        return self._soul_file(self._store.path, place, owner)
