"""Check that errors have exactly the fields their messages need; a test suite enables it in its conftest:

monkeypatch.setattr(CelestialError, "on_creation", staticmethod(check_error))
"""

from __future__ import annotations

from string import Formatter

from celestial_engine.errors import CelestialError, Problem, Reason
from celestial_engine.errors.messages import catalogue


def placeholders(*templates: str) -> frozenset[str]:
    """The field names in these message templates."""
    return frozenset(name for text in templates for _, name, _, _ in Formatter().parse(text) if name)


def reason_fields(reason: Reason) -> frozenset[str]:
    """The fields that a reason needs besides the name of the wrong field."""
    return placeholders(catalogue("en").reasons[reason.value]) - {"field"}


def check_error(error: CelestialError) -> None:
    """Raise TypeError for a field that no message uses, or for a missing one."""
    needed = placeholders(*catalogue("en").errors[error.code])
    allowed = {*error.takes, *(needed - {"reason"})}
    if error.own.keys() - allowed:
        raise TypeError(f"{error.code} has no {', '.join(sorted(error.own.keys() - allowed))}")
    missing = needed - error.own.keys() - {"reason"}
    if missing or ("reason" in needed and not error.problems):
        raise TypeError(f"{error.code} needs {', '.join(sorted(missing)) or 'a reason'}")
    for problem in error.problems:
        check_problem(problem)


def check_problem(problem: Problem) -> None:
    expected = reason_fields(problem.reason)
    if problem.fields.keys() != expected:
        raise TypeError(f"{problem.reason.value} takes {sorted(expected)}, not {sorted(problem.fields)}")
