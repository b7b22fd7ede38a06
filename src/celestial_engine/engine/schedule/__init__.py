"""Periodic work: one thread, a list of jobs, leases, and the duties of a night."""
