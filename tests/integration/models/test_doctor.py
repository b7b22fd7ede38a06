"""What `celestial doctor` says of a language model."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main


@pytest.fixture
def examine(capsys, tmp_path, monkeypatch, key):
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "m.db"))
    monkeypatch.setenv("CELESTIAL_MODEL_KEY", key)

    def run(*argv):
        code = main(["doctor", "--json", *argv])
        out = capsys.readouterr().out
        assert key not in out
        return code, {check["name"]: (check["status"], check["message"]) for check in json.loads(out)["checks"]}

    return run


@pytest.mark.parametrize("exists", [True, False])
def test_the_doctor_asks_the_model_only_by_request(server, examine, exists, monkeypatch, tmp_path):
    monkeypatch.setenv("CELESTIAL_MODEL", f"{server.url}/v1#llama3")
    if exists:
        CelestialMemory(tmp_path / "m.db", rebalance_interval=None).close()
    code, checks = examine()
    assert (code, server.seen) == (0, [])
    assert checks["model"] == ("ok", f"language model {server.url[7:]}/llama3, asked for: distillation, imagination")
    assert "model_address" not in checks
    code, checks = examine("--ask-model")
    assert (code, len(server.seen)) == (0, 1)
    assert checks["model_answer"] == ("ok", "the language model answers (18 tokens)")
    assert "1 of 1000 calls, 18 of 1000000 tokens" in checks["model_spent"][1]
    assert (tmp_path / "m.db").exists() == exists


def test_the_doctor_tells_what_is_wrong_with_the_model(server, examine, monkeypatch):
    server.plan = [401]
    monkeypatch.setenv("CELESTIAL_MODEL", f"{server.url}/v1#llama3")
    code, checks = examine("--ask-model", "--lang", "ko")
    assert (code, checks["model_answer"][0]) == (0, "warning")
    assert "엔드포인트가 401 (some_error) 코드로 응답했습니다" in checks["model_answer"][1]
    monkeypatch.setenv("CELESTIAL_MODEL", "http://models.example:8000/v1#llama3")
    assert examine()[1]["model_address"][0] == "warning"
    monkeypatch.setenv("CELESTIAL_MODEL", "openai")
    code, checks = examine()
    assert (code, checks["model"][0]) == (5, "problem")
    monkeypatch.setenv("CELESTIAL_MODEL", "none")
    assert examine()[1]["model"][1].startswith("no language model")
