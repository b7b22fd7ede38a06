"""Every error and every reason can be told in English and in Korean, with the same facts."""

from __future__ import annotations

import ast
import pickle
import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from pathlib import Path

import pytest

import celestial_engine
from celestial_engine.errors import (
    Action,
    CelestialError,
    ConfigError,
    Expected,
    InvalidInputError,
    NotFoundError,
    Reason,
    Thing,
    WrongStateError,
    problem,
    tree,
)
from celestial_engine.errors.messages import LANGUAGES, catalogue
from celestial_engine.testing.error_fields import placeholders, reason_fields

SOURCE = Path(celestial_engine.__file__).parent
KINDS = [kind for kind in vars(tree).values() if isinstance(kind, type) and issubclass(kind, CelestialError)]
CODES = sorted({kind.code for kind in KINDS})
WORDS: dict[str, type[Enum]] = {"expected": Expected, "thing": Thing, "action": Action}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_has_a_sentence(language: str) -> None:
    """And no sentence is for an error that there is not."""
    codes = {key.partition("/")[0] for key in catalogue(language).errors}
    assert sorted(codes) == CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_a_sentence(language: str) -> None:
    assert set(catalogue(language).reasons) == {reason.value for reason in Reason}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", WORDS)
def test_every_word_is_known(language: str, name: str) -> None:
    assert set(catalogue(language).words[name]) == {word.value for word in WORDS[name]}


def test_a_reason_has_the_same_facts_in_both_languages() -> None:
    """The name of the wrong field may be left out where the sentence does without."""
    korean = {reason: placeholders(catalogue("ko").reasons[reason.value]) - {"field"} for reason in Reason}
    assert korean == {reason: reason_fields(reason) for reason in Reason}


@pytest.mark.parametrize("key", catalogue("en").errors)
def test_an_error_has_the_same_facts_in_both_languages(key: str) -> None:
    english, korean = catalogue("en").errors[key], catalogue("ko").errors[key]
    assert placeholders(korean[0]) == placeholders(english[0])
    kind = next(kind for kind in KINDS if kind.code == key.partition("/")[0])
    assert placeholders(*english, *korean) <= {*kind.takes, "reason"}


def test_korean_reasons_are_in_korean() -> None:
    said = {key: re.sub(r"\{[^}]*\}", "", text) for key, text in catalogue("ko").reasons.items()}
    foreign = [key for key, text in said.items() if re.search("[A-Za-z]{2}", text) and not re.search("[가-힣]", text)]
    assert foreign == ["sqlite_finds"]  # "SQLite: ..." and what SQLite found


def test_no_reason_is_without_use() -> None:
    used = {node.attr for node in _nodes() if isinstance(node, ast.Attribute) and _is_name(node.value, "Reason")}
    assert {reason.name for reason in Reason} - used == set()


@pytest.mark.parametrize("name", WORDS)
def test_no_word_is_without_use(name: str) -> None:
    kind = WORDS[name]
    used = {node.attr for node in _nodes() if isinstance(node, ast.Attribute) and _is_name(node.value, kind.__name__)}
    computed = {"ISLAND", "BELIEF"} if kind is Thing else set()  # Thing(change.on.value)
    assert {word.name for word in kind} - used - computed == set()


def test_no_error_is_raised_with_other_fields_than_its_sentence_has() -> None:
    """Read from the source, for those that no test ever comes upon."""
    names = {kind.__name__: kind for kind in KINDS}
    wrong = []
    for path, call in _calls():
        reason = next((one.attr for one in call.args if isinstance(one, ast.Attribute)
                       and _is_name(one.value, "Reason")), None)  # fmt: skip
        given = {keyword.arg for keyword in call.keywords}
        called = call.func.id if isinstance(call.func, ast.Name) else ""
        if called not in names and called != "problem":
            continue
        if None in given or any(isinstance(one, ast.Starred) for one in call.args):
            continue
        own = set(names[called].takes) if called in names else set()
        if called in names and sum(isinstance(one, ast.Constant) for one in call.args) > len(own):
            wrong.append(f"{path}:{call.lineno}: {called} takes {sorted(own)} by place")
        if reason is not None:
            expected = reason_fields(Reason[reason])
            if given - own != expected:
                wrong.append(f"{path}:{call.lineno}: {reason} takes {sorted(expected)}, not {sorted(given - own)}")
        elif called in names and given - own:
            wrong.append(f"{path}:{call.lineno}: {called} does not take {sorted(given - own)}")
    assert wrong == []


def test_no_sentence_is_left_where_a_code_belongs() -> None:
    """`reason="an English sentence"` would come out in English everywhere."""
    names = {kind.__name__ for kind in KINDS}
    wrong = [
        f"{path}:{call.lineno}"
        for path, call in _calls()
        if isinstance(call.func, ast.Name) and call.func.id in names
        and any(keyword.arg == "reason" for keyword in call.keywords)
    ]  # fmt: skip
    assert wrong == []


def test_an_unknown_field_fails_at_once() -> None:
    with pytest.raises(TypeError, match="out_of_range takes"):
        InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, value=5)


def test_a_missing_field_fails_at_once() -> None:
    with pytest.raises(TypeError, match="not_found needs item_id"):
        NotFoundError()


def test_what_an_error_says() -> None:
    error = InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, got=5)
    assert error.reason is Reason.OUT_OF_RANGE
    assert error.details == {"field": "reward", "low": -1, "high": 1, "got": 5}
    assert str(error).startswith("reward must be between -1 and 1, got 5. ")
    assert error.message("ko").startswith("보상은 -1에서 1 사이여야 하는데 5 값을 받았습니다. ")


def test_several_mistakes_are_told_at_once() -> None:
    error = ConfigError(problem("w_recall", Reason.OUT_OF_RANGE, low=0, high=1, got=3), problem("path", Reason.EMPTY))
    assert [one.reason for one in error.problems] == [Reason.OUT_OF_RANGE, Reason.EMPTY]
    assert "w_recall must be between 0 and 1, got 3; path is empty." in str(error)
    assert "`w_recall` 값은 0에서 1 사이여야 하는데 3 값을 받았습니다; 경로가 비어 있습니다." in error.message("ko")


def test_an_error_within_an_error_is_told_in_the_same_language() -> None:
    inner = InvalidInputError("tags", Reason.EMPTY)
    outer = InvalidInputError("record", Reason.OTHER_ERROR, cause=inner)
    assert outer.message("ko").startswith("태그가 비어 있습니다.")


def test_an_action_can_have_a_sentence_of_its_own() -> None:
    error = WrongStateError("m1", state="active", action=Action.RESTORE)
    assert str(error).startswith("Memory 'm1' is active already")
    assert error.message("ko") == "'m1' 기억은 이미 활성 상태라 되살릴 필요가 없습니다."


def test_errors_survive_pickling() -> None:
    error = InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, got=5)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.details, str(again)) == (type(error), error.details, str(error))


@pytest.mark.parametrize(
    ("field", "said"),
    [("tags", "태그가"), ("content", "내용이"), ("x.y", "`x.y` 값이"), ("id", "아이디가")],
)
def test_particles_follow_the_last_sound(field: str, said: str) -> None:
    assert InvalidInputError(field, Reason.EMPTY).message("ko").startswith(said)


@cache
def _sources() -> list[tuple[str, list[ast.AST]]]:
    """The nodes of each module that can raise an error."""
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    return [
        (str(path.relative_to(SOURCE)), list(ast.walk(ast.parse(text))))
        for path, text in texts.items()
        if "celestial_engine.errors" in text
    ]


def _nodes() -> Iterator[ast.AST]:
    return (node for _, nodes in _sources() for node in nodes)


def _calls() -> Iterator[tuple[str, ast.Call]]:
    return ((path, node) for path, nodes in _sources() for node in nodes if isinstance(node, ast.Call))


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
