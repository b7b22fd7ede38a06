"""Namespaces: one folder with a database per name."""

from __future__ import annotations

import shutil
from pathlib import Path

from celestial_engine.errors import InvalidInputError, Reason

_FILE = "memory.db"


class NamespaceManager:
    """Maps namespaces to database paths."""

    def __init__(self, base_path: str = "stellar_data") -> None:
        self._base = Path(base_path)
        self._base.mkdir(parents=True, exist_ok=True)

    def get_db_path(self, namespace: str) -> str:
        folder = self._base / self._sanitize(namespace)
        folder.mkdir(parents=True, exist_ok=True)
        return str(folder / _FILE)

    def list_namespaces(self) -> list[str]:
        return sorted(path.parent.name for path in self._base.glob(f"*/{_FILE}"))

    def delete_namespace(self, namespace: str) -> bool:
        """Delete the folder and everything in it; this cannot be undone."""
        folder = self._base / self._sanitize(namespace)
        if not folder.is_dir():
            return False
        shutil.rmtree(folder)
        return True

    @staticmethod
    def _sanitize(name: str) -> str:
        """Make a safe folder name: it can neither escape the base folder nor be the base folder."""
        if not name.strip():
            raise InvalidInputError("namespace", Reason.EMPTY)
        return "".join(character if character.isalnum() or character in "-_" else "_" for character in name)
