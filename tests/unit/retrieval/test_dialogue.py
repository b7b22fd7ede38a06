"""A talk between people: the reply beside the question, the one who is named, the talk that is about it."""

from __future__ import annotations

import pytest

from celestial_engine.core.retrieval.bm25 import WordWeights
from celestial_engine.core.retrieval.dialogue import dialogue_line_of, dialogue_scores, speaker_named_in
from celestial_engine.core.retrieval.ranking import Candidate, RecallSettings
from celestial_engine.core.retrieval.text_traits import text_traits

SETTINGS = RecallSettings()
NO_WORDS = WordWeights({}, 1.0)


def lines(*texts: str, session: str | None = "s"):
    found = []
    for place, text in enumerate(texts):
        traits = text_traits(text)._asdict()
        found.append(
            dialogue_line_of(Candidate(f"m{place}", place, 0, 0.0, 0.5, 0.0, 0.0, text, session_id=session, **traits))
        )
    return found


def test_only_people_talk():
    """The line beside a hit in a log of a user and an assistant is seldom about it."""
    assert lines("user: hello", "assistant: hello", "buy milk", "사용자: 안녕") == [None, None, None, None]
    (line,) = lines("Caroline: I adopted a cat")
    assert (line.speaker, line.length, line.asks) == ("Caroline", len("I adopted a cat"), False)


def test_the_reply_to_a_question_shares_its_score():
    talk = lines("Mel: What did you buy at the market?", "Caroline: Two lamps.", "Mel: Great!")
    parts = dialogue_scores("market", talk, {"m0": 0.8, "m1": 0.0, "m2": 0.0}, SETTINGS, NO_WORDS)
    assert parts["m1"]["reply"] == SETTINGS.reply * 0.8
    assert parts["m1"]["beside"] == SETTINGS.beside * 0.8
    assert "reply" not in parts["m2"]
    assert parts["m2"]["beside"] == SETTINGS.beside * 0.8 / 2  # two lines away


def test_lines_of_another_talk_are_not_beside():
    first, second = lines("Mel: What about the market?")[0], lines("Ann: Two lamps.", session="t")[0]
    second = second._replace(item_id="m1", position=1)
    parts = dialogue_scores("market", [first, second], {"m0": 0.8, "m1": 0.0}, SETTINGS, NO_WORDS)
    assert "beside" not in parts["m1"]
    assert "reply" not in parts["m1"]


def test_a_dated_line_knows_its_talk():
    one, other, later = lines(
        "[1:56 pm on 8 May, 2023] Mel: hi",
        "[2:10 pm on 8 May, 2023] Ann: hi",
        "[9 May 2023 10:00] Mel: hi",
        session=None,
    )
    assert one.talk == other.talk != later.talk


def test_the_speaker_whom_the_question_names():
    assert speaker_named_in("What did Caroline buy?", {"Caroline", "Mel"}) == "caroline"
    assert speaker_named_in("what did caroline buy?", {"Caroline", "Mel"}) == "caroline"
    assert speaker_named_in("What will happen with the house?", {"Will", "Anna"}) is None
    assert speaker_named_in("who pays the bill?", {"Bill", "Anna"}) is None
    assert speaker_named_in("What did Anna Lee say?", {"Anna", "Anna Lee"}) == "anna lee"
    assert speaker_named_in("What did Anna say?", {"Anna", "ANNA"}) == "anna"
    assert speaker_named_in("지수함수가 뭐야?", {"지수", "민수"}) is None
    assert speaker_named_in("민수 씨가 뭐래?", {"지수", "민수"}) == "민수"
    assert speaker_named_in("민수한테 뭐 줬지?", {"지수", "민수"}) == "민수"
    assert speaker_named_in("What did Carolines buy?", {"Caroline", "Mel"}) is None
    assert speaker_named_in("민수는 뭘 샀어?", {"민수", "지영"}) == "민수"
    assert speaker_named_in("Did Caroline meet Mel?", {"Caroline", "Mel"}) is None  # both: nobody in particular
    talk = lines("Mel: I like tea", "Caroline: I like tea")
    parts = dialogue_scores("What does Caroline like?", talk, {"m0": 0.5, "m1": 0.5}, SETTINGS, NO_WORDS)
    assert parts["m1"]["speaker"] == SETTINGS.speaker
    assert "speaker" not in parts["m0"]


def test_a_talk_that_answers_lifts_its_lines():
    about = lines("Mel: my lamp broke", "Ann: lamps break", "Mel: yes")
    scores = {"m0": 0.6, "m1": 0.3, "m2": 0.0}
    parts = dialogue_scores("lamp", about, scores, SETTINGS, NO_WORDS)
    assert parts["m2"]["talk"] == pytest.approx(SETTINGS.talk * (0.6 + 0.3) / 3)


def order(talk, words: WordWeights, settings: RecallSettings = SETTINGS, **scores: float):
    """The lines, best first, and the sum of what they get."""
    own = {line.item_id: scores.get(line.item_id, 0.0) for line in talk}
    parts = dialogue_scores("?", talk, own, settings, words)
    relevance = {item_id: own[item_id] + sum(each.values()) for item_id, each in parts.items()}
    return sorted(relevance, key=lambda item_id: -relevance[item_id]), sum(relevance.values())


def test_words_that_were_said_a_few_lines_ago_count():
    """ "They loved it, too" is about the hike that was named two lines before; the same words later are not."""
    talk = lines("Mel: we went on a hike", "Ann: How nice!", "Mel: They loved it, too", *["Ann: I see, Mel."] * 6)
    talk += [lines("Mel: They loved it, too")[0]._replace(item_id="m9", position=9)]
    words = WordWeights({"hike": 3.0}, 4.0, holders={"hike": {0}})
    with_words, given = order(talk, words)
    assert with_words[:3] == ["m0", "m1", "m2"]
    without, same = order(talk, words, RecallSettings(around=0.0))
    assert without[:2] == ["m2", "m9"], "the longest"
    assert given == pytest.approx(same), "lines take each other's relevance: together they get no more"


def test_words_of_another_talk_do_not_count_beyond_its_end():
    first = lines("Mel: we went on a hike")
    second = [
        line._replace(item_id=f"n{place}", position=place)
        for place, line in enumerate(lines("Ann: hello there", "Ann: I am back", session="t"), 1)
    ]
    words = WordWeights({"hike": 3.0}, 4.0, holders={"hike": {0}})
    nobody = WordWeights({"hike": 3.0}, 4.0)
    assert order([*first, *second], words)[0][1:] == order([*first, *second], nobody)[0][1:]


def test_names_of_speakers_and_words_that_only_ask_say_nothing():
    talk = lines("Mel: we went on a hike", "Ann: oh, how nice")
    words = WordWeights({"mel": 9.0, "kind": 9.0}, 4.0, holders={"mel": {0}, "kind": {1}})
    assert order(talk, words) == order(talk, NO_WORDS)


def test_the_best_line_is_no_better_beside_other_memories():
    """A memory that is no line is compared with the best line as before."""
    talk = lines("Mel: we went on a hike", "Ann: How nice!", "Mel: They loved it")
    words = WordWeights({"hike": 3.0}, 4.0, holders={"hike": {0}})
    scores = {"m0": 0.2, "m1": 0.5, "m2": 0.3}
    before = dialogue_scores("?", talk, scores, RecallSettings(around=0.0), words)
    after = dialogue_scores("?", talk, scores, SETTINGS, words)
    values = [sorted(scores[name] + sum(own.values()) for name, own in each.items()) for each in (before, after)]
    assert values[0] == pytest.approx(values[1])
