"""Ranking is the same as when `data/ranking.json` was written: the same memories, with the same scores.

Run this file as a script to write it again, after a change that is meant to rank differently.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from celestial_engine import CelestialMemory

STORED = Path(__file__).parent / "data" / "ranking.json"
NOON = 1_700_000_000.0
TALK = """
[1:56 pm on 8 May, 2023] Caroline: Hey Mel! Good to see you! How have you been?
[1:56 pm on 8 May, 2023] Melanie: Hey Caroline! I'm swamped with the kids and work. What's up with you?
[1:57 pm on 8 May, 2023] Caroline: I went to a support group yesterday and it was so powerful.
[1:58 pm on 8 May, 2023] Melanie: Wow, that's cool! What happened that was so awesome?
[1:59 pm on 8 May, 2023] Caroline: The stories were so inspiring. I was thankful for all the support.
[2:01 pm on 8 May, 2023] Melanie: Yeah, I painted that lake sunrise last year! It's special to me.
[10:37 am on 27 June, 2023] Melanie: We bought 3 lamps and a rug at the market for 120 dollars.
[10:38 am on 27 June, 2023] Caroline: Where is the market? I need a lamp too.
[10:39 am on 27 June, 2023] Melanie: On Green Street, every second Saturday.
""".strip().splitlines()
FACTS = """
My sister Anna lives in Busan and works as a nurse.
My sister Anna moved to Seoul in March 2024.
I am allergic to peanuts and shellfish.
My cat is called Miso and she is four years old.
The deploy script is in tools/deploy.sh and needs Python 3.11.
I run 5 km every morning before work.
My favourite tea is jasmine; coffee keeps me awake.
We celebrate my mother's birthday on 12 October.
제 생일은 5월 8일이에요.
나는 매운 음식을 못 먹어.
우리 집 강아지 이름은 콩이고 세 살이야.
민지는 부산에서 간호사로 일해요.
회사는 판교에 있고 지하철로 40분 걸려.
지난 여름에 제주도에서 일주일 동안 쉬었어.
커피보다 녹차를 더 좋아해.
우산을 어디에 두었더라?
Did I ever tell you about the blue bicycle?
The blue bicycle was stolen from the garage in 2019.
My landlord is Mr Kowalski; the rent is 900 euros a month.
I want to learn the cello next year.
""".strip().splitlines()
QUESTIONS = """
When did Caroline go to the support group?
What did Melanie buy at the market?
How much did the lamps cost?
Where does my sister live?
What am I allergic to?
How old is my cat?
what happened in June 2023
When is my mother's birthday?
내 생일이 언제야?
강아지 이름이 뭐였지?
민지는 어디서 일해?
회사까지 얼마나 걸려?
커피 좋아해?
Where did Anna live before?
Miso
blue bicycle
Who painted the sunrise?
How much is the rent?
지난 여름에 뭐 했어?
What is the capital of Mongolia?
""".strip().splitlines()


def ranking(folder: Path, embedder: str) -> list[list[list[object]]]:
    """Returns text, relevance and probability of the hits of each question, without and with the floor."""
    with CelestialMemory(
        folder / "memory.db", embedder=embedder, clock=lambda: NOON, rebalance_interval=None
    ) as memory:
        memory.store_many(TALK)
        for text in FACTS:
            memory.store(text)
        found = [memory.search(question, 6, explain=True, floor=0) for question in QUESTIONS]
        found += [memory.search(question, 6, explain=True) for question in QUESTIONS]
    return [
        [[hit.item.content, round(hit.relevance, 9), round(hit.probability, 9)] for hit in each.hits]
        for each in found
    ]


@pytest.mark.parametrize("embedder", ["none", "hashed"])
def test_the_same_memories_with_the_same_scores(tmp_path, embedder, monkeypatch):
    monkeypatch.setenv("TZ", "UTC")
    expected = json.loads(STORED.read_text(encoding="utf-8"))[embedder]
    found = ranking(tmp_path, embedder)
    assert len(found) == len(expected)
    for question, one, other in zip(2 * QUESTIONS, found, expected, strict=True):
        assert [hit[0] for hit in one] == [hit[0] for hit in other], question
        for hit, stored in zip(one, other, strict=True):
            assert hit[1:] == pytest.approx(stored[1:], abs=1e-6), question


if __name__ == "__main__":
    from tempfile import TemporaryDirectory

    written = {}
    for name in ("none", "hashed"):
        with TemporaryDirectory() as place:
            written[name] = ranking(Path(place), name)
    STORED.parent.mkdir(exist_ok=True)
    STORED.write_text(json.dumps(written, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")
