"""Read what an owner has learned: the newest version that is intact."""

from __future__ import annotations

from dataclasses import dataclass, replace

from celestial_engine.core.learning.checkpoints import Checkpoint, DamagedCheckpointError, unpacked
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.record.owner import Owner
from celestial_engine.ports import Reader


@dataclass(frozen=True)
class Lesson:
    """What is learned so far: its version, and which newer versions are damaged."""

    learned: Learned
    checkpoint: Checkpoint | None = None
    damaged: tuple[Checkpoint, ...] = ()

    @property
    def version(self) -> int:
        return 0 if self.checkpoint is None else self.checkpoint.version


def newest_lesson(session: Reader, owner: Owner, settings: LearningSettings, cached: Lesson | None = None) -> Lesson:
    """Return the newest version that is intact; `cached` is not read again."""
    damaged: list[Checkpoint] = []
    for checkpoint in session.lessons.checkpoints(owner):
        if cached is not None and cached.checkpoint == checkpoint:
            return replace(cached, damaged=tuple(damaged))
        try:
            return Lesson(read_checkpoint(session, owner, checkpoint), checkpoint, tuple(damaged))
        except DamagedCheckpointError:
            damaged.append(checkpoint)
    return Lesson(Learned.starting(settings), None, tuple(damaged))


def read_checkpoint(session: Reader, owner: Owner, checkpoint: Checkpoint) -> Learned:
    """Return one version; raises DamagedCheckpointError."""
    return unpacked(session.lessons.checkpoint_bytes(owner, checkpoint.version) or b"", checkpoint.digest)
