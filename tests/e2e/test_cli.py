"""The `celestial` command, as a person, a script and a hook use it."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from dataclasses import dataclass

import pytest

from celestial_engine import CelestialItem, CelestialMemory
from celestial_engine.providers.functions import HashedEmbedder
from celestial_engine.surfaces.cli import main

COMMAND = [sys.executable, "-m", "celestial_engine"]


@dataclass
class Answer:
    code: int
    out: str
    err: str

    @property
    def data(self):
        return json.loads(self.out)


@pytest.fixture(autouse=True)
def _plain_english(monkeypatch, tmp_path):
    """The same output on every machine."""
    for name in ("LC_ALL", "LC_MESSAGES", "CELESTIAL_LANG", "CELESTIAL_EMBEDDER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("CELESTIAL_DB", str(tmp_path / "m.db"))


@pytest.fixture
def cli(capsys, monkeypatch):
    """Runs a command in this process; quick, where a process is not the point."""

    def run(*argv: str, stdin: bytes = b"") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main(argv)
        said = capsys.readouterr()
        return Answer(code, said.out, said.err)

    return run


@pytest.fixture
def stored(cli):
    """Stores a text and gives its id."""
    return lambda text, *options: cli("store", text, *options, "--json").data["id"]


def process(*argv: str, stdin: bytes = b"", **env: str) -> Answer:
    """Runs the real command."""
    done = subprocess.run([*COMMAND, *argv], input=stdin, capture_output=True, env={**os.environ, **env}, timeout=60)
    return Answer(done.returncode, done.stdout.decode(), done.stderr.decode())


# -- remembering and recalling across processes -------------------------------------------------------


def test_what_one_process_stores_the_next_one_counts():
    assert process("store", "hello").code == 0
    assert process("stats", "--json").data["total"] == 1


def test_recall_in_both_languages(cli, stored):
    stored("Python was released in 1991")
    stored("민수는 커피를 좋아한다")
    assert "1991" in process("recall", "When did Python appear?").out
    assert "민수는 커피를 좋아한다" in process("recall", "커피 취향").out


def test_update(cli, stored):
    item_id = stored("Mina drinks coffee", "--importance", "0.4")
    answer = cli("update", item_id[:8], "Mina drinks tea", "--metadata", '{"from": "chat"}', "--json")
    assert (answer.data["content"], answer.data["metadata"]) == ("Mina drinks tea", {"from": "chat"})
    assert cli("update", item_id, "-", "--json", stdin="녹차\n".encode()).data["content"] == "녹차"
    assert cli("update", item_id, "--importance", "0.9", "--json").data["arbitrary_importance"] == 0.9
    assert cli("update", item_id).code == 2
    assert cli("update", "nobody", "x").code == 3


def test_recall_reinforces_and_search_does_not(cli, stored):
    stored("the cat sleeps on the sofa")
    assert [hit["recall_count"] for hit in cli("search", "cat", "--json").data] == [0]
    assert [hit["recall_count"] for hit in cli("recall", "cat", "--json").data] == [1]
    assert [hit["recall_count"] for hit in cli("search", "cat", "--json").data] == [1]


def test_a_question_needs_no_quotation_marks(cli, stored):
    stored("the cat sleeps on the sofa")
    assert "sofa" in cli("recall", "where", "is", "the", "cat").out


def test_nothing_found_is_not_an_error(cli):
    answer = cli("recall", "unicorns")
    assert (answer.code, answer.out) == (0, "Nothing found.\n")
    assert cli("recall", "unicorns", "--json").data == []


def test_store_takes_everything_it_offers(cli):
    answer = cli(
        "store", "text", "--importance", "0.8", "--metadata", '{"a": 1}', "--tag", "x", "--tag", "y",
        "--tier", "M30", "--pin", "--json",
    )  # fmt: skip
    item = answer.data
    assert (item["content"], item["arbitrary_importance"], item["metadata"]) == ("text", 0.8, {"a": 1})
    assert (item["tags"], item["tier"], item["protection"]) == (["x", "y"], "M30", "pinned")
    assert cli("store", "text", "--immutable", "--json").data["protection"] == "immutable"


# -- standard input -----------------------------------------------------------------------------------


def test_store_reads_standard_input():
    assert process("store", "-", "--json", stdin="첫 줄\n둘째 줄\n".encode()).data["content"] == "첫 줄\n둘째 줄"


def test_a_byte_order_mark_is_not_part_of_the_text(cli):
    assert cli("store", "-", "--json", stdin=b"\xef\xbb\xbfhello\r\n").data["content"] == "hello"


def test_bytes_that_are_not_text_are_refused(cli):
    answer = cli("store", "-", stdin=b"bad \xff")
    assert answer.code == 2
    assert answer.err.startswith("error: The content is not valid text: byte 4 is not UTF-8.")
    assert cli("stats", "--json").data["total"] == 0


def test_an_empty_standard_input_is_refused(cli):
    assert cli("store", "-", stdin=b"\n").code == 2


def test_lines_become_memories_of_their_own(cli):
    answer = cli("store", "--lines", "-", "--json", "--importance", "0.6", stdin="one\r\n\n  \n둘\n".encode())
    assert [item["content"] for item in answer.data] == ["one", "둘"]
    assert {item["arbitrary_importance"] for item in answer.data} == {0.6}
    assert {item["tier"] for item in answer.data} == {"M90"}


def test_lines_are_stored_all_or_none(cli):
    answer = cli("store", "--lines", "-", stdin=b"good\n" + b"x" * ((1 << 20) + 1))
    assert answer.code == 2
    assert cli("stats", "--json").data["total"] == 0


def test_lines_say_what_they_cannot_take(cli):
    answer = cli("store", "--lines", "-", "--pin", "--tag", "x", stdin=b"one")
    assert answer.code == 2
    assert "--tag, --pin" in answer.err


def test_a_question_from_standard_input(cli, stored):
    stored("the cat sleeps on the sofa")
    assert "sofa" in cli("recall", "-", stdin=b"cat\n").out


# -- looking ------------------------------------------------------------------------------------------


def test_list_is_a_table_with_short_ids(cli, stored):
    item_id = stored("hello", "--importance", "0.8")
    header, line = cli("list").out.splitlines()
    assert header.split() == ["id", "zone", "score", "recalls", "age", "text"]
    assert line.split()[:3] == [item_id[:8], "outer", "+0.200"]
    assert item_id not in line


def test_list_filters(cli, stored):
    stored("close", "--importance", "1.0")
    stored("far", "--importance", "0.0", "--tier", "M30")
    assert [item["content"] for item in cli("list", "--zone", "outer", "--json").data] == ["close"]
    assert [item["content"] for item in cli("list", "--zone", "3", "--json").data] == ["far"]
    assert [item["content"] for item in cli("list", "--tier", "M30", "--json").data] == ["far"]
    assert len(cli("list", "--limit", "1", "--json").data) == 1


def test_show_accepts_the_start_of_an_id(cli, stored):
    item_id = stored("whole text", "--metadata", '{"k": "값"}', "--tag", "t")
    shown = cli("show", item_id[:6])
    assert item_id in shown.out
    assert "    whole text" in shown.out
    assert '{"k": "값"}' in shown.out


def test_explain_adds_up(cli, stored):
    item_id = stored("hello", "--importance", "0.8")
    cli("recall", "hello")
    explained = cli("explain", item_id, "--json").data
    weights, parts = explained["weights"], explained["breakdown"]
    total = sum(
        weights[f"w_{name}"] * parts[f"{name}_score"] for name in ("recall", "freshness", "arbitrary", "context")
    )
    assert parts["total"] == pytest.approx(total)


def test_explain_says_where_it_is_going(cli, stored):
    lines = cli("explain", stored("hello", "--importance", "0.6")).out.splitlines()
    assert any(line.startswith("A importance") and "+0.150" in line and "██████████" in line for line in lines)
    assert "importance  0.60 (given)" in lines
    # 0.15 lies 0.05 above the outer zone's bound: of the 0.285 that a day takes, 4 h 12 min.
    assert lines[-3:] == ["If nobody recalls it:", "  in 4 h 12 min -> belt", "  in 21 h 3 min -> cloud"]


def test_history_tells_what_happened(cli, stored):
    item_id = stored("hello")
    cli("pin", item_id)
    cli("forget", item_id)
    assert [event["type"] for event in cli("history", item_id, "--json").data] == ["forgotten", "pinned", "stored"]
    assert "reason by hand" in cli("history").out


def test_history_outlives_the_memory(cli, stored, tmp_path):
    """What was purged is gone, but the ledger still tells of it."""
    item_id = stored("hello")
    cli("forget", item_id)
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 4e9) as memory:
        assert memory.rebalance().purged == 1
    assert cli("show", item_id).code == 3
    assert cli("history", item_id, "--json").data[0]["type"] == "purged"


def test_stats_show_the_zones_and_the_file(cli, stored, tmp_path):
    stored("hello", "--importance", "0.8")
    said = cli("stats").out
    assert "outer       1 / 1000  █" in said
    assert "lifetimes   M90 1" in said
    assert "states      active 1" in said
    assert str(tmp_path / "m.db") in said
    assert "KiB" in said
    assert cli("stats", "--json").data["size_bytes"] > 0


def test_looking_at_an_empty_memory_is_friendly(cli):
    assert cli("list").out == "No memories here yet.\n"
    assert cli("cliff").out == "Nothing is on the cliff.\n"
    assert cli("history").out == "Nothing has happened yet.\n"


def test_an_empty_list_says_why(cli, stored):
    item_id = stored("hello")
    assert cli("list", "--zone", "core").out == "No memory matches.\n"
    cli("forget", item_id)
    assert cli("list").out == "No memory matches.\nOn the cliff: 1. `celestial cliff` shows them.\n"
    assert cli("list", "--json").data == []
    assert "celestial cliff" in cli("list", "--lang", "ko").out


# -- forgetting ---------------------------------------------------------------------------------------


def test_forget_and_restore_several(cli, stored):
    first, second = stored("first"), stored("second")
    assert cli("forget", first, second[:8]).code == 0
    said = cli("cliff").out
    assert "by hand" in said
    assert "6 d 23 h" in said or "7 d" in said
    assert cli("restore", first[:8], second).code == 0
    assert cli("stats", "--json").data["total"] == 2


def test_a_refusal_does_not_stop_the_rest(cli, stored):
    kept, other = stored("kept", "--immutable"), stored("other")
    answer = cli("forget", kept, other, "--json")
    assert answer.code == 4
    assert [item["id"] for item in answer.data] == [other]
    assert json.loads(answer.err)["error"] == "protected"


def test_a_mistyped_id_changes_nothing(cli, stored):
    item_id = stored("hello")
    assert cli("forget", item_id, "nope").code == 3
    assert cli("stats", "--json").data["cliff"] == 0


def test_pin_and_unpin(cli, stored):
    item_id = stored("hello")
    assert cli("pin", item_id).out == f"Pinned {item_id[:8]}.\n"
    assert "pinned" in cli("list").out
    assert cli("pin", item_id).out == f"{item_id[:8]} is already protected (pinned).\n"
    assert cli("unpin", item_id, "--json").data[0]["protection"] == "none"
    assert cli("unpin", item_id).out == f"{item_id[:8]} is not pinned.\n"
    assert cli("unpin", item_id, "--lang", "ko").out == f"{item_id[:8]} 기억은 고정되어 있지 않습니다.\n"
    assert cli("pin", stored("kept", "--immutable")).out.endswith("is already protected (immutable).\n")


# -- drift --------------------------------------------------------------------------------------------


def test_memories_drift_without_any_background_work(cli, tmp_path):
    """Whoever only uses the command line gets the rebalance that is due with the next command."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 1.7e9) as memory:
        memory.store("long ago", importance=1.0)
    assert cli("stats", "--json").data["zones"]["2"]["count"] == 0


def test_rebalance_tells_what_it_did(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, clock=lambda: 1.7e9) as memory:
        memory.store("long ago", importance=1.0)
    assert cli("rebalance").out.startswith("Rebalanced: 1 moved")
    assert cli("rebalance", "--json").data["moved"] == 0


# -- vectors ------------------------------------------------------------------------------------------


@pytest.fixture
def _no_vectors(monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")


@pytest.mark.usefixtures("_no_vectors")
def test_reindex_gives_vectors_to_those_without(cli, stored, monkeypatch):
    stored("the cat sleeps on the sofa")
    stored("민수는 커피를 좋아한다")
    assert cli("reindex", "--embedder", "hashed", "--json").data == {"embedded": 2, "failed": 0}
    answer = cli("reindex", "--embedder", "hashed")
    assert (answer.code, answer.out, answer.err) == (0, "Every memory has its vector.\n", "")
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "hashed")
    stored("one more")
    assert cli("reindex").out == "Every memory has its vector.\n"
    assert "sofa" in cli("search", "the cats").out
    assert "embedder hashed-letters-1, vectors 2" in cli("history").out


@pytest.mark.usefixtures("_no_vectors")
def test_reindex_tells_of_what_failed(cli, stored, monkeypatch):
    stored("words")
    stored("!!!")
    hashed = HashedEmbedder.query
    monkeypatch.setattr(HashedEmbedder, "query", lambda self, text: [0.0] if text == "!!!" else hashed(self, text))
    answer = cli("reindex", "--embedder", "hashed")
    assert answer.code == 2
    assert answer.out == "Vectors made: 1; memories that could get none: 1.\n"
    assert "vector" in answer.err
    assert answer.err.count("\n") == 1
    answer = cli("reindex", "--embedder", "hashed", "--json")
    assert (answer.code, answer.data) == (2, {"embedded": 0, "failed": 1})
    assert json.loads(answer.err)["error"] == "embedding"


@pytest.mark.usefixtures("_no_vectors")
@pytest.mark.parametrize(
    ("argv", "error", "says"),
    [
        (("reindex",), "embedding", "there is no embedder"),
        (("reindex", "--embedder", "none"), "embedding", "there is no embedder"),
        (("reindex", "--embedder", "crystal"), "config", "'crystal'"),
        (("reindex", "--embedder", ""), "empty_option", "--embedder"),
    ],
)
def test_reindex_needs_an_embedder(cli, argv, error, says):
    answer = cli(*argv)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert json.loads(cli(*argv, "--json").err)["error"] == error


@pytest.mark.usefixtures("_no_vectors")
def test_reindex_shows_its_progress_to_whoever_watches(cli, stored, monkeypatch):
    stored("words")
    assert cli("reindex", "--embedder", "hashed").err == ""
    stored("more words")
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    answer = cli("reindex", "--embedder", "hashed")
    assert "making vectors ████████████████████ 1 / 1" in answer.err
    assert answer.err.endswith("\r\x1b[K")


# -- export -------------------------------------------------------------------------------------------


def test_export_round_trips(cli, stored, tmp_path):
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

    def breaks(self, **_):
        yield self.list(1)[0].to_dict()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(CelestialMemory, "export", breaks)
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


# -- options ------------------------------------------------------------------------------------------


def test_global_options_stand_before_or_after(cli, tmp_path):
    other = str(tmp_path / "other.db")
    assert cli("--db", other, "--user", "mina", "--json", "store", "hello").data["owner"]["user_id"] == "mina"
    assert cli("stats", "--db", other, "--user", "mina", "--json").data["total"] == 1
    assert cli("stats", "--db", other, "--json").data["total"] == 0
    assert cli("--user", "nobody", "stats", "--user", "mina", "--db", other, "--json").data["total"] == 1


def test_owners_do_not_see_each_other(cli, stored):
    item_id = stored("a secret")
    assert cli("show", item_id, "--agent", "another").code == 3
    assert cli("search", "secret", "--user", "another", "--json").data == []


@pytest.mark.parametrize("option", ["--db", "--user", "--agent"])
def test_an_empty_option_is_not_taken_for_the_default(cli, option):
    answer = cli("list", option, "")
    assert answer.code == 2
    assert option in answer.err


def test_version(cli):
    assert cli("--version").out.startswith("celestial ")


def test_no_command_shows_the_help(cli):
    answer = cli()
    assert answer.code == 2
    assert "usage: celestial" in answer.err
    assert json.loads(cli("--json").err)["error"] == "usage"


def test_help_loads_no_engine():
    """A command line that answers every turn cannot wait for what it does not use."""
    probe = (
        "import sys\n"
        "from celestial_engine.surfaces.cli import main\n"
        "first = set(sys.modules)\n"
        "main(['--help'])\n"
        "heavy = {'celestial_engine.engine', 'sqlite3', 'logging', 'uuid', 'traceback'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
        "assert 'argparse' not in first\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "exit codes:" in done.stdout


# -- exit codes and errors ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "code", "error"),
    [
        (("fly",), 2, "usage"),
        (("store",), 2, "usage"),
        (("store", "two", "words"), 2, "usage"),
        (("list", "--lang", "fr"), 2, "usage"),
        (("list", "--limit"), 2, "usage"),
        (("store", "x", "--tier", "M0"), 2, "usage"),
        (("store", "  "), 2, "empty_content"),
        (("store", "x", "--importance", "2"), 2, "invalid_importance"),
        (("store", "x", "--importance", "much"), 2, "invalid_importance"),
        (("store", "x", "--metadata", "{"), 2, "invalid_metadata"),
        (("store", "x", "--metadata", "[1]"), 2, "invalid_metadata"),
        (("store", "x", "--metadata", '{"a": NaN}'), 2, "invalid_metadata"),
        (("list", "--limit", "-1"), 2, "invalid_limit"),
        (("list", "--limit", "many"), 2, "invalid_limit"),
        (("list", "--user", "x" * 201), 2, "invalid_owner"),
        (("show", "nope"), 3, "not_found"),
        (("history", "nope"), 3, "not_found"),
        (("list", "--db", "."), 5, "foreign_database"),
    ],
)
def test_exit_codes(cli, argv, code, error):
    plain = cli(*argv)
    assert (plain.code, plain.out) == (code, "")
    assert plain.err.startswith("error: ")
    assert "Traceback" not in plain.err
    as_json = cli(*argv, "--json")
    assert (as_json.code, as_json.out) == (code, "")
    said = json.loads(as_json.err)
    assert said.keys() == {"error", "message"}
    assert said["error"] == error


def test_an_ambiguous_id_is_bad_input(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        ids = [memory.store(f"memory {number}").id for number in range(17)]
    twice = next(first for first in "0123456789abcdef" if sum(item_id[0] == first for item_id in ids) > 1)
    answer = cli("show", twice, "--json")
    assert (answer.code, json.loads(answer.err)["error"]) == (2, "ambiguous_id")


def test_wrong_state_and_protection_are_4(cli, stored):
    assert cli("restore", stored("active")).code == 4
    assert cli("forget", stored("immutable", "--immutable")).code == 4


def test_the_unexpected_is_1_and_no_traceback(cli, stored, monkeypatch):
    def breaks(self, **_):
        raise ZeroDivisionError("oh")

    monkeypatch.setattr(CelestialMemory, "stats", breaks)
    answer = cli("stats")
    assert answer.code == 1
    assert answer.err.startswith("error: Something unexpected happened: ZeroDivisionError: oh (at test_cli.py:")


def test_an_interruption_is_130(cli, monkeypatch):
    def interrupted(self, **_):
        raise KeyboardInterrupt

    monkeypatch.setattr(CelestialMemory, "stats", interrupted)
    answer = cli("stats")
    assert (answer.code, answer.err) == (130, "error: Interrupted.\n")


# -- output -------------------------------------------------------------------------------------------

EVIL = "\x1b[31mred\x1b]0;title\x07 \x9b31m \u202eback\rover\x00\x7f"


@pytest.mark.parametrize("argv", [("list",), ("show",), ("explain",), ("recall", "title"), ("cliff",)])
def test_escape_sequences_are_neutralised(cli, tmp_path, argv):
    """Memory text is untrusted: it must not be able to write to the terminal's controls."""
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        item = memory.store(EVIL)
        if argv == ("cliff",):
            memory.forget(item.id)
    answer = cli(*argv, *([item.id] if argv[0] in ("show", "explain") else []))
    assert "red" in answer.out
    unsafe = [char for char in answer.out if char != "\n" and not (char.isprintable())]
    assert unsafe == []


def test_json_carries_the_exact_text_and_no_raw_controls(cli, tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None) as memory:
        memory.store(EVIL + " 한글")
    answer = cli("list", "--json")
    assert answer.data[0]["content"] == EVIL + " 한글"
    assert "한글" in answer.out
    assert all(char == "\n" or char.isprintable() for char in answer.out)


def test_escape_sequences_in_arguments_are_neutralised(cli):
    assert "\x1b" not in cli("show", "\x1b[31m").err
    assert "\x1b" not in cli("list", "--db", "/nowhere/\x1b[31m/x.db").err


def test_tables_fit_the_terminal(cli, stored, monkeypatch):
    stored("짧은 글")
    stored("아주 긴 한국어 문장은 터미널의 너비에 맞추어 잘려야 하고 그 끝에는 말줄임표가 붙어야 한다")
    monkeypatch.setenv("COLUMNS", "60")
    lines = cli("list").out.splitlines()
    assert lines[1].endswith("…")
    widths = [sum(2 if "가" <= char <= "힣" else 1 for char in line) for line in lines]
    assert max(widths) in (59, 60)
    assert lines[2].index("짧") == lines[1].index("아")


def test_a_reader_that_leaves_is_no_error(cli):
    cli("store", "--lines", "-", stdin=b"".join(b"a line of some length %d\n" % number for number in range(2000)))
    for argv in (("list", "--limit", "2000"), ("export",), ("list", "--limit", "2000", "--json")):
        running = subprocess.Popen([*COMMAND, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        running.stdout.readline()
        running.stdout.close()
        assert running.stderr.read() == b""
        running.stderr.close()
        assert running.wait(timeout=60) == 0


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_output_that_cannot_be_written_is_told():
    with open("/dev/full", "wb") as full:
        done = subprocess.run([*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith(b"error: ")
    assert b"Traceback" not in done.stderr


def test_any_locale_can_print():
    assert process("store", "한글", PYTHONIOENCODING="ascii").code == 0
    assert "?" in process("list", PYTHONIOENCODING="ascii").out
    assert process("list", "--json", PYTHONIOENCODING="ascii").data[0]["content"] == "한글"


# -- Korean -------------------------------------------------------------------------------------------


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


# -- demo ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("language", "far", "near"), [("en", "cloud", "outer"), ("ko", "오르트 구름", "외행성")])
def test_the_demo_tells_its_story_and_leaves_nothing(cli, monkeypatch, tmp_path, language, far, near):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    answer = cli("demo", "--lang", language)
    assert answer.code == 0
    assert 35 <= len(answer.out.splitlines()) <= 60
    assert f"{far} -> {near}" in answer.out
    assert "Python was released in 1991" in answer.out
    assert "커피" in answer.out
    assert "celestial store" in answer.out
    assert "pip install ." in answer.out
    assert list(scratch.iterdir()) == []
    assert not (tmp_path / "m.db").exists()


def test_the_demo_as_data(cli):
    steps = cli("demo", "--json").data
    assert all(step.keys() == {"title", "lines"} for step in steps)
    assert len(steps) == 9
