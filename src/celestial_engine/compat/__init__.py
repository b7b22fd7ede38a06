"""The public calls of other memories, answered by this one: a folder a memory."""
