"""Periodic work: one thread, a list of jobs, one way to hold a lease, and the duties of a night."""
