"""Two languages that say the same things, text that a terminal survives, and documents that are true."""

from __future__ import annotations

import argparse
import json
import re
import shlex
import string
import unicodedata
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine import DEFAULT_ZONES, Tier, errors
from celestial_engine.core.record.events import Event, EventType
from celestial_engine.core.record.forgetting import DepartureReason, Protection, State
from celestial_engine.core.record.lifetimes import Source
from celestial_engine.core.record.owner import Owner
from celestial_engine.errors import Action, CelestialError, Reason
from celestial_engine.errors.messages import catalogue
from celestial_engine.surfaces.cli import parser, terminal
from celestial_engine.surfaces.cli.declared import declared
from celestial_engine.surfaces.cli.failures import failure_of
from celestial_engine.surfaces.cli.index import COMMANDS, by_hand
from celestial_engine.surfaces.cli.texts.catalogue import LANGUAGES, Texts
from celestial_engine.surfaces.cli.texts.en import general as texts_en
from celestial_engine.surfaces.cli.texts.ko import general as texts_ko
from celestial_engine.surfaces.cli.texts.ko.operations import OPERATIONS as OPERATIONS_KO
from celestial_engine.surfaces.cli.views import format as shape
from celestial_engine.surfaces.cli.views.reading import history_table
from celestial_engine.surfaces.operations.catalogue import LOCAL_OPERATIONS, OPERATIONS
from celestial_engine.surfaces.operations.views import event_view

DOCUMENT = Path(__file__).parents[3] / "docs" / "cli.md"
ALL_ERRORS = sorted(
    (kind for kind in vars(errors).values() if isinstance(kind, type) and issubclass(kind, CelestialError)),
    key=lambda kind: kind.code,
)
# A value for every field that an error may tell of.
FIELDS = {
    "field": "content", "size": 2, "most": 1, "value": "x", "count": 3, "prefix": "ab",
    "item_id": "abc", "protection": "immutable", "action": Action.CHANGE, "state": "active", "path": "/x/m.db",
    "found": 9, "known": 1, "seconds": 30.0, "number": 7, "analyser": "kiwi-1",
    "turn_id": "t1", "version": 3, "proposal": "p1", "channel": "agent", "status": "approved", "key": "k1",
    "name": "CelestialStore", "extra": "langgraph", "install": "pip install x",
    "registry": "mine.json", "session_id": "sess_1", "persona": "thesis",
    "owner": "ana/default", "which": "mem0",
}  # fmt: skip


def fields_of(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def example(kind: type[CelestialError]) -> CelestialError:
    return kind(Reason.EMPTY, **{name: FIELDS[name] for name in kind.takes})


# -- catalogues ---------------------------------------------------------------------------------------


def test_both_catalogues_have_the_same_keys():
    assert texts_en.TEXTS.keys() == texts_ko.TEXTS.keys()


def test_both_languages_tell_the_same_fields():
    different = [key for key, text in texts_en.TEXTS.items() if fields_of(text) != fields_of(texts_ko.TEXTS[key])]
    assert different == []


@pytest.mark.parametrize("kind", ALL_ERRORS, ids=lambda kind: kind.code)
def test_every_error_speaks_korean(kind):
    error = example(kind)
    said = Texts("ko").error(error)
    assert re.search("[가-힣]", said)
    assert Texts("en").error(error) == str(error)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_advice_speaks_python(language):
    said = " ".join(advice for _, advice in catalogue(language).errors.values())
    assert not re.search(r"dict|errors=|CelestialMemory|decode|Decode|파이썬", said)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (errors.EmptyContentError(field="content"), "내용이 비어 있습니다."),
        (errors.EmptyContentError(field="tag"), "태그가 비어 있습니다."),
        (errors.EmptyContentError(field="name"), "이름이 비어 있습니다."),
        (
            errors.WrongStateError(item_id="a", state="active", action=Action.RESTORE),
            "'a' 기억은 이미 활성 상태라 되살릴 필요가 없습니다.",
        ),
        (
            errors.WrongStateError(item_id="a", state="on the cliff", action=Action.FORGET),
            "'a' 기억은 이미 망각의 절벽에 있어 다시 잊을 필요가 없습니다.",
        ),
        (
            errors.WrongStateError(item_id="a", state="on the cliff", action=Action.CHANGE),
            "'a' 기억은 망각의 절벽에 있어 수정할 수 없습니다.",
        ),
        (
            errors.InvalidTextError("query", Reason.LONE_SURROGATE, position=3),
            "질문을 텍스트로 읽을 수 없습니다: 값의 글자 위치 3에 UTF-8로 나타낼 수 없는 글자가 있습니다.",
        ),
    ],
)
def test_korean_sentences_are_korean(error, said):
    assert Texts("ko").error(error).startswith(said)


def test_events_have_the_same_names_in_errors():
    """`celestial history` and an error that speaks of an event call it the same."""
    texts = Texts("ko")
    assert catalogue("ko").words["event"] == {kind.value: texts.word("event", kind.value) for kind in EventType}


def test_history_details_are_words(monkeypatch):
    events = [
        Event(EventType.RECALLED, Owner(), 0.0, "a" * 36, {"zone": 2, "context": 0.5}),
        Event(EventType.STORED, Owner(), 0.0, "a" * 36, {"displaced": ["b" * 36, "c" * 36], "fallback_from": "llm"}),
        Event(EventType.RECALLED, Owner(), 0.0, "a" * 36, {"by": "b" * 36}),
    ]
    monkeypatch.setenv("COLUMNS", "200")
    zones = [zone.name for zone in DEFAULT_ZONES]
    said = history_table(Texts("ko"), [event_view(event) for event in events], zones)
    assert said[0].split() == ["번호", "시각", "동작", "아이디", "세부", "내용"]
    assert said[1].endswith("궤도 외행성, 맥락 0.5")
    assert said[2].endswith("밀어낸 기억 bbbbbbbb, cccccccc, 실패한 평가 언어 모델")
    assert said[3].endswith("원인 bbbbbbbb")


def test_one_word_for_one_idea():
    """The glossary of docs/domain.md: what must not be said otherwise."""
    said = "\n".join([*texts_ko.TEXTS.values(), *(" ".join(parts) for parts in catalogue("ko").errors.values()),
                      *catalogue("ko").reasons.values(), *(word for words in catalogue("ko").words.values()
                      for word in words.values())])  # fmt: skip
    said += (DOCUMENT.parent / "domain.md").read_text(encoding="utf-8")
    said += (DOCUMENT.parents[1] / "README.ko.md").read_text(encoding="utf-8")
    for word in ("영역", "회상", "복원", "핵심 기억", "이레", "주인"):
        assert word not in said, word
    assert said.count("구름") == said.count("오르트 구름")


def test_every_error_has_an_exit_code():
    codes = {kind.code: failure_of(example(kind), Texts("en")).exit_code for kind in ALL_ERRORS}
    assert (codes["config"], codes["not_found"], codes["protected"], codes["wrong_state"]) == (2, 3, 4, 4)
    assert (codes["busy"], codes["embedding"], codes["language_model"]) == (5, 2, 1)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("zone", [zone.name for zone in DEFAULT_ZONES]),
        ("state", list(State)),
        ("protection", list(Protection)),
        ("reason", list(DepartureReason)),
        ("source", list(Source)),
        ("event", list(EventType)),
        ("importance", ["given", "rules", "llm", "evidence", "base", "default"]),
    ],
)
def test_every_word_of_the_engine_is_translated(kind, words):
    for word in words:
        assert f"{kind}.{getattr(word, 'value', word)}" in texts_en.TEXTS


def test_a_custom_evaluator_keeps_its_name():
    assert Texts("ko").word("importance", "my-evaluator") == "my-evaluator"


def test_the_parser_knows_the_engines_choices():
    (listed,) = declared("list")["list"]
    assert tuple(tier.value for tier in Tier) == listed.field("where.tier").choices
    assert tuple(zone.name for zone in DEFAULT_ZONES) == listed.field("where.zone").choices


@pytest.mark.parametrize(
    ("seconds", "english", "korean"),
    [
        (0, "0 s", "0초"),
        (59.6, "1 min", "1분"),
        (53_100, "14 h 45 min", "14시간 45분"),
        (86_400 * 3 + 7_300, "3 d 2 h", "3일 2시간"),
        (86_400 * 3 + 60, "3 d", "3일"),
        (-5, "0 s", "0초"),
    ],
)
def test_durations(seconds, english, korean):
    assert shape.duration(Texts("en"), seconds) == english
    assert shape.duration(Texts("ko"), seconds) == korean


def test_a_moment_beyond_the_calendar_is_still_shown():
    assert shape.clock_time(1e300) == "1e+300"


# -- text on a terminal -------------------------------------------------------------------------------


@given(st.text())
def test_nothing_unprintable_reaches_a_terminal(text):
    unsafe = {"Cc", "Cs", "Cf", "Zl", "Zp"}
    for line in (terminal.neutralised(text), terminal.one_line(text), *terminal.harmless_lines(text)):
        assert not [char for char in line if unicodedata.category(char) in unsafe and char not in "\u200c\u200d"]


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_harmless_json_is_exact(text):
    assert json.loads(terminal.harmless_json({"text": text})) == {"text": text}


@given(st.text(alphabet="ab 가나🙂é"), st.integers(1, 20))
def test_a_fitted_text_fits(text, columns):
    fitted = terminal.fitted(text, columns)
    assert terminal.drawn_width(fitted) <= columns
    assert fitted == text or fitted.endswith("…")


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", 3),
        ("커피", 4),
        ("ｆｕｌｌ", 8),
        ("é", 1),
        ("e\u0301", 1),
        (unicodedata.normalize("NFD", "커피"), 4),
        ("🙂", 2),
    ],
)
def test_drawn_width(text, columns):
    assert terminal.drawn_width(text) == columns


def test_the_last_column_takes_what_is_left(monkeypatch):
    monkeypatch.setenv("COLUMNS", "30")
    lines = shape.table(["a", "text"], [["가나", "x" * 100], ["b", "y"]])
    assert lines == ["a     text", "가나  " + "x" * 23 + "…", "b     y"]


# -- the documents ------------------------------------------------------------------------------------


def actions_of(command: argparse.ArgumentParser) -> list[argparse.Action]:
    """Of a command and of the actions that it offers."""
    nested = [
        one for a in command._actions if isinstance(a, argparse._SubParsersAction) for one in a.choices.values()
    ]
    return [action for one in (command, *nested) for action in one._actions]


def commands_of(language: str) -> dict[str, argparse.ArgumentParser]:
    built = parser.build_parser(Texts(language))
    (choices,) = (action.choices for action in built._actions if isinstance(action, argparse._SubParsersAction))
    return choices


def test_the_index_is_what_the_declarations_say():
    """Every declared command is found where the index says, with a view; every other one is written by hand."""
    names = {}
    for operation in (*OPERATIONS, *LOCAL_OPERATIONS):
        for command in operation.commands:
            if not command.by_hand:
                module = operation.run.__module__.rpartition(".")[2]
                assert module in COMMANDS[command.name.split()[0]].split()
                names.setdefault(module, set()).add(operation.name)
            else:
                assert by_hand(command.name.split()[0])
    for module, operations in names.items():
        views = import_module(f"celestial_engine.surfaces.cli.views.{module}")
        assert views.VIEWS.keys() == operations
    assert commands_of("en").keys() == COMMANDS.keys()


def test_every_declared_field_is_explained_in_korean():
    for command in COMMANDS:
        for name, offered in {} if by_hand(command) else declared(command).items():
            told = {field.about.text for one in offered for field in one.fields}
            told |= {f"{name} {one.command.switch}" for one in offered if one.command.switch}
            told |= {name} if name != command else set()
            assert told <= OPERATIONS_KO.keys(), told - OPERATIONS_KO.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_and_option_explains_itself(language):
    for command in commands_of(language).values():
        nested = argparse._SubParsersAction
        assert all(action.help for action in actions_of(command) if not isinstance(action, nested))
        assert command.format_help()


def test_every_command_and_option_is_documented():
    """docs/cli.md has a section for each command, and names each of its options there or as a global one."""
    text = DOCUMENT.read_text(encoding="utf-8")
    sections = dict(re.findall(r"^### `celestial (\w+)[^\n]*\n(.*?)(?=^##|\Z)", text, re.M | re.S))
    everywhere = text.partition("## Options that work everywhere")[2].partition("\n## ")[0]
    for name, command in commands_of("en").items():
        for action in actions_of(command):
            for option in action.option_strings:
                assert f"`{option}" in sections[name] or f"`{option}" in everywhere, f"{name} {option}"


def test_documented_options_exist():
    known = {
        option for command in commands_of("en").values() for a in actions_of(command) for option in a.option_strings
    }
    assert set(re.findall(r"(?<![\w-])--[a-z]+(?:-[a-z]+)*", DOCUMENT.read_text(encoding="utf-8"))) <= known


def test_documented_examples_are_understood():
    """Every line of the document that calls the command parses."""
    built = parser.build_parser(Texts("en"))
    lines = re.findall(r"^\$ (.*celestial .*)$", DOCUMENT.read_text(encoding="utf-8"), re.M)
    assert len(lines) >= 17
    for line in lines:
        words = shlex.split(line, comments=True)
        start = words.index("celestial")
        end = next((index for index in range(start, len(words)) if words[index] in ("|", "<", ">")), len(words))
        arguments = words[start + 1 : end]
        if not {"--help", "--version"} & set(arguments):
            assert built.parse_args(arguments).command


def test_documented_exit_codes_and_variables():
    text = DOCUMENT.read_text(encoding="utf-8")
    for code in ("0", "1", "2", "3", "4", "5", "130"):
        assert f"| {code} |" in text
        assert re.search(rf"^  {code}\s", texts_en.TEXTS["help.epilog"], re.M)
    for name in ("DB", "USER", "AGENT", "DURABILITY", "EMBEDDER", "EMBEDDER_KEY", "WORDS", "LANG"):
        assert f"`CELESTIAL_{name}`" in text
