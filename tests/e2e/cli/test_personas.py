"""Personas from the command line, in both languages."""

from __future__ import annotations

import json
import re
import sys


def test_answers_are_printed_as_they_come(celestial):
    said = celestial("personas", "run", "Shall", "we", "move?", "--depth", "2", "--offline")
    assert said.count("Seed focus: Shall we move?") == 6
    assert "[1] Proposer (Thesis)" in said
    assert "Cycle 2: impact" in said
    assert "celestial rate mem_" in said


def test_in_korean(celestial):
    said = celestial("personas", "run", "왜 실패했을까?", "--offline", "--registry", "planning-ko", "--lang", "ko")
    assert "[1] 검토자 (반론)" in said
    assert "검증 가능성" in said
    assert "별점을 매기면" in said
    assert "마련된 레지스트리: dialectic" in celestial("personas", "show", "--lang", "ko")


def test_json_is_the_answer_of_the_operation(celestial):
    run = json.loads(celestial("personas", "run", "Shall we move?", "--offline", "--json"))
    assert [step["persona_id"] for step in run["answers"]] == ["thesis", "antithesis", "synthesis"]
    listed = json.loads(celestial("personas", "runs", "--json"))
    assert listed["runs"][0]["session_id"] == run["session_id"]
    again = json.loads(
        celestial("personas", "run", "--resume", run["session_id"], "--depth", "2", "--offline", "--json")
    )
    assert len(again["answers"]) == 6
    assert "Answers given before: 3." in celestial("personas", "run", "--resume", run["session_id"], "--offline")


def test_a_rating_changes_the_next_run(celestial):
    run = json.loads(celestial("personas", "run", "Which colour for the boat?", "--offline", "--json"))
    celestial("rate", run["answers"][0]["memory_id"], "5")
    assert "past cases: 1" in celestial("personas", "run", "Which colour for my boat?", "--offline")


def test_a_registry_file(celestial, tmp_path):
    file = tmp_path / "house.json"
    file.write_text(
        json.dumps({"backends": {"e": {"type": "echo"}}, "personas": [{"id": "poet", "backend": "e"}]}),
        encoding="utf-8",
    )
    assert "The registry is valid." in celestial("personas", "validate", str(file))
    assert "[1] poet (poet)" in celestial("personas", "run", "The sea", "--registry", str(file))
    assert "poet" in celestial("personas", "show", str(file))
    assert "No personas" not in celestial("personas", "runs")


def test_the_printed_hint_goes_on_with_the_same_file(cli, tmp_path):
    file, flag = tmp_path / "house.json", tmp_path / "flag"
    script = f"import os, sys; sys.exit(0 if os.path.exists({str(flag)!r}) else 1) if not print('Waves') else None"
    backend = {"type": "subprocess", "command": sys.executable, "args": ["-c", script]}
    personas = [{"id": "thesis", "name": "Poet", "backend": "s"}]
    file.write_text(json.dumps({"backends": {"s": backend}, "personas": personas}), encoding="utf-8")
    failed = cli("personas", "run", "The sea", "--registry", str(file))
    hint = re.search(r"celestial (personas run --resume \S+)`", failed.err)
    flag.touch()
    assert "[1] Poet" in cli(*hint[1].split()).out


def test_functions_that_cannot_be_imported_are_said(cli, tmp_path):
    file = tmp_path / "house.json"
    backends = {"f": {"type": "function", "function": "no_such:thing"}}
    validators = [{"type": "function", "function": "textwrap:nothing"}]
    tree = {"backends": backends, "personas": [{"id": "a", "backend": "f"}], "validators": validators}
    file.write_text(json.dumps(tree), encoding="utf-8")
    refused = cli("personas", "validate", str(file))
    assert refused.code == 2
    assert "'no_such:thing'" in refused.err
    assert "'textwrap:nothing'" in refused.err


def test_what_is_wrong_is_said(cli, tmp_path):
    file = tmp_path / "house.json"
    file.write_text('{"cycle": ["a"], "backends": {"e": {"type": "x"}}, "personas": []}', encoding="utf-8")
    refused = cli("personas", "validate", str(file))
    assert refused.code == 2
    assert "backends.e.type must be one of" in refused.err
    for argv in (
        ("personas", "run"),
        ("personas", "run", "x", "--depth", "50", "--offline"),
        ("personas", "run", "x", "--depth", "0", "--offline"),
        ("personas", "run", "x", "--registry", "nonsense"),
        ("personas", "run", "x"),
        ("personas", "run", "x", "--resume", "y"),
    ):
        assert cli(*argv).code == 2, argv
    assert cli("personas", "run", "--resume", "sess_none").code == 3
    assert "No personas have answered yet." in cli("personas", "runs").out
