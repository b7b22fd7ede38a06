"""Nights in several processes on this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnContext, SpawnProcess

from celestial_engine.core.night.sleep import SleepReport
from celestial_engine.engine.schedule.night_tasks import Database, Finished, NightTask
from celestial_engine.errors import CelestialError


@dataclass
class _Worker:
    process: SpawnProcess
    pipe: Connection
    task: NightTask | None = None


class ProcessNights:
    """Hands one task at a time to each of `count` processes, and replaces a process that dies."""

    def __init__(self, database: Database, count: int) -> None:
        self._database, self._count = database, count

    def run(self, tasks: Sequence[NightTask]) -> Iterator[Finished]:
        context = multiprocessing.get_context("spawn")
        waiting, workers = deque(tasks), list[_Worker]()
        try:
            while waiting or any(worker.task for worker in workers):
                while waiting and len(workers) < self._count:
                    workers.append(_started(context, self._database))
                for worker in workers:
                    if worker.task is None and waiting:
                        worker.task = waiting.popleft()
                        with contextlib.suppress(OSError):  # it is dead: its pipe says so below
                            worker.pipe.send(worker.task)
                ready = wait([worker.pipe for worker in workers if worker.task is not None])
                for worker in [worker for worker in workers if worker.pipe in ready]:
                    task, worker.task = worker.task, None
                    answer = _answer(worker)
                    if answer is None:
                        workers.remove(worker)
                        _end(worker)
                    if task is not None:
                        yield Finished(task, answer)
        finally:
            for worker in workers:
                _end(worker)


def _started(context: SpawnContext, database: Database) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(database, theirs), name="celestial night", daemon=True)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # inherited: Ctrl-C is for the driver
    try:
        process.start()
    finally:
        signal.signal(signal.SIGINT, before)
        theirs.close()
    return _Worker(process, ours)


def _answer(worker: _Worker) -> SleepReport | None:
    """Its report; None if it died. Raises the error of the work."""
    try:
        answer = worker.pipe.recv()
    except (EOFError, OSError):
        return None
    if isinstance(answer, CelestialError):
        raise answer
    return answer if isinstance(answer, SleepReport) else None


def _end(worker: _Worker) -> None:
    """An idle one ends when its pipe is closed; one at work is killed, which a night survives."""
    worker.pipe.close()
    if worker.task is not None and worker.process.is_alive():
        worker.process.kill()
    worker.process.join()


def _work(database: Database, pipe: Connection) -> None:
    """A worker: opens the engine once, and answers tasks until the driver closes the pipe or dies."""
    from celestial_engine.engine.memory import CelestialMemory

    try:
        with CelestialMemory(
            database.path, rebalance_interval=None, user_id=database.user_id, agent_id=database.agent_id
        ) as memory:
            while True:
                task: NightTask = pipe.recv()
                pipe.send(task.run_on(memory.night.runner))
    except EOFError:
        return
    except CelestialError as error:
        with contextlib.suppress(OSError):
            pipe.send(error)
