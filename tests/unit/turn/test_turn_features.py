"""What a turn shows: patterns of every language, and the features made of them."""

from __future__ import annotations

import pytest

from celestial_engine.core.record.item import Category, CelestialItem
from celestial_engine.core.turn.conversation import Action, Role, Utterance, read_past, read_utterance
from celestial_engine.core.turn.features import WEIGHTS, TurnFeatures, features_of
from celestial_engine.errors import InvalidInputError
from celestial_engine.lang.turns import LANGUAGES

SIGNS = (
    "QUESTION", "ASKS_BACK", "DISCOURSE", "REMEMBER", "PERSONAL",
    "PREFERENCE", "TECHNICAL", "EMOTION", "TOLD", "SMALL_TALK",
)  # fmt: skip
FIELDS = {
    "QUESTION": "question",
    "ASKS_BACK": "asks_back",
    "DISCOURSE": "discourse",
    "REMEMBER": "remember",
    "PERSONAL": "personal",
    "PREFERENCE": "preference",
    "TECHNICAL": "technical",
    "EMOTION": "emotion",
    "TOLD": "told",
    "SMALL_TALK": "small_talk",
}
NAMES = [language.__name__.rpartition(".")[2] for language in LANGUAGES]


def seen(text: str, **place: object) -> TurnFeatures:
    return features_of(Utterance(text, **place))  # type: ignore[arg-type]


class TestEveryLanguage:
    """A third language is one more file that passes these."""

    @pytest.mark.parametrize("language", LANGUAGES, ids=NAMES)
    def test_provides_every_name(self, language):
        for name in SIGNS:
            assert getattr(language, name), name
            assert all(language.EXAMPLES[name]), name
        assert all((language.LETTERS, language.EMPTY_WORDS, language.GREETINGS))

    @pytest.mark.parametrize("language", LANGUAGES, ids=NAMES)
    @pytest.mark.parametrize("name", SIGNS)
    def test_shows_what_its_examples_say(self, language, name):
        holding, others = language.EXAMPLES[name]
        field = FIELDS[name]
        missed = [text for text in holding if not getattr(seen(text), field)]
        wrong = [text for text in others if getattr(seen(text), field)]
        assert (missed, wrong) == ([], [])


class TestWhatATurnSays:
    def test_a_question_about_a_fact_is_no_fact(self):
        """내 이름이 뭐야 tells no name."""
        assert not seen("내 이름이 뭐야?").personal
        assert not seen("What's my name?").personal
        assert seen("내 이름이 뭐야?").asks_back

    def test_a_turn_can_tell_and_ask(self):
        both = seen("I'm a vegetarian. What should I cook tonight?")
        assert (both.personal, both.question) == (True, True)
        both = seen("나는 채식주의자야. 오늘 저녁 뭐 먹을까?")
        assert (both.personal, both.question) == (True, True)

    def test_mixed_scripts_are_read_in_both_languages(self):
        assert seen("우리 team은 Kubernetes로 deploy 해").technical
        assert seen("My name is 민아").personal

    @pytest.mark.parametrize(
        ("text", "category"),
        [("I prefer tea to coffee", Category.PREFERENCE), ("파이썬을 좋아해", Category.PREFERENCE)],
    )
    def test_the_category_is_the_memorys_own(self, text, category):
        assert seen(text).category is category

    @pytest.mark.parametrize(
        "text", ["🎉🎉🎉", "aGVsbG8gd29ybGQ" * 40, "```\nfor i in x:\n    print(i)\n```", "!!! ???"]
    )
    def test_signs_data_and_code_are_no_prose(self, text):
        assert not seen(text).prose

    def test_prose_around_code_counts(self):
        text = "I decided to use this:\n```python\nmy_name = 'x'\n```"
        assert (seen(text).prose, seen(text).told) == (True, True)


class TestNumbers:
    def test_importance_is_the_weighted_sum(self):
        for name, weight in WEIGHTS:
            assert TurnFeatures(**{name: 1}).importance == pytest.approx(weight)
        assert TurnFeatures(**{name: 1 for name, _ in WEIGHTS}).importance == 1.0  # 1.4 is all there is

    def test_the_state_is_ten_numbers_from_0_to_1(self):
        extreme = TurnFeatures(True, personal=True, turn_position=10**6, memory_count=10**9, keyword_count=10**6)
        for features in (TurnFeatures(), extreme, seen("나는 서울에 살아")):
            assert len(features.state) == 10
            assert all(0.0 <= number <= 1.0 for number in features.state)

    def test_the_state_tells_of_what_was_done_lately(self):
        past = [Utterance("a", action=Action.SAVE)] * 3 + [Utterance("b", action=Action.RETRIEVE)]
        features = features_of(Utterance("hello"), past, memory_count=7)
        assert (features.turn_position, features.recent_saves, features.recent_retrieves) == (4, 3, 1)
        assert features.memory_count == 7

    def test_a_long_text_is_read_from_its_beginning(self):
        features = seen("My name is Mina. " + "word " * 50_000)
        assert features.personal
        assert features.length > 200_000


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
