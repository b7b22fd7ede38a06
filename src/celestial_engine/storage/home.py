"""Where the files of a database are kept: beside it, or together in one folder."""

from __future__ import annotations

import hashlib
import os
import re
from dataclasses import dataclass

from celestial_engine.core.record.owner import LOCAL_OWNER, Owner
from celestial_engine.errors import InvalidInputError, Reason
from celestial_engine.storage.archive import archive_folder_of

_SOUL_NAME = re.compile(r"SOUL(-[A-Za-z0-9_-]+)?\.md")


@dataclass(frozen=True)
class FileHome:
    """The home of the ledger's daily files, of archived sessions and of SOUL.md.

    With `folder` they are together there, and several servers can share it; without, they are beside the database.
    """

    database: str
    folder: str | None = None

    @property
    def ledger(self) -> str:
        return f"{self.database}.ledger" if self.folder is None else os.path.join(self.folder, "ledger")

    @property
    def archive(self) -> str:
        return archive_folder_of(self.database) if self.folder is None else os.path.join(self.folder, "archive")

    def souls(self) -> tuple[str, ...]:
        """Returns the paths of every owner's SOUL.md that exists."""
        folder = self.folder or os.path.dirname(os.path.abspath(self.database))
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        return tuple(os.path.join(folder, name) for name in names if _SOUL_NAME.fullmatch(name))

    def soul(self, owner: Owner) -> str:
        """Returns the path of an owner's SOUL.md; every owner but the local user has a separate file."""
        folder = self.folder
        if folder is None:
            if self.database.startswith((":", "(")):
                raise InvalidInputError("path", Reason.SOUL_NEEDS_PATH)
            folder = os.path.dirname(os.path.abspath(self.database))
        return os.path.join(folder, _soul_name(owner))


def _soul_name(owner: Owner) -> str:
    if owner == LOCAL_OWNER:
        return "SOUL.md"
    owner_name = f"{owner.user_id}-{owner.agent_id}"
    digest = hashlib.sha256(repr((owner.user_id, owner.agent_id)).encode()).hexdigest()[:8]
    return f"SOUL-{re.sub(r'[^A-Za-z0-9_-]+', '_', owner_name)[:60]}-{digest}.md"
