"""The parameters that are exchanged: what was learned, as the difference from the start that all nodes share."""

from __future__ import annotations

import json
from array import array
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate

from celestial_engine.core.federation.vectors import Vector
from celestial_engine.core.guard.secrets import RULES_DIGEST, RULES_VERSION
from celestial_engine.core.learning.bandit import ACTIONS, PLAIN
from celestial_engine.core.learning.learned_policy import Learned
from celestial_engine.core.learning.network import Network
from celestial_engine.core.learning.reranker import FEATURES, HIDDEN, Reranker
from celestial_engine.core.learning.settings import LearningSettings
from celestial_engine.core.turn.policy import NEEDS_MEMORY, SURE_SAVE, SURE_SKIP, WORTH_SAVING

POLICY_WEIGHTS = PLAIN[1] * (PLAIN[0] + 1) + PLAIN[2] * (PLAIN[1] + 1)
RERANKER_WEIGHTS = HIDDEN * (len(FEATURES) + 1) + HIDDEN + 1
WEIGHTS = POLICY_WEIGHTS + RERANKER_WEIGHTS


# The ten numbers of a turn, in order. A change of what one of them means needs another name here.
_STATE = (
    "turn_position", "memories", "keywords", "question", "personal", "preference", "technical", "emotion",
    "recent_saves", "recent_retrieves",
)  # fmt: skip


@lru_cache(maxsize=4)
def rules_digest(settings: LearningSettings) -> bytes:
    """Returns the SHA-256 of everything that gives parameters their meaning, and of the guard's rules.

    Parameters of another network, of other features, or learned behind another guard cannot be compared. What a
    user has set the guard to is not part of it: that is nobody's business.
    """
    rules = {
        "guard": [RULES_VERSION, RULES_DIGEST],
        "actions": [action.value for action in ACTIONS],
        "state": list(_STATE),
        "sure": [SURE_SAVE, SURE_SKIP, NEEDS_MEMORY],
        "worth_saving": {lifetime.value: least for lifetime, least in WORTH_SAVING.items()},
        "policy": list(PLAIN),
        "reranker": [list(FEATURES), HIDDEN],
        "seed": settings.seed,
    }
    return sha256(json.dumps(rules, sort_keys=True, separators=(",", ":")).encode()).digest()


def update_of(learned: Learned, settings: LearningSettings) -> Vector:
    """Returns what was learned as one vector: the policy's weights less the starting ones, then the reranker's."""
    return tuple(now - start for now, start in zip(_weights(learned), _starting(settings), strict=True))


def with_update(learned: Learned, update: Vector) -> Learned:
    """Returns the learned policy and reranker with an update added to their weights."""
    weights = [own + added for own, added in zip(_weights(learned), update, strict=True)]
    addition = learned.reranker.addition()
    network = _network(learned.network, weights[:POLICY_WEIGHTS])
    reranker = Reranker.of(_network(addition, weights[POLICY_WEIGHTS:]))
    return replace(learned, network=network, reranker=reranker)


def _starting(settings: LearningSettings) -> list[float]:
    return _weights(Learned.starting(settings))


def _weights(learned: Learned) -> list[float]:
    layers = (*learned.network.layers, *learned.reranker.addition().layers)
    return [weight for layer in layers for weight in layer]


def _network(like: Network, weights: list[float]) -> Network:
    ends = list(accumulate(map(len, like.layers)))
    starts = [0, *ends[:-1]]
    return Network(like.sizes, tuple(array("d", weights[start:end]) for start, end in zip(starts, ends, strict=True)))
