"""LlamaIndex: a memory block."""
