"""Pure matching of values and namespaces against LangGraph filters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import ge, gt, le, lt
from typing import Any

from celestial_engine.errors import Expected, InvalidInputError, Reason

Namespace = tuple[str, ...]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {"$gt": gt, "$gte": ge, "$lt": lt, "$lte": le}
_OPERATORS = ("$eq", "$ne", *_COMPARISONS)


def check_filter(wanted: object) -> Mapping[str, Any]:
    """Check a filter; unknown operators raise before anything is read."""
    if wanted is None:
        return {}
    if not isinstance(wanted, Mapping):
        raise InvalidInputError("filter", Reason.WRONG_TYPE, expected=Expected.OBJECT, got=type(wanted).__name__)
    for part in wanted.values():
        _check_operators(part)
    return wanted


def _check_operators(part: object) -> None:
    if isinstance(part, Mapping):
        if _uses_operators(part):
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
    """Whether every field matches the filter; a missing field counts as None."""
    return all(_matches(part, value.get(field)) for field, part in wanted.items())


def _matches(condition: Any, value: Any) -> bool:
    if isinstance(condition, Mapping):
        if _uses_operators(condition):
            return all(_compare(operator, value, bound) for operator, bound in condition.items())
        return isinstance(value, Mapping) and accepts(condition, value)
    if isinstance(condition, (list, tuple)):
        if not isinstance(value, (list, tuple)) or len(value) != len(condition):
            return False
        return all(_matches(part, element) for part, element in zip(condition, value, strict=True))
    return bool(value == condition)


def _uses_operators(condition: Mapping[Any, Any]) -> bool:
    return any(isinstance(name, str) and name.startswith("$") for name in condition)


def _compare(operator: str, value: Any, bound: Any) -> bool:
    if operator in ("$eq", "$ne"):
        return bool(value == bound) is (operator == "$eq")
    try:
        return _COMPARISONS[operator](float(value), float(bound))
    except (TypeError, ValueError, OverflowError):  # not numbers: only texts can be compared
        return isinstance(value, str) and isinstance(bound, str) and _COMPARISONS[operator](value, bound)


def namespace_matches(kind: str, path: Iterable[str], namespace: Namespace) -> bool:
    """Whether a namespace starts or ends with a path; * matches any label."""
    labels = tuple(path)
    if len(namespace) < len(labels):
        return False
    compared = namespace[: len(labels)] if kind == "prefix" else namespace[len(namespace) - len(labels) :]
    return all(label in ("*", actual) for label, actual in zip(labels, compared, strict=True))
