"""Which values and namespaces a LangGraph operation asks for; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Any

from celestial_engine.errors import Expected, InvalidInputError, Reason

Namespace = tuple[str, ...]

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_OPERATORS = ("$eq", "$ne", *_ORDERS)


def check_filter(wanted: object) -> Mapping[str, Any]:
    """The fields and what they must be; operators that there are not raise before anything is read."""
    if wanted is None:
        return {}
    if not isinstance(wanted, Mapping):
        raise InvalidInputError("filter", Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(wanted).__name__)
    for part in wanted.values():
        _check_operators(part)
    return wanted


def _check_operators(part: object) -> None:
    if isinstance(part, Mapping):
        if _asks_by_operator(part):
            unknown = sorted(str(name) for name in part if name not in _OPERATORS)
            if unknown:
                raise InvalidInputError(
                    "filter", Reason.UNKNOWN_NAMES, names=tuple(unknown), choices=tuple(_OPERATORS)
                )
            return
        for inner in part.values():
            _check_operators(inner)
    elif isinstance(part, (list, tuple)):
        for inner in part:
            _check_operators(inner)


def accepts(wanted: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    """Whether every field is as it is wanted; one that is not there is None."""
    return all(_fits(part, value.get(field)) for field, part in wanted.items())


def _fits(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, Mapping):
        if _asks_by_operator(wanted):
            return all(_holds(operator, found, bound) for operator, bound in wanted.items())
        return isinstance(found, Mapping) and accepts(wanted, found)
    if isinstance(wanted, (list, tuple)):
        if not isinstance(found, (list, tuple)) or len(found) != len(wanted):
            return False
        return all(_fits(part, one) for part, one in zip(wanted, found, strict=True))
    return bool(found == wanted)


def _asks_by_operator(wanted: Mapping[Any, Any]) -> bool:
    return any(isinstance(name, str) and name.startswith("$") for name in wanted)


def _holds(operator: str, found: Any, bound: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return bool(found == bound) is (operator == "$eq")
    try:
        return _ORDERS[operator](float(found), float(bound))
    except (TypeError, ValueError, OverflowError):  # no numbers: texts have an order too, all else has none
        return isinstance(found, str) and isinstance(bound, str) and _ORDERS[operator](found, bound)


def namespace_matches(kind: str, path: Iterable[str], namespace: Namespace) -> bool:
    """Whether a namespace begins or ends like a path, in which * stands for any label."""
    labels = tuple(path)
    if len(namespace) < len(labels):
        return False
    beside = namespace[: len(labels)] if kind == "prefix" else namespace[len(namespace) - len(labels) :]
    return all(label in ("*", own) for label, own in zip(labels, beside, strict=True))
