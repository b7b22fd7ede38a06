"""Pydantic AI: a capability and a toolset."""
