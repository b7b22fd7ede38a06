"""The doctor and language models, in English."""

from __future__ import annotations

DOCTOR: dict[str, str] = {
    "status.ok": "ok",
    "status.note": "note",
    "status.warning": "warning",
    "status.problem": "problem",
    "doctor.version": "celestial-engine {version}, Python {python}",
    "doctor.sqlite": "SQLite {version}",
    "doctor.wal_reset": (
        "SQLite before 3.51.3 can, very rarely, damage a file when a checkpoint meets a writer. "
        "Our checkpoints hold the write lock, so we are not exposed; upgrade when you can."
    ),
    "doctor.fts": "full-text search (FTS5) is there",
    "doctor.no_fts": "this SQLite has no full-text search (FTS5). Use a Python whose SQLite has it.",
    "doctor.durability_full": "durability full: what is stored survives a power cut",
    "doctor.durability_normal": "durability normal: a power cut may take the newest changes",
    "doctor.path": "database {path}",
    "doctor.missing": "no database there yet: the first `celestial store` makes it",
    "doctor.server": "this database is on a server, and can be shared by several of ours",
    "doctor.in_memory": "this database lives in memory and ends with the command",
    "doctor.size": "size {size}",
    "doctor.private": "only you can read it",
    "doctor.readable": "other users of this machine can read it (mode {mode}). `chmod 600` makes it private.",
    "doctor.anothers": "the file belongs to {owner}, not to you (mode {mode})",
    "doctor.anothers_readable": (
        "the file belongs to {owner}, not to you, and other users can read it (mode {mode}). {owner} can "
        "make it private with `chmod 600`."
    ),
    "doctor.unreachable": "{path} cannot be looked at ({reason})",
    "doctor.consistent": "contents are consistent; {user}/{agent} has {total} in orbit and {cliff} on the cliff",
    "doctor.floor": "relevance floor {floor}, measured with {embedder}: less likely answers are left out",
    "doctor.floor_words": "relevance floor {floor}, for search by words alone: less likely answers are left out",
    "doctor.floor_not_measured": "relevance floor {floor}, a cautious one: it was not measured with {embedder}",
    "doctor.inconsistent": "{problem}",
    "doctor.healthy": "All is well.",
    "doctor.ill": "Something needs attention: see the lines marked `problem`.",
    "doctor.log_alone": (
        "{path} is gone, but its log {log} is still there: the file was moved away, perhaps under a running process. "
        "Put it back beside the log before anything else; the log may hold the newest memories."
    ),
    "doctor.disk": "room on the disk: {free}",
    "doctor.disk_low": "only {free} left on the disk: too little for a backup of the database",
    "doctor.disk_full": "only {free} left on the disk: the next memory may not be stored. Make room.",
    "doctor.disk_unknown": "the room on the disk cannot be measured ({reason})",
    "doctor.made_private": "other users could read it (mode {mode}); now only you can",
    "doctor.not_writable": "you cannot read and write {path} (mode {mode}). `chmod u+rw` or --repair allows it.",
    "doctor.made_writable": "you could not read and write {path} (mode {mode}); now you can",
    "doctor.read_only": "the file or its folder is read-only: memories can be searched, not changed or repaired",
    "doctor.folders_readable": (
        "other users can read {count} files of ledger or archives, such as {path}. --repair makes them private."
    ),
    "doctor.folders_made_private": (
        "other users could read {count} files of the ledger or of archives, such as {path}; now only you can"
    ),
    "doctor.ledger": "the ledger holds: {count} entries, and its daily files have no others",
    "doctor.ledger_lost": (
        "the newest entries of the ledger, from {number} on, are missing in the database, but the daily files have "
        "them: its -wal file was deleted, or an older file was put back. What they tell of is lost here."
    ),
    "doctor.ledger_wrong": "entry {number} of the ledger is wrong. `celestial ledger verify` says how.",
    "doctor.ledger_missing": "the daily files lack {count} entries of the ledger. --repair writes them.",
    "doctor.ledger_mended": "entries written into the daily files of the ledger: {count}",
    "doctor.ledger_unreadable": "{count} lines of the daily files are torn, foreign or edited, the first at {where}",
    "doctor.vectors_missing": (
        "{count} memories have no vector of {embedder} and are found by their words alone. `celestial reindex` or "
        "--repair makes them."
    ),
    "doctor.vectors_differ": (
        "the vectors are of {stored}, not of {embedder}: search does without. `celestial reindex` or --repair makes "
        "them again."
    ),
    "doctor.vectors_made": "vectors made: {count}; memories that could get none: {failed}",
    "doctor.clock": "the clock says {now}",
    "doctor.clock_unset": "the clock says {now}, which cannot be: memories fade by it. Set it.",
    "doctor.clock_back": (
        "the clock says {now}, but the newest entry is of {newest}: it is behind now, or was ahead then. Memories "
        "fade by it. Set it."
    ),
    "doctor.restore": "a whole backup: `celestial backup restore {path}` brings back {count} memories",
    "doctor.no_backup": "there is no whole backup in {folder}; keep a copy of the file before you try anything",
    "opt.ask_model": "also ask the language model one short question, to see whether it answers",
    "doctor.no_model": "no language model: rules judge, read and distil (CELESTIAL_MODEL names one)",
    "doctor.model": "language model {model}, asked for: {uses}",
    "doctor.model_unused": "language model {model}, asked for nothing (CELESTIAL_MODEL_USE)",
    "doctor.model_spent": "asked of it today (UTC): {calls} of {most_calls} calls, {tokens} of {most_tokens} tokens",
    "doctor.model_answers": "the language model answers ({tokens} tokens)",
    "doctor.model_plain": "its address is http:// on another machine: memories and the key travel unencrypted",
    "model.no_limit": "unlimited",
    "use.importance": "importance",
    "use.perception": "perception",
    "use.understanding": "understanding",
    "use.emotion": "emotion",
    "use.distillation": "distillation",
}
