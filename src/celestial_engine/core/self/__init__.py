"""The sense of self: islands, beliefs, proposals and SOUL.md."""
