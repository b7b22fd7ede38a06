"""Outdated: which of the memories found for a question was true only until a later one was told.

A change is mostly told in passing and in other words: "sold the car, the tram does it for me". Whether that ends "I
drive a red Fiat" is hard to say of the two alone. The question helps: both were found for it. Boosted trees weigh how
well each answers, what the later one shows about change, and how much the two have in common. Nothing is stored, so a
misjudgement harms one answer and no memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import exp, inf, log

from celestial_engine.core.record.reading import Change
from celestial_engine.core.retrieval.outdated import Closeness, Found, Outdated
from celestial_engine.core.text.words import recent_index_words
from celestial_engine.understanding import relation
from celestial_engine.understanding.embedded import heads_of
from celestial_engine.understanding.outdated_trees import log_odds
from celestial_engine.understanding.relation import ReadStatement, limited_odds
from celestial_engine.understanding.topics import end_odds

FEATURES = (
    *relation.FEATURES,
    "ends",  # how likely the newer one ends what the older one tells, by what both are about, as log odds
    "closeness",  # of their vectors, 0 to 1; NO_VECTORS without
    "answers",  # how likely the older one answers, as log odds
    "newer answers",
    "difference",
    "behind",  # how far the newer one is behind the likeliest answer
    "rank",
    "newer rank",
    "covered",  # the share of the question's words that the older one has
    "newer covered",
    "beyond",  # how many words the two share that the question lacks
)
ENDS = FEATURES.index("ends")
NO_VECTORS = -1.0
_LATER_FIRST_FROM = 0.15
_LEAST_ODDS = 1e-6


ChangeIn = Callable[[str], "Change | None"]  # None: nobody can tell, and nothing is outdated by such a text


def outdated(
    question: str,
    found: Sequence[Found],
    pairs: Iterable[tuple[int, int]],
    change_in: ChangeIn,
    closeness: Closeness,
    embedder: str,
) -> list[Outdated]:
    """Returns which memories are likely outdated, each once and with the likeliest newer one.

    `found` is best first; `pairs` are the places (older, newer) that may be compared; `embedder` made the vectors.
    """
    judged = list[Outdated]()
    for older, newer, values in features(question, found, pairs, change_in, closeness):
        if _probability(values) >= _LATER_FIRST_FROM:  # if one surely ended the other: to compare topics is slow
            values[ENDS] = ends(found[older], found[newer], embedder)
            judged.append(Outdated(older, newer, _probability(values)))
    best: dict[int, Outdated] = {}
    for each in sorted(judged, key=lambda each: -each.probability):
        if each.probability >= _LATER_FIRST_FROM:
            best.setdefault(each.older, each)
    return list(best.values())


def features(
    question: str,
    found: Sequence[Found],
    pairs: Iterable[tuple[int, int]],
    change_in: ChangeIn,
    closeness: Closeness,
) -> Iterable[tuple[int, int, list[float]]]:
    """Yields the values of FEATURES for each pair of places, as if the newer one surely ended the older one."""
    asked = frozenset(recent_index_words(question))
    told = [
        ReadStatement.of(each.text, recent_index_words(each.text), each.subject, each.attribute, each.lifetime)
        for each in found
    ]
    answers = [_log_odds(each.probability) for each in found]
    for older, newer in pairs:
        first, second = found[older], found[newer]
        change = change_in(second.text)
        if change is None:
            continue
        close = closeness(first, second)
        yield (
            older,
            newer,
            [
                *relation.features(told[older], told[newer], change),
                limited_odds(inf),
                NO_VECTORS if close is None else close,
                answers[older],
                answers[newer],
                answers[newer] - answers[older],
                answers[newer] - max(answers),
                float(older),
                float(newer),
                first.covered,
                second.covered,
                float(len((told[older].words & told[newer].words) - asked)),
            ],
        )


def ends(older: Found, newer: Found, embedder: str) -> float:
    """Returns the log odds that the newer one ends the older one: by the embedder's vectors, or else by topics."""
    heads = heads_of(embedder)
    if heads is not None and heads.can_read(older.vector) and heads.can_read(newer.vector):
        return limited_odds(heads.end_odds(newer.vector, [older.vector])[0])
    return limited_odds(end_odds(newer.text, older.text))


def _log_odds(probability: float) -> float:
    chance = min(1.0 - _LEAST_ODDS, max(_LEAST_ODDS, probability))
    return log(chance / (1.0 - chance))


def _probability(values: Sequence[float]) -> float:
    return 1.0 / (1.0 + exp(-max(-30.0, min(30.0, log_odds(values)))))
