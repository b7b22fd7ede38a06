"""Exports on the command line: whole, or not at all, and never over something else."""

from __future__ import annotations

import json
import os

import pytest

from celestial_engine import CelestialItem
from celestial_engine.engine.transfer import TransferArea

pytestmark = pytest.mark.usefixtures("usual_embedder")


def test_export_round_trips(cli, process, stored):
    ids = [stored("one\nline\u2028two"), stored("둘", "--tag", "t"), stored("gone")]
    cli("forget", ids[2])
    lines = process("export").out.splitlines()
    items = [CelestialItem.from_dict(json.loads(line)) for line in lines]
    assert [item.id for item in items] == ids
    assert [item.content for item in items] == ["one\nline\u2028two", "둘", "gone"]


def test_export_to_a_file(cli, stored, tmp_path):
    stored("one")
    target = tmp_path / "out.jsonl"
    target.write_text("the old one")
    answer = cli("export", "--output", str(target))
    assert (answer.code, answer.out) == (0, f"Exported to {target}: 1.\n")
    assert json.loads(target.read_text())["content"] == "one"
    assert [path.name for path in tmp_path.iterdir() if "export" in path.name] == []
    if os.name != "nt":
        assert target.stat().st_mode & 0o077 == 0


def test_an_export_that_fails_leaves_the_old_file(cli, stored, tmp_path, monkeypatch):
    stored("one")
    target = tmp_path / "out.jsonl"
    target.write_text("the old one")

    def breaks(self):
        yield {"id": "1", "content": "the first of many"}
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(TransferArea, "export", breaks)
    answer = cli("export", "--output", str(target))
    assert answer.code == 5
    assert "No space left" in answer.err
    assert target.read_text() == "the old one"
    assert [path.name for path in tmp_path.iterdir() if "export" in path.name] == []


def test_an_export_never_overwrites_the_database(cli, stored, tmp_path):
    stored("one")
    (tmp_path / "link").symlink_to(tmp_path / "m.db")
    assert cli("export", "--output", str(tmp_path / "m.db")).code == 2
    assert cli("export", "--output", str(tmp_path / "link")).code == 2
    assert cli("stats", "--json").data["total"] == 1


@pytest.mark.skipif(os.name == "nt", reason="devices are files on POSIX only")
def test_an_export_does_not_replace_a_device(cli, stored, tmp_path):
    stored("one")
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    try:
        assert cli("export", "--output", str(fifo)).code == 0
        assert json.loads(os.read(reader, 1 << 20))["content"] == "one"
    finally:
        os.close(reader)
    assert fifo.is_fifo()
