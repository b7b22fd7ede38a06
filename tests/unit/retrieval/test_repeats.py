"""A sentence is quoted once: a distilled memory and its source that say the same take one place."""

from __future__ import annotations

from dataclasses import replace

from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate, Links, Validity
from celestial_engine.core.record.forgetting import State
from celestial_engine.core.record.item import CelestialItem
from celestial_engine.core.retrieval.composition import PromptCandidate, compose
from celestial_engine.core.retrieval.repeats import repeating, repeating_relatives, said_before


def a_memory(item_id: str, content: str, sources: tuple[str, ...] = (), **more) -> CelestialItem:
    return CelestialItem(item_id, content, 0.0, 0.0, links=Links(promoted_from=sources), **more)


def test_a_distilled_sentence_and_its_source_are_one():
    """The better ranked of the two stays, unless the other says more."""
    source = a_memory("s", "어제 민호가 병원에 입원했다")
    distilled = a_memory("d", "민호가 병원에 입원했다", ("s", "t"))
    assert repeating_relatives([source, distilled]) == {"d"}
    assert repeating_relatives([distilled, source]) == {"s"}
    more = a_memory("s", "어제 민호가 병원에 입원했다. 수술은 잘 끝났다.")
    assert repeating_relatives([distilled, more]) == {"d"}


def test_a_count_is_another_sentence():
    source = a_memory("s", "Ana called me on Monday")
    assert repeating_relatives([source, a_memory("d", "Ana called me (3 times)", ("s",))]) == set()


def test_two_days_are_two_memories():
    """Only a memory and what it was distilled from are compared without their dates."""
    days = [a_memory("a", "I went to the gym on Monday"), a_memory("b", "I went to the gym on Tuesday")]
    assert repeating(days) == set()
    assert repeating_relatives(days) == set()


def test_what_a_longer_memory_quotes_is_not_quoted_again():
    long, short = a_memory("a", "I live in Lisbon. I work at the port."), a_memory("b", "i live in lisbon")
    assert repeating([short, long]) == {"b"}
    faded = a_memory("a", long.content, state=State.FADED)  # it is shown by its facts
    assert repeating([short, faded]) == set()


def test_a_prompt_quotes_a_sentence_once():
    candidates = [
        PromptCandidate(a_memory("d", "Nora wants a divorce", ("s", "t")), 0.9),
        PromptCandidate(a_memory("s", "Nora wants a divorce. She told me yesterday."), 0.8),
        PromptCandidate(a_memory("t", "Nora moved out last week"), 0.7),
    ]
    composed = compose(candidates)
    assert composed.text.count("divorce") == 1
    assert {used.item_id for used in composed.used} == {"s", "t"}


def test_a_prompt_says_how_its_memories_feel():
    """Of what is quoted, not of what found no room."""
    glad = EmotionCoordinate((Emotion.JOY,), intensity=0.6, sentiment_score=0.8)
    torn = EmotionCoordinate((Emotion.SADNESS, Emotion.JOY), intensity=0.9, sentiment_score=-0.2)
    candidates = [
        PromptCandidate(a_memory("a", "삐돌이가 칭찬해 줬다", emotion=glad), 0.9),
        PromptCandidate(a_memory("b", "삐돌이가 떠났다", emotion=torn), 0.8),
    ]
    felt = compose(candidates).feeling
    assert felt is not None
    assert (felt.tags, felt.intensity, felt.sentiment_score) == ((Emotion.JOY, Emotion.SADNESS), 0.9, 0.3)
    short = compose(candidates, compose(candidates[:1]).tokens)
    (used,) = short.used
    assert short.feeling is not None
    assert short.feeling.tags == {"a": glad, "b": torn}[used.item_id].tags


def test_nothing_quoted_feels_like_nothing():
    assert compose([]).feeling is None
    plain = compose([PromptCandidate(a_memory("a", "the printer is upstairs"), 0.9)]).feeling
    assert plain is not None
    assert plain.tags == (Emotion.NEUTRAL,)


def test_what_was_said_before_is_known_by_its_meaning():
    """The earlier of the list stands for it; another value, and what was replaced, are something else."""
    texts = ("I live in Busan", "I live in Busan.", "I live in Seoul", "i live in busan!", "I do not live in Busan")
    items = [CelestialItem(str(number), text, 0.0, 0.0) for number, text in enumerate(texts)]
    assert said_before(items) == {"1": "0", "3": "0"}
    past = replace(items[1], validity=Validity(until=1.0, superseded_by="9"))
    assert said_before([items[0], past]) == {}
