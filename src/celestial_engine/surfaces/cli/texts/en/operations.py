"""Where the declaration of an operation speaks to programs, the same for people at a prompt."""

from __future__ import annotations

OPERATIONS: dict[str, str] = {
    "the turns before it, oldest first": "a file with the turns before: a JSON list, or one JSON turn a line",
    "what the turn was worth; or give a text": "what the turn was worth; write a negative one as --reward=-1",
    "the limits to carry out; null: those of the settings": "the limits to carry out, else CELESTIAL_RETENTION",
    "the file; SOUL.md of the settings if left out": "the file, else CELESTIAL_SOUL, else beside the database",
    "the id of a memory": "the id of a memory, or its first characters",
    "the id of a proposal": "the id of a proposal, or its first characters",
    "what to remember: one fact, preference, event or decision in its own words": (
        "the text: one fact, preference, event or decision; - reads it from standard input"
    ),
    "the new text; the old one stays in the history": "the new text; - reads it from standard input",
    "what to look for, as a question, a sentence or words": "the question; - reads it from standard input",
    "what the user just said, or what is being worked on": "the question; - reads it from standard input",
    "what was said in this turn": "what was said; - reads it from standard input",
    "its scopes; write includes read": "what it allows, with commas between; read,write unless given",
    "store --lines": "every line that is not empty is a memory of its own; all are stored or none",
    "inbox --all": "those that are decided too",
    "imagine --liked": "this imagination was welcome",
    "imagine --disliked": "this imagination was not welcome",
    "count this as a recall, which makes what is used more central": "do not count this as a recall",
    "what the personas are asked": "the question; - reads it from standard input",
    "a ready-made registry (dialectic, code-review, planning-ko); at the machine also a file": (
        "a ready-made registry (dialectic, code-review, planning-ko), or a registry file"
    ),
}
