"""Personas: what a step costs, and whether past cases change what a real model answers. See docs/personas.md.

    python -m benchmarks.personas                                  the cost of a step, with echo backends
    python -m benchmarks.personas --url http://127.0.0.1:8080/v1   past cases, with a server of OpenAI's protocol
    python -m benchmarks.personas --gguf model.gguf                the same, with xllamacpp (PyPI) in this process

For past cases each question is asked twice: once when an earlier answer of the persona was rated five stars, once
when it was not. The earlier answer holds something that the question does not say. Reported is how often the new
answer uses it.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from benchmarks.measure import say
from benchmarks.small_model import served
from celestial_engine import CelestialMemory, PersonaRegistry

STEPS = 100


class Case(NamedTuple):
    """An earlier question and its answer, a new question, and the word that only the earlier answer has."""

    before: str
    answer: str
    question: str
    word: str


CASES = (
    Case("Which day suits our team for a release?", "Release on Tuesday: support is fully staffed then.",
         "On which day should our team do the next release?", "tuesday"),
    Case("Which database suits our small tool?", "Use SQLite: one file, nothing to run.",
         "Which database should our new small tool use?", "sqlite"),
    Case("What should we call the new harbour project?", "Call it Heron: short, and nobody else uses it.",
         "What is a good name for the harbour project?", "heron"),
    Case("Who should review changes of the billing code?", "Ask Mina first: she wrote the billing code.",
         "Who should review my change of the billing code?", "mina"),
    Case("What budget is right for the autumn fair?", "Stay within 4200 euros: that was the limit last year.",
         "What budget is right for this autumn fair?", "4200"),
    Case("우리 팀 회의는 무슨 요일이 좋을까?", "수요일 오전이 좋습니다. 모두 사무실에 있는 날입니다.",
         "우리 팀 회의를 무슨 요일에 할까?", "수요일"),
    Case("신입 환영회는 어디에서 할까?", "한강공원에서 합시다. 작년에 모두 좋아했습니다.",
         "이번 신입 환영회는 어디에서 할까?", "한강"),
    Case("Where should the team offsite take place?", "Go to Jeonju: two hours by train for everybody.",
         "Where should this year's team offsite take place?", "jeonju"),
)  # fmt: skip


def registry(backend: dict[str, Any]) -> PersonaRegistry:
    return PersonaRegistry.read(
        {
            "cycle": ["adviser"],
            "backends": {"main": backend},
            "personas": [
                {"id": "adviser", "name": "Adviser", "role": "Gives one short piece of advice", "backend": "main",
                 "system_prompt": "You advise a small team in one or two sentences, in the language of the question.",
                 "max_tokens": 80},
            ],
        }
    )  # fmt: skip


def cost(embedder: str) -> None:
    """The time of a step beside store and recall: composing, phase, validators, report."""
    from celestial_engine import BackendFactory, PersonaOrchestrator, ready_registry

    with tempfile.TemporaryDirectory() as folder, CelestialMemory(
        os.path.join(folder, "m.db"), rebalance_interval=None, embedder=embedder
    ) as memory:  # fmt: skip
        memory.personas.run("warm up", offline=True)
        began, cpu = time.perf_counter(), time.process_time()
        steps = 0
        while steps < STEPS:
            steps += len(memory.personas.run("Why does the sea look blue?", depth=10, offline=True).answers)
        wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    alone = PersonaOrchestrator(ready_registry(), BackendFactory(offline=True))
    alone.run("warm up")
    began = time.process_time()
    for _ in range(4):
        alone.run("Why does the sea look blue?", depth=10)
    own = (time.process_time() - began) / 120
    say(f"embedder {embedder}: {steps} echo steps in {wall:.2f} s ({1000 * cpu / steps:.1f} ms CPU a step)")
    say(f"orchestration alone: {1000 * own:.2f} ms CPU a step")


def past_cases(backend: dict[str, Any], transcript: Callable[[str], None]) -> tuple[int, int]:
    """How many answers use the earlier one: when it was rated well, and when it was not."""
    used = [0, 0]
    for case in CASES:
        for at, rated in enumerate((True, False)):
            with CelestialMemory(":memory:", rebalance_interval=None, embedder="none") as memory:
                before = memory.personas.run(
                    case.before, registry=registry({"type": "function", "function": "earlier"}),
                    functions={"earlier": lambda prompt, case=case: case.answer},
                )  # fmt: skip
                if rated:
                    memory.rate(before.answers[0].memory_id or "", 5)
                run = memory.personas.run(case.question, registry=registry(backend))
            (answer,) = run.answers
            found = case.word in answer.text.casefold()
            used[at] += found
            transcript(
                f"{case.question}\n  {'with' if answer.cases else 'without'} a past case"
                f"{' (' + case.answer + ')' if answer.cases else ''}: {' '.join(answer.text.split())}"
                f"{'  [uses it]' if found else ''}"
            )
    return used[0], used[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--model", default="local")
    parser.add_argument("--gguf")
    args = parser.parse_args()
    if args.url is None and args.gguf is None:
        cost("none")
        return
    backend = {"type": "http", "model": args.model, "timeout": 600}
    if args.url is not None:
        with_case, without = past_cases({**backend, "url": args.url}, say)
    else:
        with served(args.gguf) as url:
            with_case, without = past_cases({**backend, "url": url}, say)
    say(f"the earlier answer is used in {with_case} of {len(CASES)} answers with it, {without} without")


if __name__ == "__main__":
    main()
