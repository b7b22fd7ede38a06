"""Accuracy of emotion detection: `python -m benchmarks.emotion`. See docs/emotions.md.

Word lists, thresholds and the mapping below were settled on the even lines of each set; what is reported is measured
on the odd lines.
"""

from __future__ import annotations

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.measure import percentile, say
from celestial_engine.core.emotion.feel import feel, feel_plainly
from celestial_engine.core.record.coordinate import Emotion, EmotionCoordinate

# The labels of each set, by our tags. A label that is not listed is ignored, and a text with only such labels too.
# GoEmotions: the grouping of its authors (Demszky et al. 2020) with nervousness as anxiety; their "surprise" group
# (surprise, realization, confusion, curiosity) has no counterpart.
GO_EMOTIONS = {
    Emotion.JOY: "admiration amusement approval caring desire excitement gratitude joy love optimism pride relief",
    Emotion.SADNESS: "sadness disappointment embarrassment grief remorse",
    Emotion.ANGER: "anger annoyance disapproval",
    Emotion.FEAR: "fear",
    Emotion.DISGUST: "disgust",
    Emotion.ANXIETY: "nervousness",
    Emotion.NEUTRAL: "neutral",
}
# KOTE: left out are resolve (비장함), boasting (우쭐댐/무시함), shyness (부끄러움), and what GoEmotions would put
# into its surprise group: surprise (놀람), shock (경악), bewilderment (당황/난처), doubt (의심/불신), interest
# (신기함/관심) and realization (깨달음).
# `--wide` counts shock as fear, and bewilderment and doubt as anxiety: the figures hang on such choices.
KOTE = {
    Emotion.JOY: (
        "환영/호의 감동/감탄 고마움 존경 기대감 뿌듯함 편안/쾌적 아껴주는 즐거움/신남 흐뭇함(귀여움/예쁨) 행복 "
        "기쁨 안심/신뢰"
    ),
    Emotion.SADNESS: "슬픔 안타까움/실망 절망 패배/자기혐오 힘듦/지침 죄책감 서러움 불쌍함/연민",
    Emotion.ANGER: "불평/불만 화남/분노 짜증 어이없음",
    Emotion.FEAR: "공포/무서움",
    Emotion.DISGUST: "역겨움/징그러움 증오/혐오 한심함",
    Emotion.ANXIETY: "불안/걱정 부담/안_내킴",
    Emotion.ENNUI: "지긋지긋 귀찮음 재미없음",
    Emotion.NEUTRAL: "없음",
}
WIDER = {Emotion.FEAR: "공포/무서움 경악", Emotion.ANXIETY: "불안/걱정 부담/안_내킴 당황/난처 의심/불신"}
_CLEAR = 0.05  # a sentiment beyond this is positive or negative: the threshold that VADER's authors recommend

Feel = Callable[[str], EmotionCoordinate]
Tags = frozenset[Emotion]


@dataclass(frozen=True)
class Text:
    text: str
    tags: Tags


@dataclass(frozen=True)
class Row:
    set_name: str
    system: str
    figures: dict[str, float] | None
    note: str = ""


def tagged(path: Path, labels: Sequence[str], mapping: dict[Emotion, str], column: int) -> Iterator[Text | None]:
    """Each line of a set with its tags; None for a text without any of our tags."""
    tag_of = {label: tag for tag, names in mapping.items() for label in names.split()}
    for row in _rows(path):
        tags = {tag_of[name] for label in row[column + 1].split(",") if (name := labels[int(label)]) in tag_of}
        yield Text(row[column], frozenset(tags)) if tags else None


def _rows(path: Path) -> list[list[str]]:
    """Read TSV without quoting: quotation marks and odd line separators are part of the texts."""
    return [line.split("\t") for line in path.read_bytes().decode("utf-8").split("\n") if line]


def half(lines: Iterable[Text | None], odd: bool) -> list[Text]:
    return [line for number, line in enumerate(lines, 1) if line is not None and number % 2 == odd]


def tag_figures(texts: Sequence[Text], predicted: Sequence[Tags]) -> dict[str, float]:
    """Macro-F1 over the tags that occur, micro-F1, and the F1 of each tag."""
    right, wrong, missed = Counter[Emotion](), Counter[Emotion](), Counter[Emotion]()
    occurring = [tag for tag in Emotion if any(tag in text.tags for text in texts)]
    for text, tags in zip(texts, predicted, strict=True):
        right.update(text.tags & tags)
        wrong.update((tags - text.tags) & set(occurring))
        missed.update(text.tags - tags)
    each = {tag.value: _f1(right[tag], wrong[tag], missed[tag]) for tag in occurring}
    micro = _f1(sum(right.values()), sum(wrong.values()), sum(missed.values()))
    return {"macro-F1": sum(each.values()) / len(each), "micro-F1": micro, **each}


def _f1(right: int, wrong: int, missed: int) -> float:
    return 2 * right / (2 * right + wrong + missed) if right else 0.0


def polarity_of(tags: Tags) -> int | None:
    """The sentiment label 1, 0 or -1; None for a text that is both positive and negative."""
    felt = tags - {Emotion.NEUTRAL}
    if Emotion.JOY in felt:
        return 1 if len(felt) == 1 else None
    return -1 if felt else 0


def polarity_figures(gold: Sequence[int], scores: Sequence[float]) -> dict[str, float]:
    """Three classes if neutral occurs, else two: accuracy, macro-F1, and the AUC of positive against negative."""
    three = 0 in gold
    predicted = [1 if score >= _CLEAR else -1 if score <= -_CLEAR or not three else 0 for score in scores]
    pairs = list(zip(gold, predicted, strict=True))
    classes = sorted(set(gold))
    each = [
        _f1(
            pairs.count((kind, kind)),
            sum(1 for true, guess in pairs if guess == kind != true),
            sum(1 for true, guess in pairs if true == kind != guess),
        )
        for kind in classes
    ]
    return {
        "accuracy": sum(true == guess for true, guess in pairs) / len(pairs),
        "macro-F1": sum(each) / len(each),
        "AUC": auc(gold, scores),
    }


def auc(gold: Sequence[int], scores: Sequence[float]) -> float:
    """AUC: how often a positive text scores above a negative one; ties count half."""
    ranked = sorted((score, true) for score, true in zip(scores, gold, strict=True) if true)
    goods, bads = (sum(1 for _, true in ranked if true == kind) for kind in (1, -1))
    below = won = 0.0
    for score in dict.fromkeys(score for score, _ in ranked):
        equal = [true for each, true in ranked if each == score]
        won += equal.count(1) * (below + equal.count(-1) / 2)
        below += equal.count(-1)
    return won / (goods * bads)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", choices=("odd", "even"), default="odd", help="even: the half that was looked at")
    parser.add_argument("--wide", action="store_true", help="KOTE with more of its labels mapped")
    options = parser.parse_args(arguments)
    odd = options.half == "odd"
    folder = Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data")) / "emotion"
    try:
        sets = _sets(folder, odd, KOTE | WIDER if options.wide else KOTE)
        reviews = _reviews(folder / "nsmc_dev5k.tsv", odd)
    except FileNotFoundError as missing:
        say(f"There is no {missing.filename}; CELESTIAL_BENCH_DATA names the data folder. See docs/emotions.md.")
        return 2
    say(f"{'Odd lines: nothing was settled on them' if odd else 'Even lines: what the word lists were made with'}.\n")
    _show([row for name, texts in sets.items() for row in _tag_rows(name, texts)])
    rows = [row for name, texts in sets.items() for row in _polarity_rows(name, texts)]
    _show([*rows, *_review_rows(reviews)])
    _show(list(_speed_rows(sets)))
    return 0


def _sets(folder: Path, odd: bool, kote_mapping: dict[Emotion, str] = KOTE) -> dict[str, list[Text]]:
    go = (folder / "goemotions_labels.txt").read_text(encoding="utf-8").split()
    kote = (folder / "kote_labels.txt").read_text(encoding="utf-8").split()
    return {
        "GoEmotions en": half(tagged(folder / "goemotions_en_dev.tsv", go, GO_EMOTIONS, 0), odd),
        "GoEmotions ko": half(tagged(folder / "goemotions_ko_dev.tsv", go, GO_EMOTIONS, 0), odd),
        "KOTE": half(tagged(folder / "kote_val.tsv", kote, kote_mapping, 1), odd),
    }


def _reviews(path: Path, odd: bool) -> list[tuple[str, int]]:
    rows = enumerate(_rows(path)[1:], 1)
    return [(row[1], 1 if row[2] == "1" else -1) for number, row in rows if number % 2 == odd and len(row) == 3]


def _tag_rows(name: str, texts: Sequence[Text]) -> Iterator[Row]:
    note = f"{len(texts)} texts"
    for system, feeling in (("ours", feel), ("our words without rules", feel_plainly)):
        yield Row(name, system, tag_figures(texts, [frozenset(feeling(text.text).tags) for text in texts]), note)
    commonest = Counter(tag for text in texts for tag in text.tags).most_common(1)[0][0]
    for tag in dict.fromkeys((Emotion.NEUTRAL, commonest)):
        yield Row(name, f"always {tag.value}", tag_figures(texts, [frozenset((tag,))] * len(texts)), note)


def _polarity_rows(name: str, texts: Sequence[Text]) -> Iterator[Row]:
    judged = [(text.text, polarity) for text in texts if (polarity := polarity_of(text.tags)) is not None]
    yield from _scored(f"{name}, 3 classes", judged, english=name.endswith("en"))


def _review_rows(reviews: Sequence[tuple[str, int]]) -> Iterator[Row]:
    yield from _scored("NSMC, 2 classes", reviews, english=False)


def _scored(name: str, judged: Sequence[tuple[str, int]], english: bool) -> Iterator[Row]:
    texts, gold = [text for text, _ in judged], [polarity for _, polarity in judged]
    note = f"{len(texts)} texts"
    for system, feeling in (("ours", feel), ("our words without rules", feel_plainly)):
        yield Row(name, system, polarity_figures(gold, [feeling(text).sentiment_score for text in texts]), note)
    if english:
        vader = _vader()
        figures = polarity_figures(gold, [vader(text) for text in texts]) if vader else None
        yield Row(name, "VADER", figures, note if vader else "not run: pip install vaderSentiment")
    commonest = Counter(gold).most_common(1)[0][0]
    yield Row(name, "always the commonest", polarity_figures(gold, [float(commonest)] * len(gold)), note)


def _vader() -> Callable[[str], float] | None:
    try:
        from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer
    except ImportError:
        return None
    analyzer = SentimentIntensityAnalyzer()
    return lambda text: float(analyzer.polarity_scores(text)["compound"])


def _speed_rows(sets: dict[str, list[Text]]) -> Iterator[Row]:
    for name, texts in sets.items():
        pieces = [text.text for text in texts]
        yield _speed(name, "ours", feel, pieces)
        if name.endswith("en") and (vader := _vader()):
            yield _speed(name, "VADER", vader, pieces)


def _speed(name: str, system: str, read: Callable[[str], object], texts: Sequence[str]) -> Row:
    """Time texts of 200 characters, each read once, after a warm-up that loads the word tables."""
    joined = " ".join(texts)
    pieces = [joined[start : start + 200] for start in range(0, min(len(joined), 200_000), 200)]
    read(pieces[0])
    wall, cpu = [], []
    for piece in pieces:
        begun, worked = time.perf_counter(), time.process_time()
        read(piece)
        cpu.append(1000 * (time.process_time() - worked))
        wall.append(1000 * (time.perf_counter() - begun))
    times = {"wall": wall, "CPU": cpu}
    figures = {f"{kind} p{rank} ms": percentile(took, rank) for kind, took in times.items() for rank in (50, 95)}
    return Row(f"200 characters of {name}", system, figures, f"{len(pieces)} pieces")


def _show(rows: Sequence[Row]) -> None:
    names = list(dict.fromkeys(name for row in rows for name in row.figures or ()))
    print(f"| set | system | {' | '.join(names)} | |")
    print(f"|---|---|{'---|' * len(names)}---|")
    for row in rows:
        figures = row.figures or {}
        shown = [f"{figures[name]:.3f}" if name in figures else "" for name in names]
        print(f"| {row.set_name} | {row.system} | {' | '.join(shown)} | {row.note} |")
    print()


if __name__ == "__main__":
    raise SystemExit(main())
