"""Every regular expression of the package, and inputs that make a backtracking one slow."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import celestial_engine
from celestial_engine.core.guard.rule_table import rule_rows
from celestial_engine.core.guard.tokens import exact, token_formats, tolerant
from celestial_engine.lang import LANGUAGES, steering
from celestial_engine.lang.instructions import ACCESS_CLAIMS, COMMANDS, STEERING
from celestial_engine.lang.steering_classes import CLASSES

try:
    from re import _constants as codes
    from re import _parser as parser
except ImportError:  # Python 3.10
    import sre_constants as codes
    import sre_parse as parser

_METHODS = {"search", "match", "fullmatch", "findall", "finditer", "sub", "split"}
# Surfaces and adapters that only an extra brings have no patterns for texts of users.
_SKIPPED = ("adapters", "compat", "testing", "__main__", "storage.postgres", "surfaces")
_SIGNS_OF_A_PATTERN = re.compile(r"\(\?[:i=!<P]|\\[bsdwS]|\]\{|\][*+]|\.\*")
_GENERIC = ("a", "1", " ", "가", "\n", "-", ".", "a ", "1 ", "가 ", "a1", "1-", "Aa", "ㅋ", "\t", ",", "'", '"')
_LEAST_SECONDS = 0.003  # a quadratic pattern needs milliseconds for 3,000 characters
_MOST_PIECES = 26


def package_modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(celestial_engine.__path__, "celestial_engine."):
        if not any(f".{part}" in found.name for part in _SKIPPED):
            try:
                yield importlib.import_module(found.name)
            except ImportError:  # an extra that is not installed
                continue


class Use(NamedTuple):
    """A pattern, how it is applied and where. An anchored one is tried at one place only."""

    pattern: str
    anchored: bool
    where: str


def package_patterns() -> list[Use]:
    """Returns every pattern that can be seen without running the code."""
    uses = [Use(pattern, False, f"guard rule {kind}") for kind, pattern, *_ in rule_rows()]
    uses += [
        Use(tolerant(row) if row.has_telling_prefix else exact(row), False, f"format {row.vendor}")
        for row in token_formats()
    ]
    uses += [Use(pattern, False, "instructions") for pattern in (*COMMANDS, *STEERING, *ACCESS_CLAIMS)]
    steers = (*steering.ORDER, *steering.ALONE, *steering.FIXED, *steering.ONESELF, *CLASSES)
    uses += [
        Use(pattern, False, "steering") for pattern in (steering.SCOPE, steering.SCOPE_KO, steering.ORDER_KO, *steers)
    ]
    uses += [
        Use(pattern, False, f"importance {kind}")
        for language in LANGUAGES
        for kind in ("FACTUAL", "EMOTIONAL", "ACTIONABLE", "EXPLICIT")
        for pattern in getattr(language, kind)
    ]
    for module in package_modules():
        uses += _uses_in(module)
    uses += _told_by_name({use.pattern for use in uses})
    return list({use[:2]: use for use in uses}.values())


def _uses_in(module: ModuleType) -> Iterator[Use]:
    """Yields the patterns of calls such as compiled(PATTERN).search(text) and re.sub(PATTERN, ...)."""
    if module.__file__ is None or not module.__file__.endswith(".py"):
        return
    for node in ast.walk(ast.parse(Path(module.__file__).read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS):
            continue
        maker = node.func.value
        if isinstance(maker, ast.Call) and maker.args and _name(maker.func) in ("compiled", "compile"):
            expression = maker.args[0]
        elif isinstance(maker, ast.Name) and maker.id == "re" and node.args:
            expression = node.args[0]
        else:
            expression = maker
        pattern = _evaluated(expression, module)
        if pattern is not None and _is_pattern(pattern):
            yield Use(pattern, node.func.attr in ("match", "fullmatch"), module.__name__)


def _told_by_name(known: set[str]) -> Iterator[Use]:
    """Yields the patterns that code reaches through the language of a text: compiled(language.RELATIVE)."""
    for module in package_modules():
        if ".lang." in module.__name__:
            for name, value in vars(module).items():
                for pattern in () if name.startswith("_") else _texts_in(value):
                    if pattern not in known and _SIGNS_OF_A_PATTERN.search(pattern) and _is_pattern(pattern):
                        yield Use(pattern, False, f"{module.__name__}.{name}")


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts_in(tuple(value.values()))
    elif isinstance(value, tuple | list | frozenset):
        for each in value:
            yield from _texts_in(each)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _evaluated(node: ast.expr, module: ModuleType) -> str | None:
    try:
        value = eval(compile(ast.Expression(node), "pattern", "eval"), vars(module))
    except Exception:  # noqa: BLE001
        return None  # made of local names: a function that is called with patterns found elsewhere
    if isinstance(value, re.Pattern):
        value = value.pattern
    return value if isinstance(value, str) else None


def _is_pattern(text: str) -> bool:
    if not any(sign in text for sign in "*+{[("):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(text)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


# -- inputs -------------------------------------------------------------------------------------------


def pieces_for(pattern: str) -> list[str]:
    """Returns strings whose repetition is hard for a pattern: its literals and a member of each of its classes."""
    found: dict[str, None] = dict.fromkeys(_GENERIC)
    literals: list[str] = []
    for code, value in _parts(parser.parse(pattern)):
        if code is codes.LITERAL:
            literals.append(chr(value))
            continue
        if literals:
            found["".join(literals)[:20]] = None
            literals = []
        if code is codes.IN:
            member = _member(value)
            if member:
                found[member] = None
    if literals:
        found["".join(literals)[:20]] = None
    specific = [piece for piece in found if piece not in _GENERIC]
    return [*specific[: _MOST_PIECES - len(_GENERIC)], *_GENERIC]


def _parts(parsed: object) -> Iterator[tuple[object, object]]:
    for code, value in parsed:
        if code in (codes.LITERAL, codes.IN):
            yield code, value
        elif code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
            yield from _parts(value[2])
        elif code is codes.SUBPATTERN:
            yield from _parts(value[3])
        elif code is codes.BRANCH:
            for branch in value[1][:6]:
                yield from _parts(branch)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _parts(value[1])


def _member(items: list[tuple[object, object]]) -> str:
    for code, value in items:
        if code is codes.LITERAL:
            return chr(value)
        if code is codes.RANGE:
            return chr(value[0])
        if code is codes.CATEGORY:
            return {codes.CATEGORY_DIGIT: "1", codes.CATEGORY_SPACE: " "}.get(value, "a")
    return ""


# -- work ---------------------------------------------------------------------------------------------


def seconds(pattern: re.Pattern[str], text: str, *, anchored: bool, repeats: int = 1) -> float:
    """Returns the least CPU time of a scan: other processes only make a scan slower, never faster."""
    least = float("inf")
    for _ in range(repeats):
        began = time.process_time()
        if anchored:
            pattern.fullmatch(text)
        else:
            for _ in pattern.finditer(text):
                pass
        least = min(least, time.process_time() - began)
    return least


def grows_too_fast(pattern: re.Pattern[str], piece: str, *, anchored: bool = False, length: int = 1_500) -> bool:
    """Whether twice the text costs much more than twice the work, at several sizes in a row."""
    sizes = (length, 2 * length, 4 * length)
    texts = [(piece * (size // len(piece) + 1))[:size] for size in sizes]
    if seconds(pattern, texts[1], anchored=anchored) < _LEAST_SECONDS:
        return False
    first, second, third = (seconds(pattern, text, anchored=anchored, repeats=3) for text in texts)
    return second > 3.2 * first and third > 3.2 * second
