"""Personas that answer in a cycle: registry, prompt, phase, order, reports and validators."""
