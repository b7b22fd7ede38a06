"""What people read in a client, in English."""

TEXTS = {
    "resource.core": "Core memories, and what is closest to the sun just now: important, often used, talked of.",
    "resource.profile": "What is known about the user: lasting facts that are still true, as quoted data.",
    "resource.soul": "SOUL.md: islands of personality, beliefs and core memories, as the user approved them.",
    "resource.item": "One memory by its id.",
    "prompt.recall": "Answer from what is remembered.",
    "prompt.recall.question": "what to look up",
    "prompt.recall.text": (
        "Call memory_search with this question, then answer from what it finds and name the memories by id. "
        "Say so if nothing suits. The question: {question}"
    ),
    "prompt.review": "Go through what is about to be forgotten, and keep what matters.",
    "prompt.review.text": (
        "Call cliff_list. Show me each memory with the time it has left, ask which ones I want to keep, and call "
        "memory_restore with those."
    ),
    "prompt.core": "Decide which memories are never to be forgotten.",
    "prompt.core.text": (
        "Call core_nominations. Show me each memory, ask which ones are to become core memories, and call "
        "core_approve for each that I name."
    ),
    "prompt.distill": "Write the essence of memories that wait for it.",
    "prompt.distill.text": (
        "Call distill_pending. For each entry write one or two sentences of essence: drop dates and circumstances, "
        "keep the person, the relation and the pattern, add nothing. Hand each in with distill_commit."
    ),
    "app.title": "What waits for your word",
    "app.approve": "Approve …",
    "app.asking": "The client asks you to confirm.",
    "app.done": "Done.",
    "app.nothing": "Nothing waits for your word.",
    "ask.core_approve": "Shall this become a core memory? It will never be forgotten, and it cannot be changed.",
    "ask.proposal_approve": "Shall this proposal be carried out?",
    "ask.sleep_cycle_run": "May many memories leave at once tonight? They can be restored for seven days.",
    "ask.other": "{operation}: shall this be done?",
    "ask.approve": "Yes, I want this",
    "pending": "Nothing was changed: this needs the user's own word, and this client cannot ask for it.",
    "pending.inbox": "It waits in the inbox (inbox_list); the user can decide in the dashboard.",
    "pending.large": "Call it again without allow_large: what is too much at once then stays.",
    "repeated": (
        "The same was saved before, as {id}. This one is kept too until sleep merges them; there is no need to save "
        "it again."
    ),
    "changed": "Nothing was changed: what the user was asked about has changed meanwhile. Ask again.",
    "declined": "Nothing was changed: the user did not agree.",
    "scope": "Nothing was done: this token does not allow {scope!r}.",
    "storage": "The memory cannot do this now; its log says why. Go on without it.",
    "unexpected": "Something went wrong here; the server's log says what.",
}
