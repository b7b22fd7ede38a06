"""The chooser while a candidate takes part: the candidate decides, and exams compare it with the own policy."""

from __future__ import annotations

from dataclasses import dataclass

from celestial_engine.core.learning.bandit import ACTIONS, Bandit, LearnedChoice
from celestial_engine.core.learning.credit import HELD_OUT
from celestial_engine.core.learning.seeded_random import uniforms
from celestial_engine.core.turn.features import TurnFeatures
from celestial_engine.core.turn.policy import by_rules


@dataclass(frozen=True)
class CandidateBandit:
    """Chooses by the candidate where its band allows; `own` is the policy that it is compared with."""

    candidate: Bandit
    own: Bandit

    def choose(self, features: TurnFeatures) -> LearnedChoice | None:
        if not self.candidate.band.holds(features.importance):
            return None
        usual = by_rules(features).action
        in_own_band = self.own.band.holds(features.importance)
        own = self.own.judged(features.state, usual).action if in_own_band else usual
        shared = self.candidate.judged(features.state, usual)
        random_numbers = uniforms(self.candidate.seed)
        exam_draw, which, coin, explore_draw, action_draw = (next(random_numbers) for _ in range(5))
        if exam_draw < 1 / HELD_OUT:
            if in_own_band and which < 0.5:  # the own policy goes on being compared with the rules
                acting = usual if coin < 0.5 else own
                return LearnedChoice(acting, shared.confidence[acting], False, usual, own, exam=True)
            acting = own if coin < 0.5 else shared.action
            return LearnedChoice(acting, shared.confidence[acting], False, usual, own, True, shared.action)
        if explore_draw < self.candidate.epsilon:
            tried = ACTIONS[int(action_draw * len(ACTIONS))]
            return LearnedChoice(
                tried, shared.confidence[tried], tried is not shared.action, usual, own, shared=shared.action
            )
        return LearnedChoice(
            shared.action, shared.confidence[shared.action], False, usual, own, shared=shared.action
        )  # fmt: skip
