"""What a turn says and where it stands: the features made of its reading, its words and the history."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.record.labels import Act, Subject
from celestial_engine.core.record.reading import Reading
from celestial_engine.core.turn.conversation import Action, Role, Utterance, read_past, read_utterance
from celestial_engine.core.turn.features import TurnFeatures, features_of, said_before
from celestial_engine.errors import InvalidInputError

TELLS = Reading(keep=0.9)


def seen(text: str, reading: Reading = TELLS) -> TurnFeatures:
    return features_of(Utterance(text), reading)


class TestWhatATurnSays:
    @pytest.mark.parametrize(
        ("category", "name"),
        [
            (Category.FACT, "personal"),
            (Category.CORE_PRINCIPLE, "personal"),
            (Category.PREFERENCE, "preference"),
            (Category.TECHNICAL, "technical"),
            (Category.EMOTION, "emotion"),
        ],
    )
    def test_a_category_counts_if_the_turn_tells_something(self, category, name):
        assert getattr(TurnFeatures(Reading(keep=0.9, category=category)), name)
        assert not getattr(TurnFeatures(Reading(keep=0.1, category=category)), name)

    def test_what_is_told_of_others_is_not_personal(self):
        assert not TurnFeatures(Reading(keep=0.9, subject=Subject.PERSON)).personal

    @pytest.mark.parametrize("act", Act)
    def test_questions_and_requests_ask(self, act):
        assert TurnFeatures(Reading(act)).question is (act in (Act.QUESTION, Act.REQUEST))

    def test_a_reaction_that_tells_something_is_no_small_talk(self):
        assert TurnFeatures(Reading(Act.REACTION, keep=0.05)).small_talk
        assert not TurnFeatures(Reading(Act.REACTION, keep=0.8)).small_talk

    @pytest.mark.parametrize(
        "text", ["🎉🎉🎉", "aGVsbG8gd29ybGQ" * 40, "```\nfor i in x:\n    print(i)\n```", "!!! ???"]
    )
    def test_signs_data_and_code_are_no_prose(self, text):
        assert not seen(text).prose

    def test_prose_around_code_counts(self):
        assert seen("I decided to use this:\n```python\nmy_name = 'x'\n```").prose

    @pytest.mark.parametrize("text", ["Remember that the door code changes.", "우유 사는 거 잊지 마."])
    def test_a_request_to_remember_is_seen(self, text):
        assert seen(text).remember
        assert not seen("I remember that day.").remember


class TestNumbers:
    def test_importance_is_the_probability_that_it_is_worth_keeping(self):
        assert TurnFeatures(Reading(keep=0.37)).importance == 0.37

    def test_the_state_is_ten_numbers_from_0_to_1(self):
        extreme = TurnFeatures(TELLS, turn_position=10**6, memory_count=10**9, keyword_count=10**6)
        for features in (TurnFeatures(), extreme, seen("나는 서울에 살아")):
            assert len(features.state) == 10
            assert all(0.0 <= number <= 1.0 for number in features.state)

    def test_the_state_tells_of_what_was_done_lately(self):
        past = [Utterance("a", action=Action.SAVE)] * 3 + [Utterance("b", action=Action.RETRIEVE)]
        features = features_of(Utterance("hello"), TELLS, past, memory_count=7)
        assert (features.turn_position, features.recent_saves, features.recent_retrieves) == (4, 3, 1)
        assert features.memory_count == 7

    def test_the_answer_before_is_what_the_assistant_said_last(self):
        asked = Utterance("Since when?", Role.ASSISTANT)
        recalled = Utterance("a memory", Role.TOOL, memory_id="m1")
        assert said_before([Utterance("hi"), asked, recalled]) == "Since when?"
        assert said_before([asked, Utterance("hi")]) is None
        assert said_before([]) is None


class TestUtterances:
    def test_text_and_mapping_are_the_same(self):
        assert read_utterance("hi") == read_utterance({"role": "user", "content": "hi"})
        assert read_utterance({"role": "tool", "content": "42"}).role is Role.TOOL

    @pytest.mark.parametrize(
        "turn",
        [
            None,
            7,
            b"hi",
            [],
            "",
            "  ",
            "\ud800",
            {},
            {"role": "user"},
            {"content": 3},
            {"role": "wizard", "content": "x"},
        ],
    )
    def test_anything_else_is_refused(self, turn):
        with pytest.raises(InvalidInputError):
            read_utterance(turn)

    def test_an_unknown_role_says_which_there_are(self):
        with pytest.raises(InvalidInputError, match="user, assistant, system, tool"):
            read_utterance({"role": "wizard", "content": "x"})

    def test_a_recalled_memory_may_stand_in_the_history(self):
        item = CelestialItem.create("Mina is allergic to peanuts")
        assert read_past(item).memory_id == item.id
