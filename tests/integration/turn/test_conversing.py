"""One call a turn: deciding without a trace, and observing without ever failing the host."""

from __future__ import annotations

import logging

import pytest

from celestial_engine import CelestialMemory, GuardPolicy, Observed, Settings
from celestial_engine.core.record.events import EventType
from celestial_engine.core.record.lifetimes import Source, Tier, TierReason
from celestial_engine.core.turn.conversation import Action, Utterance
from celestial_engine.core.turn.policy import DecisionReason
from celestial_engine.errors import DiskFullError, InvalidInputError
from celestial_engine.testing.fakes import FakeClock

KEY = "sk-ant-api03-" + "Ab1" * 20


@pytest.fixture
def memory(tmp_path):
    with CelestialMemory(tmp_path / "m.db", rebalance_interval=None, embedder="none", clock=FakeClock()) as opened:
        yield opened


class TestDecide:
    @pytest.mark.parametrize("text", ["My name is Mina", "What's my name?", "I like tea", "hello", f"key {KEY}"])
    def test_never_writes(self, memory, text):
        memory.store("I like tea")
        before = memory.ledger.head()
        memory.decide(text, ["hello", {"role": "assistant", "content": "hi"}])
        assert memory.ledger.head() == before
        assert [(item.content, item.recall_count, item.mention_count) for item in memory.list()] == [
            ("I like tea", 0, 0)
        ]

    @pytest.mark.parametrize(
        ("told", "asked"),
        [
            ("소율이는 일곱 살이에요", "소율이 몇살이에요?"),
            ("남편은 소방관이에요", "남편 직업이 뭐예요?"),
            ("조카는 자두 알레르기가 있어요", "조카 뭐 먹으면 안돼요?"),
            ("보리는 무릎 수술을 해서 산책 금지야", "보리 산책해도 돼?"),
            ("매주 수요일에 도예교실 다녀요", "도예교실 언제 가요"),
        ],
    )
    def test_a_general_question_about_what_is_known_is_looked_up(self, memory, told, asked):
        """The words that only ask are the longest, and push out those that name something."""
        assert memory.decide(asked).action is Action.SKIP
        memory.store(told)
        assert memory.decide(asked).action is Action.RETRIEVE
        assert told in memory.observe(asked).context

    @pytest.mark.parametrize("asked", ["what is a mutex", "김치찌개 끓이는 법 알려줘요", "how do I boil an egg"])
    def test_a_general_question_about_something_else_is_not(self, memory, asked):
        for told in ("소율이는 일곱 살이에요", "My wife Odette is a glazier"):
            memory.store(told)
        assert memory.decide(asked).reason == DecisionReason.GENERAL_QUESTION

    def test_tells_what_observe_then_does(self, memory):
        for text in ("안녕", "내 이름은 민아야", "내 이름이 뭐였지?"):
            expected = memory.decide(text)
            done = memory.observe(text).decision
            assert (done.action, done.reason, done.confidence) == (
                expected.action,
                expected.reason,
                expected.confidence,
            )

    def test_a_question_about_what_is_remembered_is_never_general(self, memory):
        asked = "Is Mina allergic to peanuts?"
        assert memory.decide(asked).action is Action.SKIP
        memory.store("Mina is allergic to peanuts")
        assert memory.decide(asked).action is Action.RETRIEVE
        assert memory.decide("What is the capital of Australia?").action is Action.SKIP

    def test_near_duplicates_are_skipped_with_their_id(self, memory):
        item = memory.store("I like Python")
        decision = memory.decide("i like python!")
        assert (decision.action, decision.duplicate_of) == (Action.SKIP, item.id)

    @pytest.mark.parametrize("text", ["I dislike Python", "I don't like Python", "I like PyPy"])
    def test_the_opposite_is_no_duplicate(self, memory, text):
        memory.store("I like Python")
        assert memory.decide(text).action is Action.SAVE

    def test_korean_opposites_are_no_duplicates(self, memory):
        memory.store("나는 파이썬을 좋아해")
        assert memory.decide("나는 파이썬을 싫어해").duplicate_of is None
        assert memory.decide("나는 파이썬을 좋아해.").duplicate_of is not None

    def test_what_was_just_recalled_is_not_saved_again(self, memory):
        """Also where its owner's store is not asked: the history says which memory it was."""
        recalled = {"role": "tool", "content": "Mina is allergic to peanuts", "memory_id": "m-1"}
        decision = memory.decide("Mina is allergic to peanuts.", [recalled])
        assert (decision.reason, decision.duplicate_of) == (DecisionReason.DUPLICATE, "m-1")

    def test_another_owners_memory_is_no_duplicate(self, memory):
        memory.of("somebody").store("My name is Mina")
        assert memory.of("else").decide("My name is Mina").action is Action.SAVE

    def test_a_duplicate_is_found_among_many(self, memory):
        memory.store_many([f"I like the tea number {number} of the garden" for number in range(300)])
        item = memory.store("I live in Busan near the old harbour with my sister")
        assert memory.decide("I live in Busan near the old harbour with my sister.").duplicate_of == item.id

    def test_the_embedder_is_asked_only_where_words_do_not_tell(self, tmp_path):
        read: list[str] = []

        def embed(text: str) -> list[float]:
            read.append(text)
            if "broken" in text:
                raise RuntimeError("no model today")
            return [1.0, 0.5]

        with CelestialMemory(tmp_path / "v.db", rebalance_interval=None, embed_fn=embed) as memory:
            item = memory.store("I live in Busan")
            read.clear()
            assert memory.decide("I live in Busan!").duplicate_of == item.id
            assert memory.decide("hello").action is Action.SKIP
            assert read == []
            assert memory.decide("I like broken clocks").action is Action.SAVE
            assert read == ["I like broken clocks"]

    def test_a_blocked_secret_is_skipped_unseen(self, tmp_path):
        guard = GuardPolicy(api_key="block")
        with CelestialMemory(
            tmp_path / "g.db", rebalance_interval=None, embedder="none", settings=Settings(guard=guard)
        ) as memory:
            decision = memory.decide(f"Remember my key {KEY}")
            assert (decision.action, decision.reason) == (Action.SKIP, DecisionReason.BLOCKED)
            assert memory.observe(f"Remember my key {KEY}").item is None

    @pytest.mark.parametrize(
        "turn", ["", " ", None, 3, b"x", [], {"role": "wizard", "content": "x"}, {"role": "user"}]
    )
    def test_bad_turns_are_refused_clearly(self, memory, turn):
        with pytest.raises(InvalidInputError):
            memory.decide(turn)
        with pytest.raises(InvalidInputError):
            memory.policy.features(turn)

    @pytest.mark.parametrize("history", ["a text", 5, [None], [{"role": "user"}]])
    def test_a_bad_history_is_refused_clearly(self, memory, history):
        with pytest.raises(InvalidInputError):
            memory.decide("hello", history)


class TestObserve:
    @pytest.mark.parametrize(
        ("said", "tier", "reason"),
        [
            ("My name is Mina", Tier.M365, TierReason.LASTING),
            ("I'm working on the Apollo project until March", Tier.M90, TierReason.SEASON),
            ("The meeting is on Monday at 3pm", Tier.M30, TierReason.PASSING),
        ],
    )
    def test_saves_what_was_overheard_for_as_long_as_it_stays_true(self, memory, said, tier, reason):
        observed = memory.observe(said)
        assert observed.item is not None
        stored = memory.get(observed.item.id)
        assert (stored.content, stored.source) == (said, Source.CONVERSATION)
        assert (stored.tier, stored.tier_reason) == (tier, reason)

    def test_saves_what_it_was_asked_to_for_a_year(self, memory):
        observed = memory.observe("기억해 줘: 매주 화요일은 재택이야")
        assert observed.item is not None
        assert (observed.item.tier, observed.item.tier_reason) == (Tier.M365, TierReason.ASKED)

    def test_saying_it_again_counts_and_stores_nothing(self, memory):
        first = memory.observe("나는 부산에 살아").item
        again = memory.observe("나는 부산에 살아!")
        assert (again.item.id, again.item.mention_count) == (first.id, 1)
        assert memory.observe("나는 부산에 살아").item.mention_count == 2
        assert len(memory.list()) == 1
        newest = memory.ledger.history(first.id)[0]
        assert (newest.type, newest.detail["mentions"]) == (EventType.MENTIONED, 2)

    def test_a_mention_stands_in_no_undos_way(self, memory):
        """As recalls do not: what the memory says is undone, how often it was said stays."""
        item = memory.observe("나는 부산에 살아").item
        memory.update(item.id, importance=0.9)
        changed = memory.ledger.history(item.id)[0].number
        memory.observe("나는 부산에 살아")
        undone = memory.ledger.undo(changed)
        assert (undone.mention_count, undone.arbitrary_importance != 0.9) == (1, True)

    def test_the_past_knows_fewer_mentions(self, tmp_path):
        clock = FakeClock()
        with CelestialMemory(tmp_path / "p.db", rebalance_interval=None, embedder="none", clock=clock) as memory:
            item = memory.observe("나는 부산에 살아").item
            then = clock()
            clock.advance(seconds=60)
            memory.observe("나는 부산에 살아")
            assert memory.get(item.id).mention_count == 1
            assert memory.ledger.as_of(then).get(item.id).mention_count == 0

    def test_fetches_quotes_for_a_question(self, memory):
        memory.observe("My birthday is on May 3rd")
        observed = memory.observe("When is my birthday?")
        assert observed.decision.action is Action.RETRIEVE
        assert "May 3rd" in observed.context
        assert [memory.get(hit).recall_count for hit in observed.hits] == [1]

    def test_a_request_stores_its_statement_and_keeps_the_whole_turn_as_its_source(self, memory):
        asked = "please remember that my passport expires in March"
        item = memory.observe(asked).item
        assert (item.content, item.document.source_text) == ("My passport expires in March", asked)
        assert memory.get(item.id).document.source_text == asked

    def test_the_source_of_a_statement_keeps_no_secret(self, memory):
        item = memory.observe("please remember that my wifi password is hunter2Xyz99").item
        assert "hunter2Xyz99" not in item.content + item.document.source_text

    def test_a_turn_is_no_answer_to_itself(self, memory):
        memory.store("Tofu is in the fridge, cook it tonight")
        observed = memory.observe("I'm a vegetarian. What should I cook tonight?")
        assert observed.item is not None
        assert "Tofu" in observed.context
        assert "vegetarian" not in observed.context

    def test_redacts_before_anything_is_kept(self, memory):
        observed = memory.observe(f"Remember that my API key is {KEY}")
        assert observed.item is not None
        assert KEY not in observed.item.content
        assert memory.ledger.history(observed.item.id)[0].detail["redacted"]

    def test_the_turn_belongs_into_the_next_history(self, memory):
        history: list[Utterance] = []
        for text in ("My name is Mina", "I live in Busan", "What is my name?"):
            observed = memory.observe(text, history)
            assert observed.turn is not None
            history.append(observed.turn)
        features = memory.decide("hello", history).features
        assert (features.turn_position, features.recent_saves, features.recent_retrieves) == (3, 2, 1)

    def test_the_session_and_the_turn_id_are_kept(self, memory):
        observed = memory.observe("My name is Mina", turn_id="t-7", session_id="s-1")
        assert observed.decision.turn_id == "t-7"
        assert observed.item.time.session_id == "s-1"


BAD_TURNS = {
    "empty": "",
    "blank": " \n ",
    "none": None,
    "number": 42,
    "bytes": b"My name is Mina",
    "surrogate": "my name is \ud800",
    "no content": {"role": "user"},
    "number as content": {"role": "user", "content": 5},
    "unknown role": {"role": "wizard", "content": "My name is Mina"},
    "over a megabyte": "a" * ((1 << 20) + 1),
}
ODD_TURNS = {
    "paste": "The garden needs water. " * 4_300,
    "base64": "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo" * 3_000,
    "emoji": "🎉🥳👩‍👩‍👧‍👦" * 30,
    "code": "def f(x):\n    return x + 1;\n\nfor i in range(3):\n    print(i)\n" * 50,
    "scripts": "ありがとう Привет مرحبا 你好 안녕 hello",
    "one letter": "ㅋ",
    "controls": "\x00\x01\x02 hi \u202e",
    "near patterns": "my " * 20_000 + "내 " * 5_000,
}


class TestBadInput:
    @pytest.mark.parametrize("turn", BAD_TURNS.values(), ids=BAD_TURNS)
    def test_what_cannot_be_read_is_skipped_and_told(self, memory, turn, caplog):
        with caplog.at_level(logging.WARNING):
            observed = memory.observe(turn)
        assert (observed.decision.action, observed.decision.reason) == (Action.SKIP, DecisionReason.UNREADABLE)
        assert observed.problem
        assert len(caplog.records) == 1
        assert memory.list() == []

    @pytest.mark.parametrize("turn", ODD_TURNS.values(), ids=ODD_TURNS)
    def test_odd_turns_are_taken_without_a_problem(self, memory, turn):
        memory.store("커피를 좋아한다")
        observed = memory.observe(turn)
        assert observed.problem is None
        assert observed.decision.action in Action

    @pytest.mark.parametrize("name", ["paste", "base64", "emoji", "code"])
    def test_what_is_no_turn_is_not_saved(self, memory, name):
        assert memory.observe(ODD_TURNS[name]).decision.reason in (DecisionReason.TOO_LONG, DecisionReason.NOT_PROSE)
        assert memory.list() == []

    @pytest.mark.parametrize("history", [None, 5, "text", [None, 3, {"role": "x", "content": "y"}]])
    def test_a_bad_history_costs_no_memory(self, memory, history):
        observed = memory.observe("My name is Mina", history)
        assert (observed.problem, observed.item is not None) == (None, True)

    @pytest.mark.parametrize("wrong", [{"turn_id": 5}, {"budget": -1}, {"budget": "x"}, {"session_id": 5}])
    def test_wrong_use_is_a_problem_not_an_exception(self, memory, wrong):
        assert isinstance(memory.observe("My name is Mina", **wrong), Observed)

    def test_a_failing_store_is_told_and_logged_once(self, memory, monkeypatch, caplog):
        def full(*_args: object, **_named: object) -> None:
            raise DiskFullError(path=memory.path)

        memory.store("My birthday is on May 3rd")
        monkeypatch.setattr(memory, "store", full)
        with caplog.at_level(logging.WARNING):
            observed = memory.observe("My name is Mina. When is my birthday?")
        assert "no room left" in str(observed.problem)
        assert observed.item is None
        assert "May 3rd" in observed.context  # what could be done was done
        assert len(caplog.records) == 1

    def test_a_failing_search_costs_no_memory(self, memory, monkeypatch):
        memory.store("My birthday is on May 3rd")
        monkeypatch.setattr("celestial_engine.engine.conversation.composed", lambda *_args, **_named: 1 / 0)
        observed = memory.observe("My name is Mina. When is my birthday?")
        assert "ZeroDivisionError" in str(observed.problem)
        assert observed.item is not None

    def test_who_fails_to_learn_costs_no_memory(self, memory, monkeypatch):
        monkeypatch.setattr(memory.parts.lessons, "learn_from", lambda *_args: 1 / 0)
        observed = memory.observe("My name is Mina")
        assert "ZeroDivisionError" in str(observed.problem)
        assert observed.item is not None

    def test_a_closed_memory_does_not_break_the_loop(self, memory):
        memory.close()
        assert "closed" in str(memory.observe("My name is Mina").problem)
