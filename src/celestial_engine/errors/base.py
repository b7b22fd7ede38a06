"""The base of every error: a code, its own fields, and its problems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from celestial_engine.errors.reasons import Reason


class Problem(NamedTuple):
    """One mistake: its field, its reason, and the facts for the sentence."""

    field: str | None
    reason: Reason
    fields: Mapping[str, Any]

    def message(self, language: str = "en") -> str:
        from celestial_engine.errors.messages import problem_message  # the texts are loaded on first use

        return problem_message(self, language)

    def __str__(self) -> str:
        return self.message()

    def at(self, field: str) -> Problem:
        """Returns the same problem, in this field."""
        return self._replace(field=field)


def problem(field: str | None, reason: Reason, **fields: object) -> Problem:
    return Problem(field, reason, fields)


class CelestialError(Exception):
    """The root: catch this to catch everything the engine raises on purpose.

    Arguments are the fields of the class in order (`takes`), then a reason with its own fields by name, or problems
    that were found before.
    """

    code: ClassVar[str] = "error"
    takes: ClassVar[tuple[str, ...]] = ()
    # Tests compare the fields of each error with the catalogue; elsewhere nothing is checked.
    on_creation: ClassVar[Callable[[CelestialError], None] | None] = None

    def __init__(self, *given: object, **details: Any) -> None:
        super().__init__(*given)
        values = [one for one in given if not isinstance(one, (Reason, Problem))]
        reasons = [one for one in given if isinstance(one, Reason)]
        if len(values) > len(self.takes) or len(reasons) > 1:
            raise TypeError(f"{type(self).__name__} takes {', '.join(self.takes) or 'no fields'} and one reason")
        own = dict(zip(self.takes, values, strict=False))
        own.update({name: details.pop(name) for name in self.takes if name in details})
        found = [one for one in given if isinstance(one, Problem)]
        if reasons:
            field = own.get("field")
            found.append(Problem(None if field is None else str(field), reasons[0], details))
            details = {}
        self.problems: tuple[Problem, ...] = tuple(found)
        self.own: dict[str, Any] = {**own, **details}
        if CelestialError.on_creation is not None:
            CelestialError.on_creation(self)

    @property
    def reason(self) -> Reason | None:
        """The reason code; of several problems, that of the first. None if the error needs no reason."""
        return self.problems[0].reason if self.problems else None

    @property
    def details(self) -> dict[str, Any]:
        """The fields of the error, and those of its reason unless there are several."""
        if len(self.problems) != 1:
            return dict(self.own)
        (only,) = self.problems
        field = {} if only.field is None else {"field": only.field}
        return {**field, **only.fields, **self.own}

    def message(self, language: str = "en") -> str:
        """Returns what is wrong and what to do about it."""
        from celestial_engine.errors.messages import error_message  # the texts are loaded on first use

        return error_message(self, language)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.problems, self.own)


def _again(kind: type[CelestialError], problems: tuple[Problem, ...], own: dict[str, Any]) -> CelestialError:
    return kind(*problems, **own)
