"""Backups, limits and archives, in English."""

from __future__ import annotations

KEEPING: dict[str, str] = {
    "opt.new_key_from": "change the key to this one: file:PATH, keyring or prompt",
    "opt.encrypt_off": "decrypt everything",
    "say.encrypted": (
        "{path} is encrypted. Rewritten with this key now: {databases} databases, with backups; {files} other files."
    ),
    "say.decrypted": (
        "{path} is not encrypted any more. Rewritten: {databases} databases, with backups; {files} other files."
    ),
    "say.set_new_key": "From now on it needs the new key: set CELESTIAL_KEY_FROM={source}.",
    "help.backup": "copy the whole database while it is in use; look at a copy, or put it back",
    "help.retain": "carry out the limits on what is kept",
    "help.archive": "sessions that were archived: list them, show one memory, bring them back",
    "help.move": "move owners to another database, SQLite or PostgreSQL; the first one keeps everything",
    "arg.move_from": "the database to move from: a file, or postgresql://...",
    "arg.move_to": "the database to move to; created if it does not exist",
    "opt.move_this_owner": "only the owner of --user and --agent (default: all owners)",
    "say.moving": "{owner}",
    "say.moved_owner": (
        "  {owner}: {count} memories, {entries} ledger entries. Written now: {written}. "
        "Writes were refused for {seconds} s."
    ),
    "say.would_move_owner": "  {owner}: {count} memories, {entries} ledger entries.",
    "say.moved": (
        "{target} has everything of {source}, checked: {owners} owners, {count} memories. {source} was not changed."
    ),
    "say.would_move": "Would be moved to {target}: {owners} owners, {count} memories. Nothing was changed.",
    "arg.backup_path": "where to (default: the backup folder, else beside the database); or: verify, restore",
    "arg.backup_file": "the backup to verify or to restore",
    "opt.force": "replace an older backup",
    "opt.dry_run": "only tell what would be done",
    "say.backed_up": "Backed up to {path}: {count} memories, {archives} archives, {size}. It was checked.",
    "say.verified": "{path} is sound: {count} memories, {archives} archives, {size}.",
    "say.restored_backup": "{path} is as it was in {backup}: {count} memories.",
    "say.would_restore_backup": "{path} would be as it was in {backup}: {count} memories. Nothing was changed.",
    "say.kept_as": "What was there until now is kept in {path}.",
    "say.purged_again": "Purged since the backup was made, and still gone: {count}.",
    "say.purged_unknown": "The database could not be read: what was purged since the backup may be back.",
    "say.archive_problem": "Warning: {problem}",
    "say.retained": "Went over the cliff: {forgotten}. Archived: {archived}.",
    "say.would_retain": (
        "Would go over the cliff: {leaving}. Would be archived: {archiving} (sessions: {sessions}). "
        "Nothing was changed."
    ),
    "say.limit_line": "  {limit}: {count}",
    "say.remaining": "Left in the database: memories {memories}, sessions {sessions}, {size}.",
    "say.still_over": "Still over a limit, because the rest is protected or was touched lately: {limit}.",
    "say.no_archives": "No session is archived.",
    "say.brought_back": "Brought back: {count}.",
    "limit.delete_after_days": "older than the limit",
    "limit.max_sessions": "sessions beyond the limit",
    "limit.max_memories_per_session": "more than the limit in one session",
    "limit.max_total_size_mb": "beyond the limit on size",
    "col.archived": "archived",
    "col.size": "size",
    "col.session": "session",
    "detail.archive": "archive",
    "detail.memories": "memories",
    "detail.bytes": "bytes",
    "event.archived": "archived",
    "event.unarchived": "brought back",
    "event.backed_up": "backed up",
    "event.backup_restored": "backup restored",
}
