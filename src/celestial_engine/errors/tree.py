"""Everything that can go wrong, as one tree.

    CelestialError
    ├── InvalidInputError (also a ValueError)
    │   ├── EmptyContentError        nothing but white space
    │   ├── ContentTooLargeError     over 1 MiB
    │   ├── InvalidTextError         not text, or text that UTF-8 cannot carry
    │   ├── InvalidImportanceError   not a number between 0 and 1
    │   ├── InvalidMetadataError     not a JSON object, or too large
    │   ├── InvalidLimitError        a limit that is not a whole number from 0 to a million
    │   ├── InvalidOwnerError        an empty or overlong user or agent
    │   ├── InvalidItemError         a record that cannot be read back
    │   ├── ImportSourceError        a file that cannot be imported
    │   │   └── UnknownFormatError   its format is unknown
    │   ├── AmbiguousIdError         a short id that fits several memories
    │   ├── SecretError              a secret that the guard blocks
    │   ├── KeyReusedError           an idempotency key that another request used
    │   └── ConfigError              settings that contradict themselves
    │       ├── ConfigFileError      a celestial.toml that is unreadable or has unknown settings
    │       │   └── ProjectFileError the same of a project's .celestial.toml
    │       ├── PersonaRegistryError personas that contradict themselves, or a file that cannot be read
    │       └── AnalyserMissingError the word index was made by an analyser that is not installed
    ├── ExtraMissingError (also an ImportError)  a framework is not installed, or too old
    ├── NotFoundError (also a LookupError)
    │   ├── EventNotFoundError       no such entry of the ledger, or another owner's
    │   ├── PersonaSessionNotFoundError  no run of personas in this session
    │   ├── TurnNotFoundError        feedback on a turn that was not observed
    │   ├── StaleTokenError          memories that were to be distilled have changed since
    │   ├── ProposalNotFoundError    no such proposal, or another owner's
    │   ├── GrantNotFoundError       no such token or session, or it has ended already
    │   ├── SelfVersionNotFoundError no such version of the self
    │   ├── PeerNotFoundError        no such peer
    │   ├── SourceNotFoundError      no such memory, session or import
    │   ├── CheckpointNotFoundError  no such version of what was learned, or it is damaged
    │   └── NothingArchivedError     no archive holds this session or memory
    ├── UndoError                    changed since, purged, or nothing to go back to
    ├── VersionError                 changed since it was read
    ├── ProtectedError               immutable or core: needs more than a call
    ├── ApprovalError                a proposal that this decision cannot apply
    │   ├── DecidedError             it was approved, rejected or withdrawn before
    │   ├── ProposalExpiredError     it was not decided in time
    │   ├── ProposalChangedError     what it is about has changed meanwhile
    │   ├── ApprovalTokenError       a token that is forged, used, or of another diff
    │   ├── NotTheUserError          only the user decides
    │   └── TooMuchChangeError       more of the self than may change in a session
    ├── SoulError                    a SOUL.md that cannot be read or must not be overwritten
    ├── SyncError                    a bundle, folder or device that cannot be synchronised with
    ├── WrongStateError              e.g. restore of what was never forgotten
    ├── StorageError
    │   ├── ForeignDatabaseError     the file is not a Celestial database
    │   ├── NewerSchemaError         written by a newer version
    │   ├── ReadOnlyError            the file or its folder cannot be written
    │   │   └── StandbyError         the server is a standby, which can only be read
    │   ├── DiskFullError            no room left
    │   ├── BusyError                another process held the file for too long
    │   ├── OwnerMovingError         the owner is being moved to another database
    │   ├── MoveError                an owner cannot be moved
    │   ├── CorruptDatabaseError     the file is damaged
    │   ├── BackupExistsError        a backup would overwrite a file
    │   ├── ServerUnreachableError   the database server does not answer
    │   ├── ServerAccessError        it refuses the role, the password, the database or a right
    │   ├── ServerFullError          it has no free connection
    │   ├── SlowStatementError       a statement took longer than allowed
    │   └── ClosedError              used after close()
    │       └── NotOpenError         used before it was opened
    └── ProviderError
        ├── PersonaRunError          a persona gave no answer; what was answered before is kept
        ├── EmbeddingError           the embedding function failed
        └── LanguageModelError       the language model failed
            ├── ModelUnavailableError it cannot be reached, is busy, or refuses access
            ├── ModelAnswerError     an unusable answer: refused, cut off, malformed
            └── BudgetError          the daily budget is used up

Each error says what is wrong and what to do about it, in English or Korean (`texts/`); `str(error)` is English:

    raise InvalidInputError("reward", Reason.OUT_OF_RANGE, low=-1, high=1, got=5)
    error.reason         Reason.OUT_OF_RANGE
    error.details        {"field": "reward", "low": -1, "high": 1, "got": 5}
    error.message("ko")  the same in Korean

Nothing has changed when one is raised. Several problems: `ConfigError(problem(...), ...)`. `code` is stable.
"""

from __future__ import annotations

from typing import ClassVar

from celestial_engine.errors.base import CelestialError


class InvalidInputError(CelestialError, ValueError):
    code = "invalid_input"
    takes: ClassVar[tuple[str, ...]] = ("field",)


class EmptyContentError(InvalidInputError):
    code = "empty_content"


class ContentTooLargeError(InvalidInputError):
    code = "content_too_large"
    takes: ClassVar[tuple[str, ...]] = ("field", "size", "most")


class InvalidTextError(InvalidInputError):
    code = "invalid_text"


class InvalidImportanceError(InvalidInputError):
    code = "invalid_importance"
    takes: ClassVar[tuple[str, ...]] = ("value",)


class InvalidMetadataError(InvalidInputError):
    code = "invalid_metadata"


class InvalidLimitError(InvalidInputError):
    code = "invalid_limit"
    takes: ClassVar[tuple[str, ...]] = ("value",)


class InvalidOwnerError(InvalidInputError):
    code = "invalid_owner"
    takes: ClassVar[tuple[str, ...]] = ("field", "value")


class InvalidItemError(InvalidInputError):
    code = "invalid_item"


class ImportSourceError(InvalidInputError):
    code = "import_source"
    takes: ClassVar[tuple[str, ...]] = ("path",)


class UnknownFormatError(ImportSourceError):
    code = "unknown_format"


class AmbiguousIdError(InvalidInputError):
    code = "ambiguous_id"
    takes: ClassVar[tuple[str, ...]] = ("count", "prefix")


class SecretError(InvalidInputError):
    code = "secret"


class KeyReusedError(InvalidInputError):
    code = "key_reused"
    takes: ClassVar[tuple[str, ...]] = ("key",)


class ConfigError(InvalidInputError):
    code = "config"


class ConfigFileError(ConfigError):
    code = "config_file"
    takes: ClassVar[tuple[str, ...]] = ("path",)


class ProjectFileError(ConfigFileError):
    code = "project_file"


class AnalyserMissingError(ConfigError):
    code = "analyser_missing"
    takes: ClassVar[tuple[str, ...]] = ("analyser", "install")


class PersonaRegistryError(ConfigError):
    code = "persona_registry"
    takes: ClassVar[tuple[str, ...]] = ("registry",)


class ExtraMissingError(CelestialError, ImportError):
    code = "extra_missing"
    takes: ClassVar[tuple[str, ...]] = ("name", "extra", "install")


class NotFoundError(CelestialError, LookupError):
    code = "not_found"
    takes: ClassVar[tuple[str, ...]] = ("item_id",)


class NothingArchivedError(NotFoundError):
    code = "nothing_archived"


class StaleTokenError(NotFoundError):
    code = "stale_token"


class GrantNotFoundError(NotFoundError):
    code = "token_not_found"


class ProposalNotFoundError(NotFoundError):
    code = "proposal_not_found"


class SelfVersionNotFoundError(NotFoundError):
    code = "self_version_not_found"
    takes: ClassVar[tuple[str, ...]] = ("version",)


class EventNotFoundError(NotFoundError):
    code = "event_not_found"
    takes: ClassVar[tuple[str, ...]] = ("number",)


class TurnNotFoundError(NotFoundError):
    code = "turn_not_found"
    takes: ClassVar[tuple[str, ...]] = ("turn_id",)


class PersonaSessionNotFoundError(NotFoundError):
    code = "persona_session_not_found"
    takes: ClassVar[tuple[str, ...]] = ("session_id",)


class CheckpointNotFoundError(NotFoundError):
    code = "checkpoint_not_found"
    takes: ClassVar[tuple[str, ...]] = ("version",)


class SourceNotFoundError(NotFoundError):
    code = "source_not_found"
    takes: ClassVar[tuple[str, ...]] = ("which",)


class PeerNotFoundError(NotFoundError):
    code = "peer_not_found"
    takes: ClassVar[tuple[str, ...]] = ("key",)


class UndoError(CelestialError):
    code = "cannot_undo"
    takes: ClassVar[tuple[str, ...]] = ("number",)


class VersionError(CelestialError):
    code = "changed_since"
    takes: ClassVar[tuple[str, ...]] = ("item_id",)


class ProtectedError(CelestialError):
    code = "protected"
    takes: ClassVar[tuple[str, ...]] = ("item_id", "protection", "action")


class ApprovalError(CelestialError):
    code = "approval"
    takes: ClassVar[tuple[str, ...]] = ("proposal",)


class DecidedError(ApprovalError):
    code = "already_decided"
    takes: ClassVar[tuple[str, ...]] = ("proposal", "status")


class ProposalExpiredError(ApprovalError):
    code = "proposal_expired"


class ProposalChangedError(ApprovalError):
    code = "proposal_changed"


class ApprovalTokenError(ApprovalError):
    code = "approval_token"


class NotTheUserError(ApprovalError):
    code = "not_the_user"
    takes: ClassVar[tuple[str, ...]] = ("proposal", "channel")


class TooMuchChangeError(ApprovalError):
    code = "too_much_change"


class SoulError(CelestialError):
    code = "soul"
    takes: ClassVar[tuple[str, ...]] = ("path",)


class SyncError(CelestialError):
    code = "sync"
    takes: ClassVar[tuple[str, ...]] = ("path",)


class WrongStateError(CelestialError):
    code = "wrong_state"
    takes: ClassVar[tuple[str, ...]] = ("item_id", "state", "action")


class StorageError(CelestialError):
    code = "storage"
    takes: ClassVar[tuple[str, ...]] = ("path",)


class ForeignDatabaseError(StorageError):
    code = "foreign_database"


class NewerSchemaError(StorageError):
    code = "newer_schema"
    takes: ClassVar[tuple[str, ...]] = ("path", "found", "known")


class ReadOnlyError(StorageError):
    code = "read_only"


class StandbyError(ReadOnlyError):
    code = "standby"


class DiskFullError(StorageError):
    code = "disk_full"


class BusyError(StorageError):
    code = "busy"
    takes: ClassVar[tuple[str, ...]] = ("path", "seconds")


class OwnerMovingError(StorageError):
    code = "owner_moving"


class MoveError(StorageError):
    code = "move"
    takes: ClassVar[tuple[str, ...]] = ("path", "owner")


class CorruptDatabaseError(StorageError):
    code = "corrupt_database"


class BackupExistsError(StorageError):
    code = "backup_exists"


class ServerUnreachableError(StorageError):
    code = "server_unreachable"


class ServerAccessError(StorageError):
    code = "server_access"


class ServerFullError(StorageError):
    code = "server_full"


class SlowStatementError(StorageError):
    code = "slow_statement"
    takes: ClassVar[tuple[str, ...]] = ("path", "seconds")


class ClosedError(StorageError):
    code = "closed"


class NotOpenError(ClosedError):
    code = "not_open"
    takes: ClassVar[tuple[str, ...]] = ()


class ProviderError(CelestialError):
    code = "provider"


class PersonaRunError(ProviderError):
    code = "persona_run"
    takes: ClassVar[tuple[str, ...]] = ("persona", "session_id")


class EmbeddingError(ProviderError):
    code = "embedding"


class LanguageModelError(ProviderError):
    code = "language_model"


class ModelUnavailableError(LanguageModelError):
    code = "model_unavailable"


class ModelAnswerError(LanguageModelError):
    code = "model_answer"


class BudgetError(LanguageModelError):
    code = "budget"
