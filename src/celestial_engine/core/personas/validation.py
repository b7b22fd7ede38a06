"""Checks an answer against the validators of a registry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from celestial_engine.core.model.answers import describe_error
from celestial_engine.core.personas.persona import ValidatorSpec, ValidatorType
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.errors import Problem, Reason, problem

FIELD = "answer"
Check = Callable[[str], object]  # True or None accepts; False, or a text that says why, refuses


class Validation(NamedTuple):
    """How many validators an answer passed, and what the others found."""

    checked: int
    problems: tuple[Problem, ...]

    @property
    def verified(self) -> int:
        return self.checked - len(self.problems)


def validated(answer: str, validators: Iterable[ValidatorSpec], functions: Mapping[str, Check]) -> Validation:
    """Checks one answer. `functions` are those that validators name."""
    found = [_problem_with(answer, validator, functions) for validator in validators]
    return Validation(len(found), tuple(one for one in found if one is not None))


def retry_prompt(prompt: str, problems: Iterable[Problem]) -> str:
    """Returns the prompt with what was wrong with the first answer."""
    reasons = "; ".join(str(one) for one in problems)
    return f"{prompt}\nYour last answer was not accepted: {reasons}. Answer again."


def _problem_with(answer: str, validator: ValidatorSpec, functions: Mapping[str, Check]) -> Problem | None:
    match validator.type:
        case ValidatorType.LENGTH:
            length = len(answer.strip())
            if validator.least <= length <= validator.most:
                return None
            return problem(FIELD, Reason.WRONG_LENGTH, least=validator.least, most=validator.most, got=length)
        case ValidatorType.LANGUAGE:
            language = language_of(answer)
            if language is Language.OTHER or language.value == validator.language:
                return None
            return problem(FIELD, Reason.WRONG_LANGUAGE, language=validator.language)
        case ValidatorType.FORBIDDEN:
            text = answer.casefold()
            found = tuple(word for word in validator.words if word.casefold() in text)
            return problem(FIELD, Reason.FORBIDDEN_WORDS, names=found) if found else None
        case ValidatorType.FUNCTION:
            try:
                verdict = functions[validator.function or ""](answer)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - a broken check must not end the run
                verdict = describe_error(error)
            if verdict is None or verdict is True:
                return None
            cause = verdict if isinstance(verdict, str) else validator.function
            return problem(FIELD, Reason.NOT_ACCEPTED, cause=cause)
