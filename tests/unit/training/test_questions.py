"""The head that reads a question alone: what it says about a person was not learned from that person."""

from __future__ import annotations

from training.corpus import LabelledTurn
from training.questions import asked_questions, question_head

from celestial_engine.understanding.question import HEAD, LABELS

QUESTION = "what colour is my front door"


def asked(person, label, text=QUESTION):
    return LabelledTurn(text, {HEAD: label}, None, None, person, "en")


def test_a_person_is_left_out_of_what_is_read_in_their_own_questions():
    """Somebody told what the others leave untold: by the others' questions it looks untold."""
    others = [asked(f"en{number:03}", "untold") for number in range(1, 10)]
    others += [asked(f"en{number:03}", "told", "where do i live") for number in range(1, 10)]
    head = question_head(
        [asked("en000", "told"), asked("en000", "told", "where do i live"), *others], 1 << 12, seed=1
    )
    told, untold, _ = head.held_out["en000", QUESTION]
    assert untold > told
    told, untold, _ = head.held_out["en000", "where do i live"]
    assert told > untold


def test_the_same_questions_give_the_same_weights():
    some = [asked(f"en{number:03}", LABELS[number % 3], f"{QUESTION} {number % 3}") for number in range(12)]
    first, second = (question_head(some, 1 << 10, seed=7) for _ in range(2))
    assert (first.weights == second.weights).all()
    assert first.held_out == second.held_out


def test_every_train_person_asks_for_something_told_untold_and_general():
    by_person: dict[str, set[str]] = {}
    for turn in asked_questions():
        by_person.setdefault(turn.person, set()).add(turn.labels[HEAD])
    assert all(labels == set(LABELS) for labels in by_person.values())
