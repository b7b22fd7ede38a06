"""The memory function: how central a memory is now, which zone it belongs to, and when that changes."""
