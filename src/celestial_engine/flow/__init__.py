"""What happens to a memory, a verb a file. Stages do not import each other; the engine calls them in order.

`from celestial_engine.flow import store` gives a stage that is loaded when something of it is first used: a command
that recalls does not wait for the stages of the night.
"""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any


class _Stage(ModuleType):
    """A stage that may not be loaded yet."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_loaded(self.__name__), name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(_loaded(self.__name__), name, value)

    def __delattr__(self, name: str) -> None:
        delattr(_loaded(self.__name__), name)


_LOADED: dict[str, ModuleType] = {}


def _loaded(name: str) -> ModuleType:
    """Whole: what lies in `sys.modules` may be half loaded by another thread, for which `import_module` waits."""
    found = _LOADED.get(name)
    if found is None:
        found = _LOADED[name] = import_module(name)
    return found


if not TYPE_CHECKING:

    def __getattr__(name: str) -> ModuleType:
        if name.startswith("_"):
            raise AttributeError(name)
        return _Stage(f"{__name__}.{name}")
