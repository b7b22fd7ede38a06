"""Personas that answer in a cycle and remember: orchestrator, backends, registry files."""
