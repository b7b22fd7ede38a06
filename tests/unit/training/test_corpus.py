"""The corpus: complete, labelled as the guide says, split by person, and never twice the same."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict

import pytest
from training.agreement import agreement, agreement_of
from training.corpus import LABELS, LANGUAGES, PARTS, ROOT, LabelledTurn, pairs, turns, turns_in

from celestial_engine.core.text.words import index_words

LEAST_TURNS, LEAST_PEOPLE, LEAST_PAIRS = 4_000, 100, 1_500
SAID_TWICE = 15  # characters without spaces: shorter turns are anybody's
COMPARED = 20
ALIKE = 0.8  # Jaccard of the character 4-grams
FEW_WORDS = 0.25


def everything(language: str) -> list[tuple[str, LabelledTurn]]:
    return [(f"{part}/{turn.person}", turn) for part in PARTS for turn in turns(part, language)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_file_is_labelled_as_the_guide_says(language):
    """`turns` refuses what is not; every person says something."""
    files = [path for part in PARTS for path in (ROOT / language / part).iterdir()]
    assert all(path.suffix == ".tsv" and path.stem.isdigit() for path in files)
    for path in files:
        assert path.read_text(encoding="utf-8").startswith("# persona: "), path
        assert len(list(turns_in(path, language))) >= 35, path
    assert len(everything(language)) >= LEAST_TURNS
    assert len(files) >= LEAST_PEOPLE


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_in_two_parts(language):
    people = Counter(
        path.read_text(encoding="utf-8").partition("\n")[0]
        for part in PARTS
        for path in (ROOT / language / part).glob("*.tsv")
    )
    assert [person for person, files in people.items() if files > 1] == []
    train, development = ({path.name for path in (ROOT / language / part).iterdir()} for part in PARTS[:2])
    assert not train & development


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_label_is_learned_and_tested(language):
    """But for rare attributes, which a few dozen people need not all mention."""
    for part in ("train", "test"):
        found = turns(part, language)
        for name, labels in LABELS.items():
            if name != "attribute":
                assert {turn.labels[name] for turn in found} >= set(labels), (part, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_said_twice(language):
    places = defaultdict(list)
    for person, turn in everything(language):
        key = "".join(turn.text.casefold().split())
        if len(key) >= SAID_TWICE:
            places[key].append(person)
    assert [found for found in places.values() if len(found) > 1] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_says_nearly_what_another_says(language):
    said = [(person, " ".join(turn.text.casefold().split())) for person, turn in everything(language)]
    long = [(person, text) for person, text in said if len(text) >= COMPARED]
    alike = alike_texts([text for _, text in long])
    assert [(long[a][0], long[b][0]) for a, b in alike if long[a][0] != long[b][0]] == []


def test_alike_texts_are_found():
    """All pairs, and only those: compared with the slow way."""
    texts = [turn.text for turn in turns("development", "en")][:150]
    texts += [texts[3] + "!", texts[5][1:], texts[8].replace("e", "a", 1), texts[8]]
    sets = [shingles(text) for text in texts]
    slow = {(a, b) for b in range(len(texts)) for a in range(b) if jaccard(sets[a], sets[b]) >= ALIKE}
    assert alike_texts(texts) == sorted(slow)
    assert len(slow) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_pairs_are_balanced(language):
    found = {part: pairs(part, language) for part in ("train", "test")}
    every = found["train"] + found["test"]
    assert len(every) >= LEAST_PAIRS
    assert len({(pair.first, pair.second) for pair in every}) == len(every)
    labels, wordings = Counter(pair.label for pair in every), Counter(pair.wording for pair in every)
    assert labels.keys() == {"replaces", "same", "both"}
    assert min(labels.values()) >= len(every) / 5
    assert wordings.keys() == {"free", "near"}
    assert wordings["free"] >= len(every) / 2
    tested = Counter(pair.label for pair in found["test"])
    assert max(tested.values()) - min(tested.values()) <= 0.05 * len(found["test"])
    assert len(found["test"]) >= 500


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_statement_of_a_test_pair_is_trained_on(language):
    trained = {text for pair in pairs("train", language) for text in (pair.first, pair.second)}
    for part in ("test", "everyday"):
        assert not trained & {pair.second for pair in pairs(part, language)}, part


@pytest.mark.parametrize("language", LANGUAGES)
def test_free_pairs_share_few_words(language):
    """A comparison of words alone cannot tell them apart."""
    shared = {wording: [] for wording in ("free", "near")}
    for part in ("train", "test"):
        for pair in pairs(part, language):
            first, second = set(index_words(pair.first)), set(index_words(pair.second))
            shared[pair.wording].append(len(first & second) / max(1, min(len(first), len(second))))
    free, near = (sum(found) / len(found) for found in shared.values())
    assert free < FEW_WORDS < near
    assert sum(one <= FEW_WORDS for one in shared["free"]) >= 0.9 * len(shared["free"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", LABELS)
def test_the_agreement_is_what_the_page_says(language, name):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| {name} \| (\d+ / \d+) \| (\S+ / \S+) \| (\S+ / \S+) \|$", page, re.MULTILINE)
    told = [float(column.split(" / ")[LANGUAGES.index(language)]) for column in row]
    assert told == [pytest.approx(value, abs=0.0005) for value in agreement(language, name)]


def test_kappa_leaves_out_chance():
    assert agreement_of([("y", "y"), ("n", "n")]) == (2, 1.0, 1.0)
    assert agreement_of([("y", "y"), ("n", "y"), ("y", "n"), ("n", "n")]) == (4, 0.5, 0.0)
    assert agreement_of([("y", "y")]).kappa == 1.0


def alike_texts(texts: list[str]) -> list[tuple[int, int]]:
    """The pairs of places whose texts are alike.

    If two sets are that alike, their rarest shingles already meet: only those of a text are indexed, so that common
    ones, which everybody has, cost nothing.
    """
    sets = [shingles(text) for text in texts]
    often = Counter(shingle for one in sets for shingle in one)
    places = defaultdict(list)
    found = set()
    for place, one in enumerate(sets):
        rarest = sorted(one, key=lambda shingle: (often[shingle], shingle))
        for shingle in rarest[: len(one) - math.ceil(ALIKE * len(one)) + 1]:
            for other in places[shingle]:
                if (other, place) not in found and jaccard(one, sets[other]) >= ALIKE:
                    found.add((other, place))
            places[shingle].append(place)
    return sorted(found)


def shingles(text: str) -> set[str]:
    return {text[start : start + 4] for start in range(max(1, len(text) - 3))}


def jaccard(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other)
