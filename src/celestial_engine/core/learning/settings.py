"""Settings of learning."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.errors import ConfigError, Reason, problem


@dataclass(frozen=True)
class LearningSettings:
    """Settings of learning; with `enabled=False` only the rules decide.

    `rich_state` adds the sentence vector to the state, if there is an embedder.
    """

    enabled: bool = True
    rich_state: bool = False
    epsilon: float = 0.1
    rate: float = 0.02
    dropout: float = 0.1  # of the rich network only
    seed: int = 7
    checkpoints_kept: int = 10
    updates_a_checkpoint: int = 20
    turns_kept: int = 500
    rich_turns_kept: int = 5_000

    def __post_init__(self) -> None:
        bad = [
            problem(name, Reason.OUT_OF_RANGE, low=0, high=1, got=value)
            for name, value in (("epsilon", self.epsilon), ("rate", self.rate), ("dropout", self.dropout))
            if not 0.0 <= value < 1.0
        ]
        bad += [
            problem(name, Reason.TOO_SMALL, least=least, got=getattr(self, name))
            for name, least in (("checkpoints_kept", 2), ("updates_a_checkpoint", 1), ("turns_kept", 1),
                                ("rich_turns_kept", 1))
            if getattr(self, name) < least
        ]  # fmt: skip
        if bad:
            raise ConfigError(*bad)
