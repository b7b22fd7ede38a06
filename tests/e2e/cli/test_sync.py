"""`celestial sync` as people run it."""

from __future__ import annotations

import json
import os

import pytest


@pytest.fixture
def devices(tmp_path, cli):
    def run(name: str, *words: str, code: int = 0):
        done = cli("--db", str(tmp_path / f"{name}.db"), *words)
        assert done.code == code, done.err
        return done

    return run


def test_two_devices_through_a_folder(devices, tmp_path):
    folder = str(tmp_path / "shared")
    devices("laptop", "store", "Mina lives in Busan")
    refused = devices("laptop", "sync", folder, code=4)
    assert "--plaintext" in refused.err
    assert "Memories sent: 1" in devices("laptop", "sync", folder, "--plaintext", "--name", "laptop").out
    planned = json.loads(devices("phone", "sync", folder, "--plaintext", "--dry-run", "--json").out)
    assert (planned["changed"], planned["dry_run"]) == ({"stored": 1}, True)
    done = json.loads(devices("phone", "sync", folder, "--plaintext", "--json").out)
    assert (done["read"], done["changed"], done["problems"]) == (1, {"stored": 1}, [])
    assert "Busan" in devices("phone", "recall", "where does Mina live").out
    status = json.loads(devices("phone", "sync", "status", "--json").out)
    assert [device["name"] for device in status["devices"]] == ["laptop"]
    assert "): last heard of " in devices("phone", "sync", "status").out


def test_the_passphrase_may_be_in_a_file(devices, tmp_path):
    secret, folder = tmp_path / "secret", tmp_path / "shared"
    secret.write_text("blue moon\n")
    devices("laptop", "store", "Mina lives in Busan")
    devices("laptop", "sync", str(folder), "--passphrase-file", str(secret))
    wrong = tmp_path / "wrong"
    wrong.write_text("red moon\n")
    told = devices("phone", "sync", str(folder), "--passphrase-file", str(wrong), "--lang", "ko", code=4)
    assert "다른 암호" in told.out
    assert f"devices{os.sep}" in told.out, "the bundle is named"
    assert "--passphrase-file" not in devices("phone", "sync", str(folder), "--passphrase-file", str(secret)).out
    empty = tmp_path / "empty"
    empty.write_text("")
    devices("phone", "sync", str(folder), "--passphrase-file", str(empty), code=2)
    devices("phone", "sync", "http://127.0.0.1:9", code=2)


def test_a_new_id(devices):
    devices("laptop", "store", "Mina lives in Busan")
    before = json.loads(devices("laptop", "sync", "status", "--json").out)["device"]
    assert json.loads(devices("laptop", "sync", "new-device", "--json").out)["device"] != before
