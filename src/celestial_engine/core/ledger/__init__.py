"""The hash chain over every change, and the events of host programs."""
