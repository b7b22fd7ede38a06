"""Backups, limits and archives, in English."""

from __future__ import annotations

KEEPING: dict[str, str] = {
    "help.backup": "copy the whole database while it is in use; look at a copy, or put it back",
    "help.retain": "carry out the limits on what is kept",
    "help.archive": "sessions that were archived: list them, show one memory, bring them back",
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
