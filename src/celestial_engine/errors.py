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
    │   │   └── UnknownFormatError   what is in it is none of the known formats
    │   ├── AmbiguousIdError         a short id that fits several memories
    │   ├── SecretError              a secret that the guard was told to block
    │   ├── KeyReusedError           an idempotency key that came with another request before
    │   └── ConfigError              settings that contradict themselves
    │       ├── ConfigFileError      a celestial.toml that cannot be read, or says what there is not
    │       └── AnalyserMissingError the words were made by something that is not installed
    ├── ExtraMissingError (also an ImportError)  a framework is not installed, or too old
    ├── NotFoundError (also a LookupError)
    │   ├── EventNotFoundError       no such entry of the ledger, or another owner's
    │   ├── TurnNotFoundError        feedback on a turn that nobody observed
    │   ├── StaleTokenError          memories that were to be distilled have changed since
    │   ├── ProposalNotFoundError    no such proposal, or another owner's
    │   ├── GrantNotFoundError       no such token or session, or it has ended already
    │   ├── SelfVersionNotFoundError no such version of the self
    │   ├── CheckpointNotFoundError  no such version of what was learned, or it is damaged
    │   └── NothingArchivedError     no archive holds this session or memory
    ├── UndoError                    changed since, purged, or nothing to go back to
    ├── VersionError                 changed since it was read
    ├── ProtectedError               immutable or core: needs more than a call
    ├── ApprovalError                a proposal that this word does not carry out
    │   ├── DecidedError             it was approved, rejected or withdrawn before
    │   ├── ProposalExpiredError     nobody decided in time
    │   ├── ProposalChangedError     what it is about has changed meanwhile
    │   ├── ApprovalTokenError       a token that is forged, used, or of another diff
    │   ├── NotTheUserError          only the user decides
    │   └── TooMuchChangeError       more of the self than may change in a session
    ├── SoulError                    a SOUL.md that cannot be read or must not be overwritten
    ├── WrongStateError              e.g. restore of what was never forgotten
    ├── StorageError
    │   ├── ForeignDatabaseError     the file is not a Celestial database
    │   ├── NewerSchemaError         written by a newer version
    │   ├── ReadOnlyError            the file or its folder cannot be written
    │   ├── DiskFullError            no room left
    │   ├── BusyError                another process held the file for too long
    │   ├── CorruptDatabaseError     the file is damaged
    │   ├── BackupExistsError        a backup would overwrite a file
    │   └── ClosedError              used after close()
    └── ProviderError
        ├── EmbeddingError           the embedding function failed
        └── LanguageModelError       the language model failed
            ├── ModelUnavailableError it cannot be reached, is busy, or does not accept us
            ├── ModelAnswerError     it answered, but not what was asked: refused, cut off, out of form
            └── BudgetError          it has been asked enough for today

Each error says what is wrong and what to do about it. Nothing has changed when one is raised.
`code` is stable: the surfaces use it for exit codes, translations and problem documents.
"""

from __future__ import annotations

from typing import ClassVar


class CelestialError(Exception):
    """The root: catch this to catch everything the engine raises on purpose."""

    code: ClassVar[str] = "error"
    problem: ClassVar[str] = "Something went wrong: {reason}."
    advice: ClassVar[str] = ""

    def __init__(self, **details: object) -> None:
        self.details = details
        super().__init__(" ".join(part.format(**details) for part in (self.problem, self.advice) if part))


class InvalidInputError(CelestialError, ValueError):
    code = "invalid_input"
    problem = "{field} is not valid: {reason}."
    advice = "Nothing was changed; correct it and try again."


class EmptyContentError(InvalidInputError):
    code = "empty_content"
    problem = "The {field} is empty."
    advice = "Give at least one character that is not white space."


class ContentTooLargeError(InvalidInputError):
    code = "content_too_large"
    problem = "The {field} has {size} bytes; at most {most} are taken."
    advice = "Split it into several memories, or store a summary and a link to the file."


class InvalidTextError(InvalidInputError):
    code = "invalid_text"
    problem = "The {field} is not valid text: {reason}."
    advice = "Decode bytes as UTF-8 before you hand them over, with errors='replace' if need be."


class InvalidImportanceError(InvalidInputError):
    code = "invalid_importance"
    problem = "Importance must be a number from 0 to 1, not {value!r}."
    advice = "Leave it out to have it judged from the text."


class InvalidMetadataError(InvalidInputError):
    code = "invalid_metadata"
    problem = "The metadata cannot be stored: {reason}."
    advice = "Pass a dict with string keys and JSON values (no NaN, no objects)."


class InvalidLimitError(InvalidInputError):
    code = "invalid_limit"
    problem = "A limit must be a whole number from 0 to 1000000, not {value!r}."
    advice = "Leave it out for the default."


class InvalidOwnerError(InvalidInputError):
    code = "invalid_owner"
    problem = "{field} must be text of 1 to 200 characters, not {value!r}."
    advice = "Leave it out to use the memory of the local user."


class InvalidItemError(InvalidInputError):
    code = "invalid_item"
    problem = "This is not a memory record: {reason}."
    advice = "Compare it with a line of `celestial export`."


class ImportSourceError(InvalidInputError):
    code = "import_source"
    problem = "{path} cannot be imported: {reason}."
    advice = "Correct that and try again."


class UnknownFormatError(ImportSourceError):
    code = "unknown_format"
    advice = (
        "Known formats: celestial, stellar-memory, long-term-memory, mem0, mcp-memory, basic-memory, chatgpt, "
        "claude, jsonl, csv. Name one with --from, and for jsonl and csv its fields with --map."
    )


class AmbiguousIdError(InvalidInputError):
    code = "ambiguous_id"
    problem = "{count} memories start with {prefix!r}."
    advice = "Give more characters of the id."


class SecretError(InvalidInputError):
    code = "secret"
    problem = "The text holds what must not be remembered: {reason}."
    advice = "Nothing was stored; take it out and try again."


class KeyReusedError(InvalidInputError):
    code = "key_reused"
    problem = "The idempotency key {key!r} came with another request before."
    advice = "Nothing was stored; make up a new key for a new request."


class ConfigError(InvalidInputError):
    code = "config"
    problem = "The configuration is not valid: {reason}."
    advice = "Nothing was opened; correct the setting, or leave it out for its default."


class ConfigFileError(ConfigError):
    code = "config_file"
    problem = "The settings in {path} cannot be used: {reason}."
    advice = "Nothing was opened; correct the file, or set CELESTIAL_CONFIG=none to do without it."


class AnalyserMissingError(ConfigError):
    code = "analyser_missing"
    problem = "The words of this memory were made by {analyser}, which is not here."
    advice = "{install}, or make them anew with `celestial reindex --words pairs`."


class ExtraMissingError(CelestialError, ImportError):
    code = "extra_missing"
    problem = "{name} needs a package that is not here, or too old: {reason}."
    advice = "{install}."


class NotFoundError(CelestialError, LookupError):
    code = "not_found"
    problem = "There is no memory {item_id!r}."
    advice = "`celestial list` shows what there is; `celestial cliff` what was forgotten in the last days."


class NothingArchivedError(NotFoundError):
    code = "nothing_archived"
    problem = "Nothing archived is called {item_id!r}, neither a session nor a memory."
    advice = "`celestial archive list` shows what there is."


class StaleTokenError(NotFoundError):
    code = "stale_token"
    problem = "The token {item_id!r} stands for memories that have changed since, or were distilled by somebody else."
    advice = "Nothing was changed; ask again for what is to be distilled."


class GrantNotFoundError(NotFoundError):
    code = "token_not_found"
    problem = "There is no token {item_id!r}, or it was revoked already."
    advice = "`celestial token list` shows them, with the ids to name them by."


class ProposalNotFoundError(NotFoundError):
    code = "proposal_not_found"
    problem = "There is no proposal {item_id!r}."
    advice = "`celestial inbox` shows what waits for your word, `celestial inbox --all` what ever did."


class SelfVersionNotFoundError(NotFoundError):
    code = "self_version_not_found"
    problem = "There is no version {version} of the self."
    advice = "Nothing was changed. `celestial self versions` shows them; 0 is before the first."


class EventNotFoundError(NotFoundError):
    code = "event_not_found"
    problem = "There is no event {number!r}."
    advice = "`celestial history` shows the events with their numbers."


class TurnNotFoundError(NotFoundError):
    code = "turn_not_found"
    problem = "There is no turn {turn_id!r} to give feedback on."
    advice = "Nothing was learned. Only turns that were observed lately can have it; leave the id out for the last."


class CheckpointNotFoundError(NotFoundError):
    code = "checkpoint_not_found"
    problem = "Version {version} of what was learned cannot be used: {reason}."
    advice = "Nothing was changed. `celestial policy checkpoints` shows the versions; 0 is the beginning."


class UndoError(CelestialError):
    code = "cannot_undo"
    problem = "Event {number} cannot be undone: {reason}."
    advice = "`celestial history` shows what happened to a memory; its newest change can be undone first."


class VersionError(CelestialError):
    code = "changed_since"
    problem = "Memory {item_id!r} has changed since the version that was named."
    advice = "Nothing was changed; read it again, and repeat what is still wanted."


class ProtectedError(CelestialError):
    code = "protected"
    problem = "Memory {item_id!r} is {protection} and refuses to {action}."
    advice = "Store a new memory beside it; it was made to stay as it is."


class ApprovalError(CelestialError):
    code = "approval"
    problem = "Proposal {proposal!r} cannot be carried out: {reason}."
    advice = "Nothing was changed."


class DecidedError(ApprovalError):
    code = "already_decided"
    problem = "Proposal {proposal!r} was {status} before."
    advice = "Nothing was changed. What was decided is decided once; propose it anew if it is still wanted."


class ProposalExpiredError(ApprovalError):
    code = "proposal_expired"
    problem = "Proposal {proposal!r} waited too long and has expired."
    advice = "Nothing was changed. Propose it anew if it is still wanted."


class ProposalChangedError(ApprovalError):
    code = "proposal_changed"
    problem = "What proposal {proposal!r} is about has changed meanwhile: {reason}."
    advice = "Nothing was changed. Reject it, and propose anew what is still wanted."


class ApprovalTokenError(ApprovalError):
    code = "approval_token"
    problem = "The token is not good for proposal {proposal!r}: it is used, replaced, or of another diff."
    advice = "Nothing was changed. Look at the proposal again, and approve it with the token that comes with it."


class NotTheUserError(ApprovalError):
    code = "not_the_user"
    problem = "Only the user decides on proposal {proposal!r}, and {channel} is not the user."
    advice = "Nothing was changed. Ask the user to look at `celestial inbox`."


class TooMuchChangeError(ApprovalError):
    code = "too_much_change"
    problem = "Proposal {proposal!r} would change more of the self than may change within a day: {reason}."
    advice = "Nothing was changed. Sleep on it: approve it tomorrow."


class SoulError(CelestialError):
    code = "soul"
    problem = "{path}: {reason}."
    advice = "Neither the file nor the self was changed."


class WrongStateError(CelestialError):
    code = "wrong_state"
    problem = "Memory {item_id!r} is {state}, so it cannot {action}."
    advice = "`celestial show` tells its state; `celestial restore` brings it back from the cliff."


class StorageError(CelestialError):
    code = "storage"
    problem = "The database {path} failed: {reason}."
    advice = "Run `celestial doctor` to see what it needs."


class ForeignDatabaseError(StorageError):
    code = "foreign_database"
    problem = "{path} is not a Celestial database ({reason})."
    advice = "Nothing was changed. Choose another path with --db or CELESTIAL_DB."


class NewerSchemaError(StorageError):
    code = "newer_schema"
    problem = "{path} was written by a newer version (schema {found}; this one knows {known})."
    advice = "Nothing was changed. Upgrade celestial-engine."


class ReadOnlyError(StorageError):
    code = "read_only"
    problem = "{path} cannot be written ({reason})."
    advice = "Give write permission on the file and its folder, or choose another path with --db or CELESTIAL_DB."


class DiskFullError(StorageError):
    code = "disk_full"
    problem = "There is no room left for {path}."
    advice = "The last change was not made; everything before it is safe. Free some space and try again."


class BusyError(StorageError):
    code = "busy"
    problem = "{path} was locked by another process for more than {seconds:g} s."
    advice = "Look for a process that holds the file open in a transaction, and try again."


class CorruptDatabaseError(StorageError):
    code = "corrupt_database"
    problem = "{path} is damaged: {reason}."
    advice = "Keep a copy of the file, then restore a backup or run `celestial export` on what can be read."


class BackupExistsError(StorageError):
    code = "backup_exists"
    problem = "{path} is there already."
    advice = "Nothing was changed. Give another path, or replace it with --force."


class ClosedError(StorageError):
    code = "closed"
    problem = "The memory at {path} was closed."
    advice = "Open a new CelestialMemory."


class ProviderError(CelestialError):
    code = "provider"
    advice = "Memories are kept and found by their words meanwhile; check the provider's settings."


class EmbeddingError(ProviderError):
    code = "embedding"
    problem = "The embedder failed: {reason}."
    advice = "Memories are kept and found by their words; `celestial reindex` embeds them when it works again."


class LanguageModelError(ProviderError):
    code = "language_model"
    problem = "The language model failed: {reason}."
    advice = "Rules answer in its place; check its address, its key and its quota."


class ModelUnavailableError(LanguageModelError):
    code = "model_unavailable"


class ModelAnswerError(LanguageModelError):
    code = "model_answer"
    problem = "The language model's answer cannot be used: {reason}."
    advice = "Rules answer in its place; a larger model may do better."


class BudgetError(LanguageModelError):
    code = "budget"
    problem = "The language model has been asked enough for today: {reason}."
    advice = "Rules answer until midnight UTC; CELESTIAL_MODEL_DAILY_CALLS and ..._TOKENS allow more."
