"""What is wrong and what to do about it, for each error code.

A code with an action behind it is for that action alone.
"""

from __future__ import annotations

ERRORS: dict[str, tuple[str, str]] = {
    "error": ("Something went wrong: {reason}.", ""),
    "invalid_input": ("{reason}.", "Nothing was changed; correct it and try again."),
    "empty_content": ("The {field} is empty.", "Give at least one character that is not white space."),
    "content_too_large": (
        "The {field} has {size} bytes; at most {most} are taken.",
        "Split it into several memories, or store a summary and a link to the file.",
    ),
    "invalid_text": (
        "The {field} is not valid text: {reason}.",
        "Convert it to UTF-8 first, for example with `iconv -f LATIN1 -t UTF-8 FILE`.",
    ),
    "invalid_importance": (
        "Importance must be a number from 0 to 1, not {value!r}.",
        "Leave it out to have it judged from the text.",
    ),
    "invalid_metadata": (
        "The metadata cannot be stored: {reason}.",
        'Give an object with string keys and JSON values (no NaN), such as \'{{"key": "value"}}\'.',
    ),
    "invalid_limit": (
        "A limit must be a whole number from 0 to 1000000, not {value!r}.",
        "Leave it out for the default.",
    ),
    "invalid_owner": (
        "{field} must be text of 1 to 200 characters, not {value!r}.",
        "Leave it out to use the memory of the local user.",
    ),
    "invalid_item": ("This is not a memory record: {reason}.", "Compare it with a line of `celestial export`."),
    "import_source": ("{path} cannot be imported: {reason}.", "Correct that and try again."),
    "unknown_format": (
        "{path} cannot be imported: {reason}.",
        "Known formats: celestial, celestial-bundle, aimem, stellar-memory, long-term-memory, mem0, mcp-memory, "
        "letta, markdown, basic-memory, chatgpt, claude, jsonl, csv. Name one with --from, "
        "and for jsonl and csv its fields with --map.",
    ),
    "ambiguous_id": ("{count} memories start with {prefix!r}.", "Give more characters of the id."),
    "secret": (
        "The text holds what must not be remembered: {reason}.",
        "Nothing was stored; take it out and try again.",
    ),
    "key_reused": (
        "The idempotency key {key!r} came with another request before.",
        "Nothing was stored; make up a new key for a new request.",
    ),
    "config": (
        "The configuration is not valid: {reason}.",
        "Nothing was opened; correct the setting, or leave it out for its default.",
    ),
    "config_file": (
        "The settings in {path} cannot be used: {reason}.",
        "Nothing was opened; correct the file, or set CELESTIAL_CONFIG=none to do without it.",
    ),
    "project_file": (
        "The project's own memory, as {path} names it, cannot be used: {reason}.",
        "Nothing was opened; correct the file, or set CELESTIAL_PROJECT=none for your general memory.",
    ),
    "analyser_missing": (
        "The words of this memory were made by {analyser}, which is not here.",
        "{install}, or rebuild them with `celestial reindex --words pairs`.",
    ),
    "extra_missing": (
        "{name} needs a package that is not here, or too old: {reason}.",
        "{install}.",
    ),
    "not_found": (
        "There is no memory {item_id!r}.",
        "`celestial list` shows what there is; `celestial cliff` what was forgotten in the last days.",
    ),
    "nothing_archived": (
        "Nothing archived is called {item_id!r}, neither a session nor a memory.",
        "`celestial archive list` shows what there is.",
    ),
    "stale_token": (
        "The token {item_id!r} stands for memories that have changed since, or were distilled by somebody else.",
        "Nothing was changed; ask again for what is to be distilled.",
    ),
    "token_not_found": (
        "There is no token {item_id!r}, or it was revoked already.",
        "`celestial token list` shows them, with the ids to name them by.",
    ),
    "proposal_not_found": (
        "There is no proposal {item_id!r}.",
        "`celestial inbox` shows what waits for your word; `celestial inbox --all` what ever did.",
    ),
    "self_version_not_found": (
        "There is no version {version} of the self.",
        "Nothing was changed. `celestial self versions` shows them; 0 is before the first.",
    ),
    "event_not_found": ("There is no event {number!r}.", "`celestial history` shows the events with their numbers."),
    "persona_registry": (
        "The persona registry {registry} cannot be used: {reason}.",
        "Nothing was asked. Correct it; `celestial personas validate FILE` checks it.",
    ),
    "persona_session_not_found": (
        "There is no run of personas in the session {session_id!r}.",
        "Nothing was asked. The id of a session is printed when its run begins.",
    ),
    "turn_not_found": (
        "There is no turn {turn_id!r} to give feedback on.",
        "Nothing was learned. Only turns that were observed lately can have it; leave the id out for the last.",
    ),
    "source_not_found": (
        "There is no memory, session or import {which!r}.",
        "Nothing was changed. An import is named by its format, such as mem0, or its file; "
        "`celestial list --json` has sessions.",
    ),
    "peer_not_found": (
        "There is no peer with the key {key}.",
        "`celestial gossip status` lists the peers; the first characters of a key are not enough.",
    ),
    "checkpoint_not_found": (
        "Version {version} of what was learned cannot be used: {reason}.",
        "Nothing was changed. `celestial policy checkpoints` shows the versions; 0 is the beginning.",
    ),
    "cannot_undo": (
        "Event {number} cannot be undone: {reason}.",
        "`celestial history` shows what happened to a memory; its newest change can be undone first.",
    ),
    "changed_since": (
        "Memory {item_id!r} has changed since the version that was named.",
        "Nothing was changed; read it again, and repeat what is still wanted.",
    ),
    "protected": (
        "Memory {item_id!r} is {protection}, so it cannot {action}.",
        "Store a new memory beside it; it was made to stay as it is.",
    ),
    "approval": ("Proposal {proposal!r} cannot be carried out: {reason}.", "Nothing was changed."),
    "already_decided": (
        "Proposal {proposal!r} was {status} before.",
        "Nothing was changed. What was decided is decided once; propose it again if it is still wanted.",
    ),
    "proposal_expired": (
        "Proposal {proposal!r} waited too long and has expired.",
        "Nothing was changed. Propose it again if it is still wanted.",
    ),
    "proposal_changed": (
        "What proposal {proposal!r} is about has changed meanwhile: {reason}.",
        "Nothing was changed. Reject it, and propose again what is still wanted.",
    ),
    "approval_token": (
        "The token is not good for proposal {proposal!r}: it is used, replaced, or of another diff.",
        "Nothing was changed. Look at the proposal again, and approve it with the token that comes with it.",
    ),
    "not_the_user": (
        "Only the user decides on proposal {proposal!r}, and {channel} is not the user.",
        "Nothing was changed. Ask the user to look at `celestial inbox`.",
    ),
    "too_much_change": (
        "Proposal {proposal!r} would change more of the self than may change within a day: {reason}.",
        "Nothing was changed. Sleep on it: approve it tomorrow.",
    ),
    "sync": ("{path}: {reason}.", "Nothing was changed by it."),
    "soul": ("{path}: {reason}.", "Neither the file nor the self was changed."),
    "wrong_state": (
        "Memory {item_id!r} is {state}, so it cannot {action}.",
        "`celestial show` tells its state; `celestial restore` brings it back from the cliff.",
    ),
    "storage": ("The database {path} failed: {reason}.", "Run `celestial doctor` to see what it needs."),
    "foreign_database": (
        "{path} is not a Celestial database ({reason}).",
        "Nothing was changed. Choose another path with --db or CELESTIAL_DB.",
    ),
    "newer_schema": (
        "{path} was written by a newer version (schema {found}; this one knows {known}).",
        "Nothing was changed. Upgrade celestial-engine.",
    ),
    "read_only": (
        "{path} cannot be written ({reason}).",
        "Give write permission on the file and its folder, or choose another path with --db or CELESTIAL_DB.",
    ),
    "standby": (
        "{path} is a standby server and can only be read.",
        "Nothing was changed. Give the address of the primary, or several hosts and target_session_attrs=read-write.",
    ),
    "server_unreachable": (
        "The database server of {path} does not answer: {reason}.",
        "Check that it runs and that host and port are right. The next request connects again by itself.",
    ),
    "server_access": (
        "The database server of {path} refuses access: {reason}.",
        "Check user, password and database of the address, and that the role may use and create tables there.",
    ),
    "server_full": (
        "The database server of {path} has no free connection.",
        "Raise max_connections, put pgbouncer in front of it, or open fewer connections in each process.",
    ),
    "slow_statement": (
        "A statement on {path} took more than {seconds:g} s and was cancelled.",
        "Nothing of it was changed. Try again; if it happens often, look at the load of the database server.",
    ),
    "disk_full": (
        "There is no room left for {path}.",
        "The last change was not made; everything before it is safe. Free some space and try again.",
    ),
    "busy": (
        "{path} was locked by another process for more than {seconds:g} s.",
        "Look for a process that keeps a transaction open, and try again.",
    ),
    "owner_moving": (
        "The last memories of this owner are just being moved from {path} to another database.",
        "Nothing was changed. Try again in some seconds, or at the new database.",
    ),
    "move": (
        "{owner} cannot be moved to {path}: {reason}.",
        "The database that was moved from is as it was. Run the command again when the reason is gone.",
    ),
    "corrupt_database": (
        "{path} is damaged: {reason}.",
        "Keep a copy of the file, then restore a backup or run `celestial export` on what can be read.",
    ),
    "backup_exists": (
        "{path} is there already.",
        "Nothing was changed. Give another path; a backup is replaced by `celestial backup --force`.",
    ),
    "closed": ("The memory at {path} was closed.", "Open it again, or run the command again."),
    "provider": (
        "Something went wrong: {reason}.",
        "Memories are kept and found by their words meanwhile; check the provider's settings.",
    ),
    "persona_run": (
        "The persona {persona!r} gave no answer: {reason}.",
        "What was answered before is kept; `celestial personas run --resume {session_id}` goes on from there.",
    ),
    "embedding": (
        "The embedder failed: {reason}.",
        "Memories are kept and found by their words; `celestial reindex` embeds them when it works again.",
    ),
    "language_model": (
        "The language model failed: {reason}.",
        "Rules answer in its place; check its address, its key and its quota.",
    ),
    "model_unavailable": (
        "The language model failed: {reason}.",
        "Rules answer in its place; check its address, its key and its quota.",
    ),
    "model_answer": (
        "The language model's answer cannot be used: {reason}.",
        "Rules answer in its place; a larger model may do better.",
    ),
    "budget": (
        "The language model has been asked enough for today: {reason}.",
        "Rules answer until midnight UTC; CELESTIAL_MODEL_DAILY_CALLS and ..._TOKENS allow more.",
    ),
    "not_open": ("The memory is not open yet.", "Use it in `async with`, or await open() first."),
    "wrong_state/restore": ("Memory {item_id!r} is {state} already: there is nothing to restore.", ""),
    "wrong_state/forget": ("Memory {item_id!r} is {state} already.", "`celestial restore` brings it back."),
}
