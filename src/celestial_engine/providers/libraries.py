"""Models by name, through libraries that fetch them from a hub once and keep them: fastembed, sentence-transformers
and model2vec. A folder with a model works as well as a name. They load on first use.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

from celestial_engine.errors import EmbeddingError, Reason

# What comes later in a text adds little to its vector, and without any bound much to its time.
_MOST_CHARACTERS = 8_000


class _LibraryModel(ABC):
    """A model of a library. The name says which library: vectors of the same model may differ between two."""

    library: str
    default: str

    def __init__(self, model: str = "") -> None:
        self._named = model or self.default
        self.name = f"{self.library}/{self._named}"

    def passages(self, texts: Sequence[str]) -> list[Sequence[float]]:
        return self._encoded([_prefixed(self._named, "passage: ", text[:_MOST_CHARACTERS]) for text in texts], False)

    def query(self, text: str) -> Sequence[float]:
        return self._encoded([_prefixed(self._named, "query: ", text[:_MOST_CHARACTERS])], True)[0]

    def closeness(self, cosine: float) -> float:
        return min(1.0, max(0.0, cosine))

    def _encoded(self, texts: list[str], asked: bool) -> list[Sequence[float]]:
        return [[float(value) for value in vector] for vector in self._encode(texts, asked)]

    @abstractmethod
    def _encode(self, texts: list[str], asked: bool) -> Any: ...

    @cached_property
    def _model(self) -> Any:
        return self._load()

    @abstractmethod
    def _load(self) -> Any: ...


class FastembedEmbedder(_LibraryModel):
    """fastembed: ONNX models, without PyTorch."""

    library = "fastembed"
    default = "intfloat/multilingual-e5-large"

    def _encode(self, texts: list[str], asked: bool) -> Any:
        return (self._model.query_embed if asked else self._model.passage_embed)(texts)

    def _load(self) -> Any:
        maker = library_class("fastembed", "TextEmbedding")
        folder = Path(self._named)
        if not folder.is_dir():
            return maker(self._named, threads=1)
        self._register(maker, folder)
        return maker(self._named, threads=1, specific_model_path=str(folder))

    def _register(self, maker: Any, folder: Path) -> None:
        """Tells the library about a model of one's own: its vectors are the mean of those of its tokens."""
        if any(each["model"].lower() == self._named.lower() for each in maker.list_supported_models()):
            return
        known = import_module("fastembed.common.model_description")
        maker.add_custom_model(
            self._named,
            pooling=known.PoolingType.MEAN,
            normalization=True,
            sources=known.ModelSource(url="file:"),  # it must have one, and is never asked
            dim=json.loads((folder / "config.json").read_text(encoding="utf-8"))["hidden_size"],
            model_file=next(name for name in ("model.onnx", "onnx/model.onnx") if (folder / name).is_file()),
        )


class SentenceTransformersEmbedder(_LibraryModel):
    """sentence-transformers: nearly every published model, with PyTorch."""

    library = "sentence-transformers"
    default = "BAAI/bge-m3"

    def _encode(self, texts: list[str], asked: bool) -> Any:
        encode = self._model.encode_query if asked else self._model.encode_document
        return encode(texts, show_progress_bar=False)

    def _load(self) -> Any:
        return library_class("sentence_transformers", "SentenceTransformer")(self._named, device="cpu")


class Model2VecEmbedder(_LibraryModel):
    """model2vec: a vector a word piece, no network; a hundred times faster, and less exact."""

    library = "model2vec"
    default = "minishlab/potion-multilingual-128M"

    def _encode(self, texts: list[str], asked: bool) -> Any:
        return self._model.encode(texts)

    def _load(self) -> Any:
        # By default it would fetch the model again with every start.
        return library_class("model2vec", "StaticModel").from_pretrained(self._named, force_download=False)


EMBEDDERS: dict[str, Callable[[str], _LibraryModel]] = {
    maker.library: maker for maker in (FastembedEmbedder, SentenceTransformersEmbedder, Model2VecEmbedder)
}


def _prefixed(model: str, prefix: str, text: str) -> str:
    """The E5 models were trained with these words before each text, and rank worse without them."""
    return f"{prefix}{text}" if "e5-" in model.rpartition("/")[2].lower() else text


def library_class(package: str, name: str) -> Any:
    """Returns a class of a library; says how to install the library if it is missing."""
    try:
        return getattr(import_module(package), name)
    except ImportError as error:
        from celestial_engine.install_hints import install_command

        package = package.partition(".")[0]
        install = install_command(package.replace("_", "-"))
        raise EmbeddingError(Reason.PACKAGE_MISSING, package=package, cause=str(error), install=install) from error
