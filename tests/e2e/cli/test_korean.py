"""The command line in Korean."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.usefixtures("usual_embedder")


def test_korean_by_option_and_by_environment(cli, monkeypatch):
    assert "기억을 저장했습니다: 소행성대 (중요도 0.30, " in cli("store", "안녕", "--lang", "ko").out
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert cli("list").out.split()[:2] == ["아이디", "궤도"]
    assert cli("list", "--lang=en").out.split()[:2] == ["id", "zone"]
    monkeypatch.setenv("CELESTIAL_LANG", "en")
    assert cli("list").out.split()[:2] == ["id", "zone"]


def test_korean_errors(cli, stored):
    item_id = stored("x", "--immutable")
    assert cli("forget", item_id, "--lang", "ko").err.startswith(
        f"오류: '{item_id}' 기억은 보호되어 있어(변경 불가) 잊을 수 없습니다."
    )
    said = json.loads(cli("--lang", "ko", "--json", "show", "nope").err)
    assert said["error"] == "not_found"
    assert said["message"].startswith("'nope' 기억이 없습니다.")
    assert cli("list", "--zone", "moon", "--lang", "ko").err.startswith("오류: --zone: 'moon' 값은 쓸 수 없습니다.")


def test_korean_help_is_korean_throughout(cli):
    for argv in (("--help",), ("store", "--help"), ("list", "-h")):
        said = cli(*argv, "--lang", "ko").out
        assert said.startswith("사용법: celestial")
        assert not any(word in said for word in ("usage", "options", "show this", "default:"))
