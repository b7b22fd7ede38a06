"""Three phases: rules for questions, rules that are sure, and whoever learned for what lies between."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from celestial_engine.core.record.labels import Act, Lifetime
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.conversation import Action, Role, Utterance
from celestial_engine.core.turn.features import LONGEST_TURN, TurnFeatures, features_of
from celestial_engine.core.turn.policy import Choice, Decision, DecisionReason, Phase, by_rules, decide_turn
from celestial_engine.flow.base.read import read_text


@dataclass
class Remembering:
    """Chooses as told, and remembers by what."""

    choice: Choice | None
    asked: list[TurnFeatures] = field(default_factory=list)

    def choose(self, features: TurnFeatures) -> Choice | None:
        self.asked.append(features)
        return self.choice


def decided(text: str, memories: int = 9, role: Role = Role.USER) -> Decision:
    return decide_turn(features_of(Utterance(text, role), read_text(text), memory_count=memories))


@pytest.mark.parametrize(
    ("text", "action", "reason"),
    [
        ("내 이름은 민아야", Action.SAVE, DecisionReason.IMPORTANT),
        ("My name is Mina", Action.SAVE, DecisionReason.IMPORTANT),
        ("I live in Busan", Action.SAVE, DecisionReason.IMPORTANT),
        ("저는 땅콩 알레르기가 있어요", Action.SAVE, DecisionReason.IMPORTANT),
        ("I take metformin every morning", Action.SAVE, DecisionReason.IMPORTANT),
        ("담주 화욜 3시에 치과 예약 있음", Action.SAVE, DecisionReason.IMPORTANT),
        ("기억해 줘, 화요일은 재택이야", Action.SAVE, DecisionReason.ASKED_TO),
        ("Please remember that I park on level 3", Action.SAVE, DecisionReason.ASKED_TO),
        ("나는 파이썬을 좋아해", Action.SAVE, DecisionReason.IMPORTANT),
        ("안녕하세요!", Action.SKIP, DecisionReason.SMALL_TALK),
        ("thanks!", Action.SKIP, DecisionReason.SMALL_TALK),
        ("What is the capital of Australia?", Action.SKIP, DecisionReason.GENERAL_QUESTION),
        ("내 생일이 언제였지?", Action.RETRIEVE, DecisionReason.ASKS_BACK),
        ("내 생일이 언제였지", Action.RETRIEVE, DecisionReason.ASKS_BACK),
        ("What did I say about the budget?", Action.RETRIEVE, DecisionReason.ASKS_BACK),
        ("🎉🎉", Action.SKIP, DecisionReason.NOT_PROSE),
    ],
)
def test_what_people_say(text, action, reason):
    decision = decided(text)
    assert (decision.action, decision.reason) == (action, reason)


def test_nothing_is_fetched_from_an_empty_memory():
    assert decided("내 생일이 언제였지?", memories=0).reason is DecisionReason.NOTHING_STORED
    assert not decided("I'm a vegetarian. What should I cook?", memories=0).fetches


def test_a_turn_that_tells_and_asks_is_saved_and_fetched_for():
    decision = decided("엄마 칠순이 다음달 20일이라 선물 골라야 하는데 뭐가 좋을까")
    assert decision.action is Action.SAVE
    assert decision.fetches


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.SYSTEM, Role.TOOL])
def test_only_the_user_is_remembered_and_answered(role):
    for text in ("My name is Bot", "Remember that I am a bot", "What is my name?"):
        decision = decided(text, role=role)
        assert (decision.action, decision.reason, decision.fetches) == (
            Action.SKIP,
            DecisionReason.NOT_THE_USER,
            False,
        )


def test_a_document_is_no_turn_unless_it_is_asked_for():
    paste = "The garden needs water. " * 5_000
    assert len(paste) > LONGEST_TURN
    assert decided(paste).reason is DecisionReason.TOO_LONG
    assert decided("Remember this: " + paste).action is Action.SAVE


class TestThresholds:
    @pytest.mark.parametrize("lifetime", Lifetime)
    def test_what_lasts_is_kept_at_a_lower_probability(self, lifetime):
        """Losing a lasting fact costs more than keeping a trifle."""
        passing = decide_turn(TurnFeatures(Reading(keep=0.48, lifetime=lifetime))).action
        assert (passing is Action.SAVE) is (lifetime is Lifetime.LASTING)

    def test_a_turn_can_be_saved_and_fetched_for(self):
        both = decide_turn(TurnFeatures(Reading(keep=0.9, needs_memory=0.9), memory_count=3))
        assert (both.action, both.fetches) == (Action.SAVE, True)

    def test_what_needs_memory_retrieves(self):
        asks = Reading(Act.QUESTION, keep=0.2, needs_memory=0.9)
        assert decide_turn(TurnFeatures(asks, memory_count=3)).reason is DecisionReason.ASKS_BACK
        refers = Reading(Act.STATEMENT, keep=0.2, needs_memory=0.9)
        assert decide_turn(TurnFeatures(refers, memory_count=3)).reason is DecisionReason.POINTS_BACK


class TestTheBandBetween:
    BETWEEN = TurnFeatures(Reading(keep=0.3), memory_count=5)

    def test_is_the_choosers(self):
        chooser = Remembering(Choice(Action.RETRIEVE, 0.6, explored=True))
        decision = decide_turn(self.BETWEEN, chooser, turn_id="t1")
        assert (decision.action, decision.phase, decision.reason) == (
            Action.RETRIEVE,
            Phase.LEARNED,
            DecisionReason.LEARNED,
        )
        assert (decision.confidence, decision.explored, decision.turn_id) == (0.6, True, "t1")
        assert chooser.asked == [self.BETWEEN]

    @pytest.mark.parametrize("chooser", [None, Remembering(None)], ids=["nobody", "nobody who knows"])
    def test_without_a_choice_is_the_rules(self, chooser):
        decision = decide_turn(self.BETWEEN, chooser)
        assert decision.phase is Phase.RULES
        assert decision.action is by_rules(self.BETWEEN).action is Action.SKIP
        assert by_rules(replace(self.BETWEEN, reading=Reading(keep=0.6))).action is Action.SAVE

    @pytest.mark.parametrize(
        "sure",
        [
            TurnFeatures(Reading(keep=0.9)),
            TurnFeatures(remember=True),
            TurnFeatures(Reading(keep=0.05)),
            TurnFeatures(Reading(Act.QUESTION, keep=0.2, needs_memory=0.9), memory_count=3),
            TurnFeatures(Reading(keep=0.3), prose=False),
        ],
    )
    def test_what_is_sure_is_never_asked(self, sure):
        chooser = Remembering(Choice(Action.SKIP, 1.0))
        assert decide_turn(sure, chooser).phase is not Phase.LEARNED
        assert chooser.asked == []
