"""Self-play: simulated users repeat, mean what they say, and teach policies what the rules cannot know."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from itertools import islice

import pytest
from benchmarks.selfplay import words_en, words_ko
from benchmarks.selfplay.curves import curve_svg, sparkline
from benchmarks.selfplay.play import PLAYERS, course, examined, lived, stops_until
from benchmarks.selfplay.users import PERSONALITIES, Mood, Said, Topic, mood, talk, talks, words_for

from celestial_engine.core.learning.learned_policy import Learned, LearningSettings
from celestial_engine.core.learning.network import PlainArithmetic
from celestial_engine.core.learning.rewards import RatedTurn, Reward, reward_of
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.turn.conversation import Action
from celestial_engine.flow.base.read import read_text

PLAINLY = PlainArithmetic()
BOTH = {Language.EN: words_en, Language.KO: words_ko}


def heard(count: int, *, examined: bool = False) -> list[Said]:
    return [said for told in islice(talks(PERSONALITIES, 5, examined=examined), count) for said in told]


def test_the_same_seed_gives_the_same_talks():
    assert talk(PERSONALITIES, 3) == talk(PERSONALITIES, 3)
    assert talk(PERSONALITIES, 3) != talk(PERSONALITIES, 4)


def test_both_languages_speak_of_everything():
    """And every sentence is in the language it claims."""
    said = heard(400)
    assert {(one.topic, one.language) for one in said} == {(topic, language) for topic in Topic for language in BOTH}
    for one in said:
        if any(map(str.isalpha, one.text)):
            assert language_of(one.text) is one.language, one.text
        assert "{" not in one.text
    assert BOTH[Language.EN].FORMS.keys() == BOTH[Language.KO].FORMS.keys() == {topic.value for topic in Topic}


def test_what_is_examined_was_never_heard_before():
    """The sentences of examinations are of other forms than those that were learned from."""

    def patterns(said: list[Said]) -> set[str]:
        found = set()
        for one in said:
            words = BOTH[one.language]
            values = {value for listed in words.SLOTS.values() for value in listed}
            text = one.text
            for value in sorted(values, key=len, reverse=True):
                text = text.replace(value, "_")
            found.add(text)
        return found

    assert not patterns(heard(300)) & patterns(heard(300, examined=True))


def judged(said: str) -> Reward:
    return reward_of(said, read_text(said), RatedTurn(30.0))


def test_users_differ_in_what_they_want_kept():
    engineer, diarist = PERSONALITIES[0], PERSONALITIES[1]
    assert engineer.wants(Topic.TECHNICAL, 0.5) is Action.SAVE
    assert diarist.wants(Topic.TECHNICAL, 0.5) is Action.SKIP
    for one in PERSONALITIES:
        for chance in (0.0, 0.5):
            assert one.wants(Topic.FACT, chance) is Action.SAVE
            assert one.wants(Topic.SMALL_TALK, chance) is Action.SKIP
            assert one.wants(Topic.QUESTION, chance) is Action.RETRIEVE


@pytest.mark.parametrize("language", BOTH)
@pytest.mark.parametrize(("answer", "worth"), [(Mood.PRAISE, 1.0), (Mood.BLAME, -1.0)])
def test_what_users_say_is_mostly_heard_as_it_is_meant(language, answer, worth):
    """Before whatever they go on to say, too; and never as the opposite."""
    replies = BOTH[language].REPLIES[answer.value]
    more = BOTH[language].FORMS["world"][4].format(food="pizza", place="Oslo", number=3)
    said = [words_for(answer, language, (place + 0.5) / len(replies)) for place in range(len(replies))]
    values = [judged(words).value for words in said] + [judged(f"{words} {more}").value for words in said]
    assert values.count(worth) >= 0.6 * len(values), [s for s, v in zip(said, values, strict=False) if v != worth]
    assert -worth not in values


def test_disinterest_is_heard_and_going_on_says_nothing():
    for language, words in BOTH.items():
        for reply in words.REPLIES["disinterest"]:
            assert judged(reply).value == -0.1, reply
        assert words_for(Mood.GOES_ON, language, 0.5) == ""


def test_users_complain_more_often_when_it_was_wrong():
    said = Said("My name is Mina.", Topic.FACT, Action.SAVE, Language.EN)
    shares = [place / 1000 for place in range(1000)]
    blame = {
        done: sum(mood(said, done, chance) is Mood.BLAME for chance in shares) for done in (Action.SAVE, Action.SKIP)
    }
    assert blame[Action.SAVE] < 50 < 250 < blame[Action.SKIP]


def test_before_a_turn_was_lived_it_is_the_rules():
    settings = LearningSettings()
    told = [talk(PERSONALITIES, seed, examined=True) for seed in range(10)]
    assert examined(Learned.starting(settings), told, 1, PLAINLY) == examined(None, told, 1, PLAINLY)


def test_it_rises_above_the_rules():
    """Somebody who wants little kept: after 800 turns more is right, and pleases more, on sentences never heard.

    What is read of a turn is right about most of them before anything was learned: the gain is what is left.
    """
    gains = []
    for seed in (1, 2, 3):
        found = course("reserved", 800, seed, LearningSettings(), PLAINLY, examined_turns=400)
        first, last = found.points[0].marks, found.points[-1].marks
        assert first == found.rules
        assert last.accuracy >= first.accuracy - 0.01
        assert last.f1[Action.RETRIEVE] > 0.85
        assert found.points[-1].on
        gains.append(last.accuracy - first.accuracy)
    assert sum(gains) / len(gains) > 0.01


def test_whom_the_rules_suit_it_does_no_harm():
    found = course("keeper", 400, 1, LearningSettings(), PLAINLY, examined_turns=400)
    assert found.points[-1].marks.accuracy > found.rules.accuracy - 0.03


def test_a_life_repeats():
    def life() -> Learned:
        told = talks(PLAYERS["planner"], 4)
        return next(islice(lived(told, 4, LearningSettings(), PLAINLY), 60, None)).learned

    assert life() == life()


def test_stops_are_few():
    assert stops_until(99) == ()
    assert stops_until(5_000) == (100, 200, 500, 1_000, 2_000, 5_000)


def test_curves_are_drawn():
    assert sparkline([0.1, 0.2, 0.3]) == "▁▅█"
    assert sparkline([0.5, 0.5]) == "▁▁"
    assert sparkline([]) == ""
    drawn = curve_svg("<a & b>", {"one": [(0, 0.5), (100, 0.9)], "two": [(0, 0.5), (100, 0.7)]}, 0.5)
    root = ElementTree.fromstring(drawn)
    lines = [path for path in root.iter("{http://www.w3.org/2000/svg}path") if path.get("stroke-width") == "2"]
    assert len(lines) == 2
    rising = lines[0].get("d", "").removeprefix("M").split("L")
    (x0, y0), (x1, y1) = (map(float, point.split()) for point in rising)
    assert x0 < x1
    assert y0 > y1  # up is less
