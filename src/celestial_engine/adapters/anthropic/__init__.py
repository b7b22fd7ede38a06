"""Anthropic: tools, and the memory tool."""
