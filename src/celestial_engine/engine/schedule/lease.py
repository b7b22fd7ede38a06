"""Leases: only one of all processes on a store runs a job at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from celestial_engine.ports import Jobs


class LeaseLostError(Exception):
    """Another process holds the lease now, or the work was stopped."""


def holder_name() -> str:
    """A new name for a holder of leases: host, process and a random part, as containers may share the first two."""
    # `platform` and `uuid` say the same but are slow to import.
    host = os.uname().nodename if hasattr(os, "uname") else sys.platform
    return f"{host}-{os.getpid()}-{os.urandom(8).hex()}"


class Lease:
    """A claim on one job. `held` is False if the job is not due or another process runs it.

    Set `done_at` when the job was done; otherwise it stays due.
    """

    def __init__(self, jobs: Jobs, name: str, holder: str, seconds: float, now: float, *, held: bool) -> None:
        self.held = held
        self.done_at: float | None = None
        self._jobs = jobs
        self._name = name
        self._holder = holder
        self._seconds = seconds
        self._extended_at = now

    @property
    def other(self) -> str | None:
        """The holder, if it is another process."""
        if self.held:
            return None
        state = self._jobs.states(self._name).get(self._name)
        return (state.holder if state is not None else None) or "?"

    def extend(self, now: float) -> None:
        """Extends the claim during long work; raises if it was lost."""
        if abs(now - self._extended_at) <= self._seconds / 4:
            return
        if not self._jobs.extend(self._name, self._holder, now, self._seconds):
            raise LeaseLostError
        self._extended_at = now


class Leases:
    """Claims jobs for this process, under a name that is unique over all hosts."""

    def __init__(self, jobs: Jobs, holder: str | None = None) -> None:
        """`holder` replaces the generated name of this process; it must be as unique."""
        self._jobs = jobs
        self._fixed_holder = holder
        self._process, self._name = 0, ""

    @property
    def _holder(self) -> str:
        """A fork gets a name of its own."""
        if self._fixed_holder is not None:
            return self._fixed_holder
        if self._process != os.getpid():
            self._process, self._name = os.getpid(), holder_name()
        return self._name

    @contextmanager
    def hold(
        self, name: str, now: float, *, every: float = 0.0, seconds: float = 600.0, force: bool = False
    ) -> Iterator[Lease]:
        """Claims a job that was last done more than `every` seconds ago; `force` takes over another's claim."""
        holder = self._holder
        claimed = self._jobs.claim(name, holder, now, every, seconds)
        lease = Lease(self._jobs, name, holder, seconds, now, held=claimed)
        if not claimed and force and lease.other is not None:
            self._jobs.finish(name, lease.other, None)
            lease.held = self._jobs.claim(name, holder, now, every, seconds)
        try:
            yield lease
        finally:
            if lease.held:
                self._jobs.finish(name, holder, lease.done_at)
