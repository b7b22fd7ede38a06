"""Read pickles as plain values, without running any code.

A pickle is a program: unpickling an untrusted file lets its author run code. The standard library lists the opcodes
of a pickle without executing them; this module executes only those that build plain values. An object becomes a
`Record` of its fields, whatever its class. No class is ever looked up or called.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable
from typing import Any

from celestial_engine.importers.reading import UnreadableError

MOST_BYTES = 16 << 20
_MAX_OPCODES = 1_000_000
_MARK = object()


class PickledObject:
    """A pickled object: the name of its class and its fields."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.fields: dict[str, Any] = {}


def as_json(value: Any) -> Any:
    """Convert a plain value to JSON types; a record becomes the name of its class."""
    if isinstance(value, dict):
        return {str(key): as_json(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [as_json(inner) for inner in value]
    if isinstance(value, PickledObject):
        return f"<{value.kind}>"
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def plain_values(data: bytes) -> Any:
    """Return the value of a pickle; raises UnreadableError for anything but plain values and records."""
    if len(data) > MOST_BYTES:
        raise UnreadableError("too_long")
    machine = _Machine()
    try:
        for step, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            if step > _MAX_OPCODES:
                raise UnreadableError("too_long")
            if opcode.name == "STOP":
                return machine.stack.pop()
            machine.execute(opcode.name, argument)
    except UnreadableError:
        raise
    except Exception as error:  # a damaged pickle can fail at any opcode; no code of it has run
        raise UnreadableError("not_plain") from error
    raise UnreadableError("not_plain")


class _Machine:
    """A stack machine for the supported opcodes."""

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._repeated_size = 0

    def execute(self, name: str, argument: Any) -> None:
        if name in _VALUES:
            self.stack.append(argument)
        elif name in _CONSTANTS:
            self.stack.append(_CONSTANTS[name]())
        elif name in _IGNORED:
            return
        elif name in ("MEMOIZE", "BINPUT", "LONG_BINPUT", "PUT"):
            self._memo[len(self._memo) if name == "MEMOIZE" else int(argument)] = self.stack[-1]
        elif name in ("BINGET", "LONG_BINGET", "GET"):
            self.stack.append(self._from_memo(int(argument)))
        else:
            step = getattr(self, f"_{name.lower()}", None)
            if step is None:
                raise UnreadableError("not_plain")
            step(argument)

    def _from_memo(self, index: int) -> Any:
        value = self._memo[index]
        # A container referenced twice, or by itself, could expand without limit.
        if value != () and isinstance(value, (list, dict, set, tuple)):
            raise UnreadableError("not_plain")
        # A text can be referenced many times: a small pickle would become a large value.
        text = value.kind if isinstance(value, PickledObject) else value
        self._repeated_size += len(text) if isinstance(text, (str, bytes)) else 0
        if self._repeated_size > MOST_BYTES:
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
        self.stack.append(PickledObject(str(argument).replace(" ", ".")))

    def _stack_global(self, _: Any) -> None:
        name, module = self.stack.pop(), self.stack.pop()
        self.stack.append(PickledObject(f"{module}.{name}"))

    def _newobj(self, _: Any) -> None:
        self.stack.pop()  # the constructor's arguments
        self.stack.append(PickledObject(self.stack.pop().kind))

    _reduce = _newobj  # the call is not executed

    def _build(self, _: Any) -> None:
        state, built = self.stack.pop(), self.stack[-1]
        if isinstance(built, PickledObject) and isinstance(state, dict):
            built.fields = {str(key): value for key, value in state.get("__dict__", state).items()}


_CONSTANTS: dict[str, Callable[[], Any]] = {
    "EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_SET": set, "EMPTY_TUPLE": tuple,
    "NONE": lambda: None, "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
}  # fmt: skip
_VALUES = frozenset(
    ("BININT", "BININT1", "BININT2", "LONG1", "BINFLOAT", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8",
     "SHORT_BINBYTES", "BINBYTES", "SHORT_BINSTRING", "BINSTRING")
)  # fmt: skip
_IGNORED = frozenset(("PROTO", "FRAME"))
