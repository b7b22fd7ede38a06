"""Pickled records as plain values, without running anything.

A pickle is a program: loading one from a file of unknown origin lets its author run code here. The standard library
can list the instructions of a pickle without obeying them; of these the few that build plain values are obeyed here.
An object becomes a `Record` of its fields, whatever class it names, and no class is ever looked up, let alone called.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from typing import Any

from celestial_engine.importers.reading import UnreadableError

MOST_BYTES = 16 << 20
_MOST_STEPS = 1_000_000
_MARK = object()


class Record:
    """An object that was pickled: the name of its class and its fields, nothing else."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.fields: dict[str, Any] = {}


def as_json(value: Any) -> Any:
    """A plain value as JSON can say it; of a record its kind alone."""
    if isinstance(value, dict):
        return {str(key): as_json(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [as_json(inner) for inner in value]
    if isinstance(value, Record):
        return f"<{value.kind}>"
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def plain_values(data: bytes) -> Any:
    """What a pickle holds. Anything but plain values and records of them raises UnreadableError."""
    if len(data) > MOST_BYTES:
        raise UnreadableError("too_long")
    machine = _Machine()
    try:
        for step, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if step > _MOST_STEPS:
                raise UnreadableError("too_long")
            if opcode.name == "STOP":
                return machine.stack.pop()
            machine.obey(opcode.name, argument)
    except UnreadableError:
        raise
    except Exception as error:  # a broken pickle can break anywhere; none of it has run
        raise UnreadableError("not_plain") from error
    raise UnreadableError("not_plain")


class _Machine:
    """The stack on which the instructions put values together."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._repeated = 0

    def obey(self, name: str, argument: Any) -> None:
        if name in _VALUES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _NOTHING:
            return
        elif name in ("MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT"):
            self._memo[len(self._memo) if name == "MEMOIZE" else int(argument)] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            self.stack.append(self._remembered(int(argument)))
        else:
            step = getattr(self, f"_{name.lower()}", None)
            if step is None:
                raise UnreadableError("not_plain")
            step(argument)

    def _remembered(self, place: int) -> Any:
        value = self._memo[place]
        # A container that stands in several places, or in itself, grows without end when it is looked at.
        if value != () and isinstance(value, (list, dict, set, tuple)):
            raise UnreadableError("not_plain")
        # A text may stand in many places: then a small pickle is a large value.
        told = value.kind if isinstance(value, Record) else value
        self._repeated += len(told) if isinstance(told, (str, bytes)) else 0
        if self._repeated > MOST_BYTES:
            raise UnreadableError("too_long")
        return value

    def _since_mark(self) -> list[Any]:
        at = len(self.stack) - 1 - next(i for i, value in enumerate(reversed(self.stack)) if value is _MARK)
        taken = self.stack[at + 1 :]
        del self.stack[at:]
        return taken

    def _mark(self, _: Any) -> None:
        self.stack.append(_MARK)

    def _append(self, _: Any) -> None:
        value = self.stack.pop()
        self.stack[-1].append(value)

    def _appends(self, _: Any) -> None:
        taken = self._since_mark()
        self.stack[-1].extend(taken)

    def _additems(self, _: Any) -> None:
        taken = self._since_mark()
        self.stack[-1].update(taken)

    def _setitem(self, _: Any) -> None:
        value, key = self.stack.pop(), self.stack.pop()
        self.stack[-1][key] = value

    def _setitems(self, _: Any) -> None:
        taken = self._since_mark()
        self.stack[-1].update(zip(taken[::2], taken[1::2], strict=True))

    def _tuple(self, _: Any) -> None:
        self.stack.append(tuple(self._since_mark()))

    def _tuple1(self, _: Any) -> None:
        self._tuple_of(1)

    def _tuple2(self, _: Any) -> None:
        self._tuple_of(2)

    def _tuple3(self, _: Any) -> None:
        self._tuple_of(3)

    def _tuple_of(self, length: int) -> None:
        taken = tuple(self.stack[-length:])
        del self.stack[-length:]
        self.stack.append(taken)

    def _global(self, argument: Any) -> None:
        self.stack.append(Record(str(argument).replace(" ", ".")))

    def _stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(Record(f"{module}.{name}"))

    def _newobj(self, _: Any) -> None:
        self.stack.pop()  # what its class would be given
        self.stack.append(Record(self.stack.pop().kind))

    _reduce = _newobj  # a call, which is not made

    def _build(self, _: Any) -> None:
        state, built = self.stack.pop(), self.stack[-1]
        if isinstance(built, Record) and isinstance(state, dict):
            built.fields = {str(key): value for key, value in state.get("__dict__", state).items()}


_CONSTANTS: dict[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_SET": set, "EMPTY_TUPLE": tuple,
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
}  # fmt: skip
_VALUES = frozenset(
    ("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8",
     "SHORT_BINBYTES", "BINBYTES", "SHORT_BINSTRING", "BINSTRING")
)  # fmt: skip
_NOTHING = frozenset(("PROTO", "FRAME"))
