"""What every error has: a code, its own fields, and the problems that it tells of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from celestial_engine.errors.reasons import Reason


class Problem(NamedTuple):
    """One mistake: where it is, what is wrong there, and the facts that the sentence needs."""

    field: str | None
    reason: Reason
    fields: Mapping[str, Any]

    def message(self, language: str = "en") -> str:
        from celestial_engine.errors.messages import problem_message  # the texts are loaded when they are needed

        return problem_message(self, language)

    def __str__(self) -> str:
        return self.message()

    def at(self, field: str) -> Problem:
        """The same, found in this field."""
        return self._replace(field=field)


def problem(field: str | None, reason: Reason, **fields: object) -> Problem:
    return Problem(field, reason, fields)


class CelestialError(Exception):
    """The root: catch this to catch everything the engine raises on purpose.

    Arguments are the fields of the class in order (`takes`), then a reason with its own fields by name,
    or problems that were found before.
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
        """Why, as a code; of several problems, that of the first. None where the error says it all."""
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
        """What is wrong and what to do about it."""
        from celestial_engine.errors.messages import error_message  # the texts are loaded when they are needed

        return error_message(self, language)

    def __str__(self) -> str:
        return self.message()

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.problems, self.own)


def _again(kind: type[CelestialError], problems: tuple[Problem, ...], own: dict[str, Any]) -> CelestialError:
    return kind(*problems, **own)
