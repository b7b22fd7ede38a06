"""`celestial policy`: what was learned, on the command line."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def turn_id(celestial) -> str:
    return json.loads(celestial("observe", "The server runs the build every night", "--json"))["decision"]["turn_id"]


def test_before_anything_was_learned(celestial):
    assert "Nothing has been learned yet." in celestial("policy", "checkpoints")
    said = celestial("policy", "status")
    assert said.startswith("Version 0: 0 rewards")
    assert "Rules decide every turn" in said
    assert "아직 배운 것이 없습니다" in celestial("--lang", "ko", "policy", "checkpoints")


def test_feedback_is_learned_from_once(celestial, turn_id):
    assert "+1 (praise)" in celestial("policy", "feedback", "--text", "that's right")
    assert celestial("policy", "feedback", turn_id, "--reward=-1").startswith("Nothing new for turn")
    said = celestial("--lang", "ko", "policy", "status")
    assert said.startswith("기록 1번: 보상 1개, 평균 +1.00")
    assert "남아 있는 차례: 저장 1, 넘김 0, 찾기 0" in said
    history = celestial("--lang", "ko", "history")
    assert "피드백" in history
    assert "보상 1.0" in history


def test_json_tells_everything(celestial, turn_id):
    credit = json.loads(celestial("policy", "feedback", turn_id, "--reward", "0.5", "--json"))
    assert credit == {
        "turn_id": turn_id, "reward": 0.5, "kind": "given", "credited": True, "version": 1, "switched_off": [],
    }  # fmt: skip
    status = json.loads(celestial("policy", "status", "--json"))
    assert (status["rewards"], status["on"], status["actions"]["save"]) == (1, True, 1)
    assert status["band_low"] <= 0.4 <= status["band_high"]
    assert status["exams"]["rules"] == {"exams": 0, "mean_reward": 0.0}
    (version,) = json.loads(celestial("policy", "checkpoints", "--json"))["checkpoints"]
    assert (version["version"], version["metrics"]["rewards"]) == (1, 1)


def test_rolling_back(celestial, turn_id):
    celestial("policy", "feedback", "--reward", "1")
    assert celestial("policy", "rollback", "0") == "Back to version 0; that is version 2 now.\n"
    assert [line.split()[0] for line in celestial("policy", "checkpoints").splitlines()] == ["version", "2", "1"]
    assert "99" in celestial("policy", "rollback", "99", code=3)
    assert "쓸 수 없습니다: 그런 기록이 없습니다." in celestial("--lang", "ko", "policy", "rollback", "99", code=3)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("rollback",), 2),
        (("rollback", "x"), 2),
        (("feedback",), 2),
        (("feedback", "--reward", "1", "--text", "good"), 2),
        (("feedback", "--reward", "7"), 2),
        (("feedback", "--reward", "much"), 2),
        (("feedback", "nobody", "--reward", "1"), 3),
        (("status", "5"), 2),
        (("status", "--reward", "1"), 2),
        (("unlearn",), 2),
    ],
)
def test_what_cannot_be_done_is_said(celestial, arguments, code):
    assert celestial("policy", *arguments, code=code).strip()
