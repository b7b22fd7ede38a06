"""`memory.personas`: personas answer a question in a cycle, and remember what they said."""
