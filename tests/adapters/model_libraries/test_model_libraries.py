"""Embedders by name: each library loads a tiny model that the test builds, from a folder, without a network."""

from __future__ import annotations

import json

import pytest

from celestial_engine import CelestialMemory, Settings
from celestial_engine.bootstrap import open_cross_encoder, open_embedder
from celestial_engine.errors import EmbeddingError

WORDS = [
    "[UNK]",
    "[PAD]",
    "query",
    "passage",
    ":",
    "tea",
    "coffee",
    "train",
    "mina",
    "drinks",
    "leaves",
    "차",
    "기차",
]
# tea and coffee are near each other, and so are the Korean words and their English ones.
VECTORS = {
    "tea": (1.0, 0.2, 0.0, 0.0),
    "coffee": (0.9, 0.4, 0.0, 0.0),
    "차": (1.0, 0.1, 0.1, 0.0),
    "train": (0.0, 0.0, 1.0, 0.2),
    "기차": (0.0, 0.0, 1.0, 0.1),
    "mina": (0.1, 0.1, 0.1, 0.1),
}


def table():
    numpy = pytest.importorskip("numpy")
    return numpy.array([VECTORS.get(word, (0.01, 0.01, 0.01, 0.01)) for word in WORDS], dtype=numpy.float32)


def tokenizer():
    tokenizers = pytest.importorskip("tokenizers")
    made = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: place for place, word in enumerate(WORDS)}, unk_token="[UNK]")
    )
    made.normalizer = tokenizers.normalizers.Lowercase()
    made.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    return made


def static_model(folder):
    """A model of model2vec: a vector for each word."""
    pytest.importorskip("model2vec").StaticModel(table(), tokenizer(), normalize=True).save_pretrained(folder)
    return f"model2vec:{folder}"


def onnx_model(folder):
    """A network that looks its tokens up in a table, in the layout of a published model."""
    onnx = pytest.importorskip("onnx")
    pytest.importorskip("fastembed")
    helper, kinds = onnx.helper, onnx.TensorProto
    folder.mkdir()
    shape = ["batch", "tokens"]
    graph = helper.make_graph(
        [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])],
        "tiny",
        [helper.make_tensor_value_info(name, kinds.INT64, shape) for name in ("input_ids", "attention_mask")],
        [helper.make_tensor_value_info("last_hidden_state", kinds.FLOAT, [*shape, 4])],
        [onnx.numpy_helper.from_array(table(), "table")],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer().save(str(folder / "tokenizer.json"))
    (folder / "config.json").write_text(json.dumps({"hidden_size": 4, "pad_token_id": 1}))
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 64, "pad_token": "[PAD]"}))
    (folder / "special_tokens_map.json").write_text(json.dumps({"pad_token": "[PAD]", "unk_token": "[UNK]"}))
    return f"fastembed:{folder}"


def torch_model(folder):
    """The same table as a model of sentence-transformers, which needs PyTorch: left out where that is missing."""
    library = pytest.importorskip("sentence_transformers")
    static = library.sentence_transformer.modules.StaticEmbedding(tokenizer(), embedding_weights=table())
    library.SentenceTransformer(modules=[static], device="cpu").save(str(folder))
    return f"sentence-transformers:{folder}"


def torch_cross_encoder(folder):
    """A tiny BERT that reads pairs. Its weights are random, but always the same ones."""
    library, transformers = pytest.importorskip("sentence_transformers"), pytest.importorskip("transformers")
    words = tokenizer()
    words.post_processor = pytest.importorskip("tokenizers").processors.TemplateProcessing(
        single="[PAD] $A [PAD]", pair="[PAD] $A [PAD] $B:1 [PAD]:1", special_tokens=[("[PAD]", 1)]
    )
    transformers.set_seed(7)
    config = transformers.BertConfig(
        vocab_size=len(WORDS),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=64,
        num_labels=1,
        pad_token_id=1,
        initializer_range=1.0,
    )
    folder.mkdir()
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, unk_token="[UNK]", pad_token="[PAD]", model_max_length=64
    ).save_pretrained(folder)
    assert library.CrossEncoder(str(folder), device="cpu").num_labels == 1
    return f"sentence-transformers:{folder}"


@pytest.fixture(params=[static_model, onnx_model, torch_model], ids=lambda maker: maker.__name__)
def choice(request, tmp_path):
    return request.param(tmp_path / "model")


def cosine(one, other):
    dot = sum(a * b for a, b in zip(one, other, strict=True))
    return dot / (sum(a * a for a in one) * sum(b * b for b in other)) ** 0.5


def test_a_folder_is_loaded_and_meaning_is_found(choice):
    with CelestialMemory(":memory:", rebalance_interval=None, embedder=choice) as memory:
        memory.store("Mina drinks tea")
        memory.store("the train leaves")
        found = memory.search("coffee", limit=2, floor=0, explain=True)
        assert found.hits[0].item.content == "Mina drinks tea"
        assert found.hits[0].lists["vectors"].score > found.hits[1].lists["vectors"].score
        assert memory.search("기차", limit=1, floor=0)[0].content == "the train leaves"


def test_many_texts_are_embedded_as_one_by_one(choice):
    embedder = open_embedder(choice)
    texts = ["tea", "mina drinks coffee", "기차"]
    together = embedder.passages(texts)
    assert [len(vector) for vector in together] == [4, 4, 4]
    for text, vector in zip(texts, together, strict=True):
        assert cosine(vector, embedder.passages([text])[0]) > 0.999
    assert cosine(embedder.query("tea"), together[0]) > 0.99
    assert all(type(value) is float for vector in together for value in vector)


def test_a_cross_encoder_is_loaded_from_a_folder_and_orders_hits(tmp_path):
    choice = torch_cross_encoder(tmp_path / "model")
    texts = ["mina drinks tea", "mina drinks coffee", "mina leaves", "mina drinks"]
    reader = open_cross_encoder(choice)
    scores = reader.scores("mina", texts)
    assert len(set(scores)) == len(texts), "it reads each text"
    assert reader.scores("train", texts) != scores, "and the question with it"
    assert reader.scores("mina", texts[:1]) == pytest.approx(scores[:1])
    assert reader.scores("mina", []) == []
    with CelestialMemory(
        ":memory:", rebalance_interval=None, embedder="none", settings=Settings(cross_encoder=choice)
    ) as memory:
        memory.store_many(texts)
        found = memory.search("mina", floor=0, explain=True)
    assert next(stage for stage in found.stages if stage.name == "cross_encoder").memories == len(texts)
    favourite = texts[scores.index(max(scores))]
    moved = {hit.item.content: hit.parts.get("cross_encoder", 0.0) for hit in found.hits}
    assert moved[favourite] >= 0.0
    assert sum(moved.values()) == pytest.approx(0.0), "each takes the relevance of another"


def test_two_libraries_do_not_share_vectors(tmp_path):
    names = {open_embedder(f"{library}:BAAI/bge-m3").name for library in ("fastembed", "model2vec")}
    assert names == {"fastembed/BAAI/bge-m3", "model2vec/BAAI/bge-m3"}


def test_a_folder_that_is_no_model_is_told(tmp_path):
    """The memory is stored all the same, and can be found by its words."""
    (tmp_path / "empty").mkdir()
    for library in ("fastembed", "model2vec"):
        with CelestialMemory(
            ":memory:", rebalance_interval=None, embedder=f"{library}:{tmp_path / 'empty'}"
        ) as memory:
            memory.store("Mina drinks tea")
            assert memory.search("tea", floor=0)[0].content == "Mina drinks tea"
            with pytest.raises(EmbeddingError):
                memory.maintenance.reindex()
