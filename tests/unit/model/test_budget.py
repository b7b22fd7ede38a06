"""Around a model: what is known is not asked, what is spent is counted, what is wrong is repaired once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from celestial_engine.core.model.settings import ModelSettings, utc_day
from celestial_engine.errors import (
    BudgetError,
    ConfigError,
    LanguageModelError,
    ModelAnswerError,
    ModelUnavailableError,
    Reason,
)
from celestial_engine.ports import Completion, Ending, LanguageModel
from celestial_engine.providers.model_function import FunctionModel
from celestial_engine.providers.thrifty import BudgetedModel, CachedModel, CheckedModel, RestingModel, thrifty
from celestial_engine.testing.in_memory.spending import DictSpending

SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
GOOD = '{"city": "Busan"}'


class Scripted:
    """Gives what it was told to, in order; remembers what it was asked."""

    name = "scripted"

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def complete(self, prompt, *, system=None, schema=None, max_tokens=1024, temperature=None):
        self.asked.append(prompt)
        answer = self.answers.pop(0) if self.answers else "fine"
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Completion) else Completion(answer, 10, 5, self.name)


# -- checked ------------------------------------------------------------------------------------------


def test_an_answer_that_fits_is_read():
    model = Scripted(f"<think>hm</think>Here: {GOOD}")
    assert CheckedModel(model).complete("Where?", schema=SCHEMA).data == {"city": "Busan"}
    assert len(model.asked) == 1


def test_wrong_then_right_is_right_and_costs_both():
    model = Scripted('{"town": "Busan"}', GOOD)
    answer = CheckedModel(model).complete("Where?", schema=SCHEMA)
    assert answer.data == {"city": "Busan"}
    assert (answer.input_tokens, answer.output_tokens) == (20, 10)
    assert model.asked[1].startswith("Where?")
    assert "it must have city" in model.asked[1]


def test_wrong_twice_is_an_error():
    model = Scripted("no idea", "no idea", GOOD)
    with pytest.raises(ModelAnswerError, match="it has no JSON"):
        CheckedModel(model).complete("Where?", schema=SCHEMA)
    assert len(model.asked) == 2


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Completion("half", 10, 5, "m", Ending.CUT), "cut off at 77 tokens"),
        (Completion(GOOD, 10, 5, "m", Ending.CUT), "cut off"),
        (Completion("", 10, 5, "m", Ending.REFUSED), "it refused"),
        ("I'm sorry, but I can't help with that.", "it refused"),
        ("죄송하지만 도와드릴 수 없습니다.", "it refused"),
    ],
)
@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_what_asking_again_does_not_mend_is_not_asked_again(answer, reason, schema):
    model = Scripted(answer, GOOD)
    with pytest.raises(ModelAnswerError, match=reason):
        CheckedModel(model).complete("Where?", schema=schema, max_tokens=77)
    assert len(model.asked) == 1


def test_nothing_is_no_answer():
    with pytest.raises(ModelAnswerError, match="empty"):
        CheckedModel(Scripted("  <think>much</think> ")).complete("Where?")


def test_a_refusal_quoted_inside_of_json_is_an_answer():
    model = Scripted('{"city": "I am sorry, but I cannot say"}')
    assert CheckedModel(model).complete("Where?", schema=SCHEMA).data["city"].startswith("I am sorry")


# -- cached -------------------------------------------------------------------------------------------


def test_the_same_question_is_asked_once_an_hour(clock):
    model = Scripted("one", "two", "three")
    cached = CachedModel(model, clock)
    assert [cached.complete("x").text for _ in range(3)] == ["one"] * 3
    assert cached.complete("x", temperature=0.5).text == "two", "another question"
    clock.now += 3_600
    assert cached.complete("x").text == "three"


def test_the_cache_is_bounded_and_keeps_what_is_used(clock):
    model = Scripted(*"abcdef")
    cached = CachedModel(model, clock, most=2)
    assert [cached.complete(question).text for question in ("1", "2", "1", "3", "1", "2")] == list("abacad")


def test_a_failure_is_not_remembered(clock):
    cached = CachedModel(Scripted(ModelAnswerError(Reason.SYSTEM_ERROR, cause="no"), "yes"), clock)
    with pytest.raises(ModelAnswerError):
        cached.complete("x")
    assert cached.complete("x").text == "yes"


def test_nobody_changes_what_is_cached(clock):
    cached = CachedModel(CheckedModel(Scripted(GOOD)), clock)
    cached.complete("x", schema=SCHEMA).data["city"] = "Seoul"
    cached.complete("x", schema=SCHEMA).data["city"] = "Daegu"
    assert cached.complete("x", schema=SCHEMA).data == {"city": "Busan"}


# -- resting ------------------------------------------------------------------------------------------


def test_who_cannot_be_reached_is_left_alone_for_a_while(clock):
    model = Scripted(ModelUnavailableError(Reason.SYSTEM_ERROR, cause="down"), "back")
    resting = RestingModel(model, clock)
    for reason in ("down", "a moment ago", "a moment ago"):
        with pytest.raises(ModelUnavailableError, match=reason):
            resting.complete("x")
    assert len(model.asked) == 1
    clock.now += 30
    assert resting.complete("x").text == "back"
    assert resting.complete("x").text == "fine"


def test_a_bad_answer_is_no_reason_to_rest(clock):
    resting = RestingModel(Scripted(ModelAnswerError(Reason.SYSTEM_ERROR, cause="bad"), "good"), clock)
    with pytest.raises(ModelAnswerError):
        resting.complete("x")
    assert resting.complete("x").text == "good"


def test_a_clock_that_goes_back_does_not_silence_it(clock):
    resting = RestingModel(Scripted(ModelUnavailableError(Reason.SYSTEM_ERROR, cause="down"), "back"), clock)
    with pytest.raises(ModelUnavailableError):
        resting.complete("x")
    clock.now -= 1_000_000
    assert resting.complete("x").text == "back"


# -- budgeted -----------------------------------------------------------------------------------------


def budgeted(model, clock, **limits):
    spending = DictSpending()
    return BudgetedModel(model, spending, ModelSettings(**limits), clock), spending


def test_calls_and_tokens_are_counted_as_they_were(clock):
    model, spending = budgeted(Scripted(), clock)
    model.complete("x")
    assert spending.spent(utc_day(clock.now)) == (1, 15)


def test_no_call_beyond_the_budget_and_a_new_one_tomorrow(clock):
    inner = Scripted()
    model, _ = budgeted(inner, clock, daily_calls=2)
    model.complete("x")
    model.complete("x")
    with pytest.raises(BudgetError, match="2 calls, 30 tokens"):
        model.complete("x")
    assert len(inner.asked) == 2
    clock.now += 86_400
    assert model.complete("x").text == "fine"


def test_what_a_call_may_cost_is_set_aside_before_it(clock):
    """A call that could overdraw the budget is not made."""
    model, _ = budgeted(Scripted(), clock, daily_tokens=1_000)
    with pytest.raises(BudgetError):
        model.complete("x", max_tokens=1_000)
    assert model.complete("x", max_tokens=900).text == "fine"


def test_who_was_not_reached_cost_no_tokens(clock):
    model, spending = budgeted(Scripted(ModelUnavailableError(Reason.SYSTEM_ERROR, cause="down")), clock)
    with pytest.raises(ModelUnavailableError):
        model.complete("x")
    assert spending.spent(utc_day(clock.now)) == (1, 0)


def test_threads_share_one_budget(clock):
    inner = Scripted()
    model, _ = budgeted(inner, clock, daily_calls=5)

    def asked(_):
        try:
            return model.complete("x").text
        except BudgetError:
            return None

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(asked, range(20))).count("fine") == len(inner.asked) == 5


@pytest.mark.parametrize(
    "limits", [{"daily_calls": -1}, {"daily_tokens": 1.5}, {"daily_calls": True}, {"uses": {"poetry"}}]
)
def test_settings_are_checked_when_they_are_made(limits):
    with pytest.raises(ConfigError):
        ModelSettings(**limits)


# -- all of it ----------------------------------------------------------------------------------------


def test_together_a_repair_is_paid_for_and_a_repetition_is_not(clock):
    spending = DictSpending()
    inner = Scripted("{}", GOOD)
    model = thrifty(inner, spending, ModelSettings(), clock)
    assert isinstance(model, LanguageModel)
    assert model.name == "scripted"
    for _ in range(3):
        assert model.complete("Where?", schema=SCHEMA).data == {"city": "Busan"}
    assert spending.spent(utc_day(clock.now)) == (2, 30)


def test_whatever_somebodys_model_raises_is_one_error(clock):
    """Those who ask have one thing to expect; a key in the message is hidden."""
    key = "sk-proj-" + "aB3dE5gH7jK9" * 4
    model = thrifty(Scripted(OSError(f"key {key} refused")), DictSpending(), ModelSettings(), clock)
    with pytest.raises(LanguageModelError) as caught:
        model.complete("x")
    assert "OSError" in str(caught.value)
    assert key not in str(caught.value)


def test_a_function_is_a_model():
    heard = []

    def answer(prompt):
        heard.append(prompt)
        return GOOD

    said = FunctionModel(answer).complete("Where?", system="Be short", schema=SCHEMA)
    assert (said.text, said.ending) == (GOOD, Ending.DONE)
    assert said.input_tokens > said.output_tokens > 0
    assert heard[0].startswith("Be short\n\nWhere?")
    assert '"city"' in heard[0]


@pytest.mark.parametrize("function", [lambda prompt: None, lambda prompt: 7, lambda prompt: 1 / 0])
def test_a_function_that_fails_is_an_error_of_the_model(function):
    with pytest.raises(LanguageModelError):
        FunctionModel(function).complete("x")
