"""Selects what several memories have in common, without a language model: nothing is said that no memory says.

What they repeat is one sentence with a count; else the most telling sentence of them stands for all. Times are
dropped, every other word stays as it was written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from celestial_engine.core.model.faithful import changes_negation, has_negation
from celestial_engine.core.night.repetition import repetition_in, with_kinds, without_count
from celestial_engine.core.patterns import compiled
from celestial_engine.core.sameness.strip_time import has_times, without_times
from celestial_engine.core.text.gist import gist_of, weight_of
from celestial_engine.core.text.language import Language, language_of
from celestial_engine.core.text.sentences import sentences_of
from celestial_engine.core.text.words import query_words
from celestial_engine.lang.en import distillation as en
from celestial_engine.lang.ko import distillation as ko

MOST_CHARACTERS = 200
_MOST_READ = 40  # sentences of a text
_LONG_FOR_A_YEAR = 60  # characters of a sentence that is shortened to its main clause


def essence_of(texts: Sequence[str]) -> str:
    """Returns one sentence that represents all texts; "" if they say nothing.

    >>> essence_of(["어제 지수랑 테니스를 쳤다", "오늘 지수랑 테니스 쳤어", "토요일에 지수랑 테니스를 쳤음"])
    '지수랑 테니스를 쳤다 (3번)'
    """
    repeated = repetition_in(texts) if len(texts) > 1 else None
    if repeated is not None and len(repeated.text) <= MOST_CHARACTERS:
        return repeated.text
    return _most_telling([left for text in texts if (left := without_times(text))])


def essence_of_year(texts: Sequence[str]) -> str:
    """Returns what stands for distilled texts in the one-year tier; "" if several have nothing in common.

    It goes further than `essence_of`: things of one kind become the kind, a long sentence its main clause.
    """
    if len(texts) > 1:
        repeated = repetition_in(texts)
        return "" if repeated is None else with_kinds(repeated.text)
    return _main_clause(with_kinds(texts[0])) if texts else ""


def _most_telling(texts: Sequence[str]) -> str:
    """Returns the sentence whose words the other texts share most; ties go to the shorter one."""
    words = [set(query_words(text)) for text in texts]
    shared = Counter(word for text_words in words for word in text_words)
    sentences = [
        (index, sentence) for index, text in enumerate(texts) for sentence in sentences_of(text)[:_MOST_READ]
    ]

    def rank(candidate: tuple[int, str]) -> tuple[bool, bool, float, float, int]:
        index, sentence = candidate
        query = set(query_words(sentence)) & words[index]
        common = sum(shared[word] - 1 for word in query) / (1 + len(query))
        korean = language_of(sentence) is Language.KO
        weight = weight_of(sentence, korean)
        sound = weight > 0 and not sentence.endswith("?") and len(sentence) <= MOST_CHARACTERS
        return sound, _stands_alone(sentence, korean), common, weight, -len(sentence)

    if not sentences:
        return ""
    best = max(sentences, key=rank)[1]
    return best if len(best) <= MOST_CHARACTERS else gist_of(best)


def _stands_alone(sentence: str, korean: bool) -> bool:
    """Whether a sentence needs neither the one before it nor the day it was said."""
    points_back = compiled(ko.POINTS_BACK if korean else en.POINTS_BACK).match(sentence) is not None
    return not points_back and not has_times(sentence)


def _main_clause(text: str) -> str:
    """Returns the main clause of a long sentence, if it can stand alone and nothing is denied or affirmed by that."""
    sentence, times = without_count(text)
    if len(sentence) <= _LONG_FOR_A_YEAR or times > 1 or len(sentences_of(sentence)) != 1:
        return text
    korean = language_of(sentence) is Language.KO
    cuts = [match.start() for match in compiled(ko.CLAUSE_ENDS if korean else en.CLAUSE_ENDS).finditer(sentence)]
    parts = [sentence[start:end].strip(" ,;") for start, end in pairwise([0, *cuts, len(sentence)])]
    main = parts[-1] if korean else parts[0]  # Korean ends with its main clause
    begins_below = not korean and compiled(en.SUBORDINATE).match(main) is not None
    whole = weight_of(main, korean) * 2 >= weight_of(sentence, korean) and not begins_below
    same = has_negation(main) == has_negation(sentence) and not changes_negation(main, sentence)
    return main if whole and same else text
