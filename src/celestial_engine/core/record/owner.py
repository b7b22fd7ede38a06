"""The owner of a memory: a user and an agent."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import InvalidOwnerError

_MOST_CHARACTERS = 200


@dataclass(frozen=True, order=True)
class Owner:
    """A user together with one of their agents. No owner ever sees another's memories."""

    user_id: str = "local"
    agent_id: str = "default"

    def __post_init__(self) -> None:
        for field, value in (("user_id", self.user_id), ("agent_id", self.agent_id)):
            if not isinstance(value, str) or not value.strip() or len(value) > _MOST_CHARACTERS:
                raise InvalidOwnerError(field, value)
            if not _encodes_as_utf8(value):
                raise InvalidOwnerError(field, value)

    def with_ids(self, user_id: str | None, agent_id: str | None) -> Owner:
        """Returns this owner with another user or agent; None keeps the current one."""
        if user_id is None and agent_id is None:
            return self
        return Owner(self.user_id if user_id is None else user_id, self.agent_id if agent_id is None else agent_id)


def _encodes_as_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


LOCAL_OWNER = Owner()
