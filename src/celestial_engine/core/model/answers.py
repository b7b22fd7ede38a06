"""Parses answers of a language model: extracts JSON, checks it against a schema, detects refusals.

Supports a subset of JSON Schema; unknown keywords raise ValueError.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NoReturn

from celestial_engine.core.guard.guard import redact_question
from celestial_engine.core.guard.secrets import DEFAULT
from celestial_engine.core.patterns import compiled
from celestial_engine.errors import Problem, Reason
from celestial_engine.lang.en import answers as en_answers
from celestial_engine.lang.ko import answers as ko_answers

_REFUSALS = (*en_answers.REFUSALS, *ko_answers.REFUSALS)
_MOST_STARTS = 50  # places in an answer where JSON may begin
_MOST_REASON = 200

_IS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}
# keyword -> the type it applies to, how to measure the value, and whether the size is within the bound
_BOUNDS: Mapping[str, tuple[str, Callable[[Any], float], Callable[[float, float], bool]]] = {
    "minimum": ("number", float, lambda size, bound: size >= bound),
    "maximum": ("number", float, lambda size, bound: size <= bound),
    "minLength": ("string", len, lambda size, bound: size >= bound),
    "maxLength": ("string", len, lambda size, bound: size <= bound),
    "minItems": ("array", len, lambda size, bound: size >= bound),
    "maxItems": ("array", len, lambda size, bound: size <= bound),
}
_KNOWN = {"type", "enum", "properties", "required", "additionalProperties", "items", "title", "description", *_BOUNDS}


def with_schema(prompt: str, schema: Mapping[str, Any]) -> str:
    """Appends the schema to the prompt, for models without structured output."""
    return f"{prompt}\n\nAnswer with JSON alone, that fits this schema:\n{json.dumps(schema, ensure_ascii=False)}"


def retry_prompt(prompt: str, answer: str, problem: Problem) -> str:
    """Repeats the prompt with the problem of the last answer."""
    quoted = json.dumps(answer[:4_000], ensure_ascii=False)
    return f"{prompt}\n\nYour last answer was {quoted}. It cannot be used: {problem}. Answer again, with JSON alone."


def without_thinking(answer: str) -> str:
    """Removes a leading <think> block."""
    return compiled(r"\A\s*<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL).sub("", answer).strip()


def parse_answer(answer: str, schema: Mapping[str, Any]) -> tuple[Any, Problem | None]:
    """Returns the first JSON in the answer that fits the schema (prose and fences allowed), else the problem."""
    problem = None
    for value in _json_values(answer):
        misfit = problem_with(value, schema)
        if misfit is None:
            return value, None
        problem = problem or misfit
    return None, problem or Problem(None, Reason.ANSWER_NOT_JSON, {})


def _json_values(answer: str) -> Iterator[Any]:
    decoder, end = json.JSONDecoder(parse_constant=_not_finite), 0
    for match in islice(compiled(r"[{\[]").finditer(answer), _MOST_STARTS):
        if match.start() < end:  # inside a value that was already parsed
            continue
        try:
            value, end = decoder.raw_decode(answer, match.start())
        except (ValueError, RecursionError):
            continue
        yield value


def problem_with(value: Any, schema: Mapping[str, Any], where: str = "") -> Problem | None:
    """Returns why a value does not fit a schema, without quoting the value; None if it fits."""
    unknown = schema.keys() - _KNOWN
    if unknown:
        raise ValueError(f"schemas are not checked for {', '.join(sorted(unknown))}")
    kinds = schema.get("type", tuple(_IS))
    kinds = (kinds,) if isinstance(kinds, str) else tuple(kinds)
    if not any(_IS[kind](value) for kind in kinds):
        return _misfit(where, "type", kinds)
    if isinstance(value, float) and not math.isfinite(value):  # 1e999
        return _misfit(where, "finite", "")
    if "enum" in schema and value not in schema["enum"]:
        return _misfit(where, "enum", tuple(map(str, schema["enum"])))
    for keyword, (kind, size, fits) in _BOUNDS.items():
        if keyword in schema and _IS[kind](value) and not fits(size(value), schema[keyword]):
            return _misfit(where, keyword, schema[keyword])
    if isinstance(value, dict):
        return _object_problem(value, schema, where)
    if isinstance(value, list) and "items" in schema:
        problems = (problem_with(entry, schema["items"], f"{where}[{n}]") for n, entry in enumerate(value))
        return next((problem for problem in problems if problem), None)
    return None


def _object_problem(value: dict[str, Any], schema: Mapping[str, Any], where: str) -> Problem | None:
    missing = [name for name in schema.get("required", ()) if name not in value]
    if missing:
        return _misfit(where, "required", tuple(missing))
    known = schema.get("properties", {})
    if schema.get("additionalProperties") is False and value.keys() - known.keys():
        return _misfit(where, "additionalProperties", tuple(known))
    problems = (
        problem_with(value[name], part, f"{where}.{name}".lstrip("."))
        for name, part in known.items()
        if name in value
    )
    return next((problem for problem in problems if problem), None)


def _misfit(where: str, rule: str, bound: object) -> Problem:
    return Problem(where or None, Reason.ANSWER_MISFIT, {"rule": rule, "bound": bound})


def refuses(answer: str) -> bool:
    """Whether the answer is a refusal, in English or Korean; only its beginning is checked."""
    beginning = answer.strip().casefold()[:400]
    return any(compiled(pattern).match(beginning) for pattern in _REFUSALS)


def describe_error(error: BaseException) -> str:
    """Formats an exception of foreign code: short, with secrets redacted."""
    # Redact before cutting: half a key is not recognised.
    return redact_question(f"{type(error).__name__}: {error}"[: 10 * _MOST_REASON], DEFAULT)[:_MOST_REASON]


def _not_finite(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")
