"""No secret that the guard knows can be found on the disk: the bytes of every file are searched for every piece."""

from __future__ import annotations

import gzip
import logging
import lzma
import random
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from uuid import uuid4

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the benchmarks are not installed with the engine

from benchmarks.guard.generated import MADE, Case, secret

from celestial_engine import AgentCoordinate, CelestialMemory, Document, GuardPolicy, RetentionPolicy, Settings
from celestial_engine.core.guard.guard import Guard
from celestial_engine.core.guard.secrets import DEFAULT, SecretKind
from celestial_engine.errors import SecretError
from celestial_engine.testing.fakes import bag_of_words

SECRETS = 200
PIECE = 12  # characters
TELLING = 8  # what is shorter turns up in hashes and numbers by chance
BLOCKING = GuardPolicy(
    **{
        kind.value: "block" for kind in SecretKind if kind not in (SecretKind.PHONE, SecretKind.EMAIL)
    }  # those two are allowed
)


def cases(seed: int, count: int = SECRETS) -> list[Case]:
    """Secrets of all kinds in English and Korean sentences, as far as the guard finds them at all."""
    rng = random.Random(seed)
    made = [case for case in (secret(rng) for _ in range(2 * count)) if len(case.value) >= TELLING][:count]
    found = [case for case in made if case.value not in Guard(DEFAULT).text(case.text)]
    assert len(found) > 0.99 * count
    assert {case.kind for case in found} == set(MADE)
    return found


def pieces_of(found: list[Case]) -> set[bytes]:
    """Every run of twelve characters, and whole what is shorter; in small letters, as word indexes have them."""
    # The lines around a private key are no secret, and look like the words that stand in its place.
    values = [line for case in found for line in case.value.casefold().split("\n") if not line.startswith("-----")]
    return {
        value[start : start + PIECE].encode() for value in values for start in range(max(1, len(value) - PIECE + 1))
    }


def leaks(data: bytes, pieces: set[bytes]) -> set[bytes]:
    data = data.lower()
    short = {piece for piece in pieces if len(piece) < PIECE and piece in data}
    return short | {piece for at in range(len(data)) if (piece := data[at : at + PIECE]) in pieces}


def bytes_in(folder: Path) -> bytes:
    """All files, those that are packed also unpacked."""
    raw = [file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file()]
    unpacked = [gzip.decompress(data) for data in raw if data[:2] == b"\x1f\x8b"]
    unpacked += [lzma.decompress(data) for data in raw if data[:5] == b"\xfd7zXZ"]
    return b"\n".join((*raw, *unpacked))


def told_in_every_way(memory: CelestialMemory, found: list[Case], history: list[object]) -> None:
    """A secret each, in turn by every way in."""
    kept = memory.store("a note about the weather in Busan", session_id="old")

    def document(text: str) -> object:
        return memory.store("noted", document=Document(prompt_digest=text, summary=text), session_id="old")

    def observe(text: str) -> object:
        observed = memory.observe(text, history, session_id="talk")
        assert observed.problem is None
        history.append(observed.turn)
        return observed

    def coordinate(text: str) -> object:
        said = {"response_full": text, "prompt_digest": text}
        return memory.transfer.add_coordinate(
            {"memory_id": str(uuid4()), "content": said, "timestamp": "2025-06-15T10:00:00Z"}
        )

    def bring_in(text: str) -> object:
        return memory.transfer.import_([memory.get(kept.id).to_dict() | {"id": str(uuid4()), "content": text}])

    ways: tuple[Callable[[str], object], ...] = (
        lambda text: memory.store(text, session_id="old"),
        observe,
        lambda text: memory.store_many(["before", text, "after"], session_id="old"),
        lambda text: memory.observe(f"Please remember this. {text}", history, session_id="talk"),
        lambda text: memory.update(kept.id, text),
        lambda text: memory.recall(text),
        lambda text: memory.search(text, explain=True),
        lambda text: memory.compose(f"what about this? {text}"),
        lambda text: memory.decide(text, history),
        lambda text: memory.store("noted", metadata={"said": [text], "deeper": {"still": text}}, tags=[text]),
        document,
        lambda text: memory.store("noted", agent=AgentCoordinate(persona_id="host", persona_name=text)),
        lambda text: memory.ledger.log(
            "s",
            "evaluation",
            text if len(text) <= 200 else None,
            evaluation={"said": text},
            plan_adjustment={"to": text},
        ),
        lambda text: memory.feedback(text=text),
        coordinate,
        bring_in,
        lambda text: memory.observe({"role": "assistant", "content": text}, history),
    )
    for case, way in zip(found, cycle(ways), strict=False):
        way(case.text)


def nights_and_keeping(memory: CelestialMemory, clock, folder: Path) -> None:
    """Whatever copies, moves or rewrites what is there."""
    memory.feedback(reward=1.0)
    memory.transfer.backup(str(folder / "copy.db"))
    clock.advance(days=40)
    memory.departures.retain(RetentionPolicy(archive_after_days=30))
    assert memory.departures.archives()
    memory.sleep(force=True, allow_large=True)
    memory.rebalance()
    memory.ledger.compress()
    for item in list(memory.list(limit=20)):
        memory.forget(item.id)
    clock.advance(days=8)
    memory.rebalance()
    memory.sleep(force=True, allow_large=True)
    memory.transfer.backup(str(folder / "later.db"))


@pytest.mark.slow
@pytest.mark.usefixtures("calendar_time")
@pytest.mark.parametrize("seed", [3, 4])
def test_no_piece_of_a_redacted_secret_is_on_the_disk(tmp_path, clock, caplog, capfd, seed):
    """Neither while the memory is open, with its write-ahead log, nor afterwards, in no copy, and in no log."""
    caplog.set_level(logging.DEBUG)
    found, told = cases(seed), []
    pieces = pieces_of(found)

    def model(prompt: str) -> str:
        told.append(prompt)
        return "{}"

    memory = CelestialMemory(
        tmp_path / "m.db", rebalance_interval=None, clock=clock, embed_fn=bag_of_words, language_model=model,
    )  # fmt: skip
    told_in_every_way(memory, found, [])
    open_files = {file.name for file in tmp_path.rglob("*") if file.is_file()}
    assert {"m.db", "m.db-wal"} <= open_files
    assert leaks(bytes_in(tmp_path), pieces) == set()
    nights_and_keeping(memory, clock, tmp_path)
    assert leaks(bytes_in(tmp_path), pieces) == set()
    memory.close()
    everything = bytes_in(tmp_path)
    assert b"redacted" in everything
    assert "가림".encode() in everything
    assert leaks(everything, pieces) == set()
    printed = capfd.readouterr()
    said = "\n".join((caplog.text, printed.out, printed.err, *told)).encode()
    assert leaks(said, pieces) == set()


@pytest.mark.slow
def test_no_piece_of_a_blocked_secret_is_anywhere(tmp_path, clock, caplog):
    """Neither on the disk nor in the error, the problem or the log that tell of it."""
    caplog.set_level(logging.DEBUG)
    found = cases(5)
    pieces, said = pieces_of(found), []
    with CelestialMemory(
        tmp_path / "m.db", rebalance_interval=None, clock=clock, settings=Settings(guard=BLOCKING)
    ) as memory:
        kept = memory.store("nothing to hide")
        ways: tuple[Callable[[str], object], ...] = (
            lambda text: memory.store(text),
            lambda text: memory.store_many(["fine", text]),
            lambda text: memory.update(kept.id, text),
            lambda text: memory.store("fine", metadata={"said": text}),
            lambda text: memory.store("fine", tags=[text]),
        )
        for case, way in zip(found, cycle(ways), strict=False):
            with pytest.raises(SecretError) as refused:
                way(case.text)
            said.append(str(refused.value))
            observed = memory.observe(case.text, session_id="talk")
            assert observed.decision.action.value == "skip"
            said.append(str(observed.problem))
            memory.recall(case.text)
        memory.transfer.backup(str(tmp_path / "copy.db"))
        memory.sleep(force=True)
        assert leaks(bytes_in(tmp_path), pieces) == set()
        assert [item.content for item in memory.list()] == ["nothing to hide"]
    assert leaks(bytes_in(tmp_path), pieces) == set()
    assert leaks("\n".join((*said, caplog.text)).encode(), pieces) == set()


def test_the_search_finds_what_is_there(tmp_path):
    """A search that finds nothing proves something only if it could find."""
    (case,) = cases(6)[:1]
    pieces = pieces_of([case])
    (tmp_path / "plain").write_text(f"xx{case.value.upper()}yy", encoding="utf-8")
    assert leaks(bytes_in(tmp_path), pieces)
    (tmp_path / "plain").unlink()
    (tmp_path / "packed").write_bytes(gzip.compress(case.value.encode()))
    assert leaks(bytes_in(tmp_path), pieces)
