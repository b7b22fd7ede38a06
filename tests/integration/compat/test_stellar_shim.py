"""stellar-memory's public calls on our engine: what its users rely on, and what is better here."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from celestial_engine.compat.stellar import (
    MemoryPlugin,
    Preset,
    StellarBuilder,
    StellarConfig,
    StellarMemory,
    use_celestial_function,
)
from celestial_engine.compat.stellar.config import DecayConfig, EmotionConfig, SecurityConfig, ZoneConfig
from celestial_engine.compat.stellar.memory_function import MemoryFunction
from celestial_engine.compat.stellar.models import EmotionVector, MemoryItem
from celestial_engine.errors import (
    ConfigError,
    ForeignDatabaseError,
    InvalidImportanceError,
    InvalidInputError,
    InvalidItemError,
    InvalidMetadataError,
    NotFoundError,
)
from celestial_engine.testing.fakes import bag_of_words


@pytest.fixture
def stellar(clock):
    with StellarMemory(StellarConfig(db_path=":memory:"), clock=clock) as memory:
        yield memory


def opened(clock, **settings):
    return StellarMemory(StellarConfig(db_path=":memory:", **settings), clock=clock)


class TestStoringAndAsking:
    def test_a_question_of_several_words_finds_what_none_of_its_substrings_is(self, stellar):
        """Theirs looks for the whole question as a substring."""
        stellar.store("파이썬은 1991년에 만들어졌다", importance=0.8)
        assert [item.content for item in stellar.recall("파이썬 역사")] == ["파이썬은 1991년에 만들어졌다"]

    def test_a_recall_counts_and_refreshes(self, stellar, clock):
        stored = stellar.store("the meeting is at 3pm")
        clock.advance(hours=5)
        (hit,) = stellar.recall("meeting")
        assert (hit.recall_count, hit.last_recalled_at) == (1, clock())
        assert stellar.get(stored.id).recall_count == 1

    def test_a_blank_question_finds_nothing(self, stellar):
        stellar.store("something")
        assert stellar.recall("  ") == []

    def test_a_question_that_is_no_text_is_told_so(self, stellar):
        with pytest.raises(InvalidInputError, match="it must be text, not int"):
            stellar.recall(5)

    def test_importance_is_cut_to_the_scale_but_never_made_up(self, stellar):
        assert stellar.store("much", importance=7).arbitrary_importance == 1.0
        with pytest.raises(InvalidImportanceError):
            stellar.store("not a number", importance=float("nan"))

    def test_a_judged_memory_says_by_what(self, stellar):
        item = stellar.store("Remember: the deadline is 2027-03-01!", auto_evaluate=True)
        assert item.metadata["evaluation"] == "rules"

    def test_the_best_memories_outlive_the_process(self, tmp_path, clock):
        """Theirs keeps zones 0 and 1 in RAM."""
        config = StellarConfig(db_path=str(tmp_path / "m.db"))
        with StellarMemory(config, clock=clock) as memory:
            item = memory.store("core of all", importance=1.0)
            for _ in range(400):
                memory.recall("core")
            assert memory.get(item.id).zone <= 1
        with StellarMemory(config, clock=clock) as again:
            assert again.get(item.id).recall_count == 400

    def test_what_is_forgotten_can_be_restored(self, stellar):
        item = stellar.store("a mistake")
        assert stellar.forget(item.id) is True
        assert stellar.get(item.id) is None
        assert stellar.forget(item.id) is False
        stellar.engine.restore(item.id)
        assert stellar.get(item.id).content == "a mistake"

    def test_one_user_never_meets_another(self, stellar):
        mine = stellar.store("my secret garden", user_id="ann")
        assert stellar.recall("garden", user_id="bob") == []
        assert stellar.get(mine.id, user_id="bob") is None
        assert stellar.forget(mine.id, user_id="bob") is False
        assert [item.user_id for item in stellar.recall("garden", user_id="ann")] == ["ann"]

    def test_secrets_do_not_get_in(self, stellar):
        item = stellar.store("the key is sk-ant-api03-" + "a1B2" * 23 + "AA")
        assert "a1B2a1B2" not in stellar.get(item.id).content

    def test_a_session_comes_first(self, stellar):
        stellar.store("python basics")
        session = stellar.start_session()
        own = stellar.store("python in this talk")
        assert own.metadata["session_id"] == session.session_id
        assert stellar.recall("python")[0].id == own.id
        ended = stellar.end_session()
        assert "python in this talk" in ended.summary
        assert any(item.content.startswith("[Session Summary]") for item in stellar.all_items())


class TestScoresAndZones:
    def test_a_score_is_the_engines_on_their_scale(self, stellar):
        item = stellar.store("fresh", importance=0.8)
        weights = stellar.config.memory_function
        assert item.total_score == pytest.approx(stellar.engine.get(item.id).total_score + weights.w_freshness)
        assert item.total_score == pytest.approx(weights.w_freshness + weights.w_arbitrary * 0.8)

    def test_the_function_says_the_same_as_the_engine(self, stellar, clock):
        item = stellar.store("both", importance=0.4)
        function = MemoryFunction(stellar.config.memory_function, stellar.config.zones)
        for hours in (0.02, 3, 48, 1440):
            clock.advance(hours=hours)
            now = stellar.get(item.id)
            assert function.calculate(now, clock()).total == pytest.approx(now.total_score)

    def test_unused_memories_drift_outward_and_used_ones_stay(self, stellar, clock):
        hot = [stellar.store(f"hot number {n}", importance=0.8) for n in range(5)]
        cold = [stellar.store(f"cold number {n}", importance=0.3) for n in range(15)]
        clock.advance(days=2)
        for item in hot:
            stellar.recall(item.content, limit=1)
        stellar.reorbit()
        zones = {item.id: item.zone for item in stellar.all_items()}
        assert max(zones[item.id] for item in hot) < min(zones[item.id] for item in cold)
        assert all(zones[item.id] > item.zone for item in cold)
        assert stellar.stats().total_memories == 20

    def test_what_is_idle_far_out_is_forgotten_after_the_days_that_were_set(self, clock):
        with opened(clock, decay=DecayConfig(auto_forget_days=10)) as memory:
            told = []
            memory.on("on_auto_forget", told.append)
            idle, used = memory.store("trivial", importance=0.0), memory.store("useful", importance=0.0)
            clock.advance(days=9)
            memory.recall("useful")
            memory.reorbit()
            assert memory.get(idle.id) is not None
            clock.advance(days=2)
            memory.reorbit()
            assert memory.get(idle.id) is None
            assert memory.get(used.id) is not None
            assert told == [idle.id]

    def test_without_decay_nothing_is_ever_forgotten(self, clock):
        with opened(clock, decay=DecayConfig(enabled=False)) as memory:
            item = memory.store("stays", importance=0.0)
            for _ in range(4):
                clock.advance(days=200)
                memory.reorbit()
                memory.engine.night.sleep_if_due()
            assert memory.get(item.id) is not None

    def test_a_full_outermost_zone_loses_nobody(self, clock):
        """Theirs deletes the 201st memory of the smallest preset for good."""
        zones = [ZoneConfig(0, "core", 2, 0.8), ZoneConfig(1, "rest", 3, 0.0, 0.8)]
        with opened(clock, zones=zones) as memory:
            for number in range(9):
                memory.store(f"memory {number}")
            memory.reorbit()
            assert memory.stats().zone_counts == {0: 0, 1: 9}

    def test_changing_one_memorys_zones_leaves_the_others_alone(self):
        StellarBuilder(Preset.CHAT).with_zones(core=3)
        assert StellarConfig().zones[0].max_slots == 20

    def test_bounds_that_do_not_fall_are_refused(self, clock):
        with pytest.raises(ConfigError):
            opened(clock, zones=[ZoneConfig(0, "core", 2, 0.1), ZoneConfig(1, "rest", None, 0.5)])


class TestTies:
    def test_edges_survive_a_restart(self, tmp_path, clock):
        config = StellarConfig(db_path=str(tmp_path / "m.db"))
        with StellarMemory(config, clock=clock) as memory:
            one, two = memory.store("first"), memory.store("second", metadata={"a": 1})
            memory.link(one.id, two.id, "causes", 0.5)
        with StellarMemory(config, clock=clock) as again:
            (edge,) = again.graph.get_edges(one.id)
            assert (edge.target_id, edge.edge_type, edge.weight) == (two.id, "causes", 0.5)
            assert [item.id for item in again.related(one.id)] == [two.id]
            assert again.get(two.id).metadata == {"a": 1}
            assert again.get(one.id).metadata == {}  # the edges are not the user's metadata

    def test_an_edge_to_nobody_is_refused(self, stellar):
        one = stellar.store("first")
        with pytest.raises(NotFoundError):
            stellar.link(one.id, "nobody")

    def test_an_edge_to_something_forgotten_is_not_shown(self, stellar):
        one, two = stellar.store("first"), stellar.store("second")
        stellar.link(one.id, two.id)
        stellar.forget(two.id)
        assert stellar.graph.get_edges(one.id) == []
        assert stellar.graph.count_edges() == 0

    def test_the_lightest_of_too_many_edges_goes(self, clock):
        config = StellarConfig(db_path=":memory:")
        config.graph.max_edges_per_item = 2
        with StellarMemory(config, clock=clock) as memory:
            hub, *others = (memory.store(f"memory {n}") for n in range(4))
            for weight, other in zip((0.5, 0.1, 0.9), others, strict=True):
                memory.link(hub.id, other.id, weight=weight)
            assert {edge.weight for edge in memory.graph.get_edges(hub.id)} == {0.5, 0.9}

    def test_metadata_that_pretends_to_be_edges_is_read_with_care(self, stellar):
        item = stellar.engine.store("odd", metadata={"stellar_memory": {"edges": [1, {"source_id": "x"}, None]}})
        assert stellar.graph.get_edges(item.id) == []
        with pytest.raises(InvalidMetadataError):
            stellar.store("odd", metadata={"stellar_memory": {}})


class TestMoving:
    def test_everything_comes_through_their_json(self, stellar, clock):
        stellar.store("하나", importance=0.9, metadata={"k": ["v"]}, emotion=EmotionVector(joy=0.7))
        stellar.store("two", content_type="code")
        stellar.recall("two")
        clock.advance(days=3)
        with opened(clock) as other:
            assert other.import_json(stellar.export_json()) == 2
            assert other.import_json(stellar.export_json()) == 0  # known already
            kept = ("id", "content", "created_at", "last_recalled_at", "recall_count", "metadata", "emotion",
                    "content_type", "arbitrary_importance")  # fmt: skip
            assert [[getattr(item, name) for name in kept] for item in other.all_items()] == [
                [getattr(item, name) for name in kept] for item in stellar.all_items()
            ]
            assert [item.content for item in other.recall("하나")] == ["하나"]

    @pytest.mark.parametrize(
        "broken",
        ["", "[]", "{}", '{"items": 3}', '{"items": [{"id": "a"}]}', '{"items": [null]}', "[" * 100_000,
         '{"items": [{"id": "a", "content": 5, "created_at": 1.0, "last_recalled_at": 1.0}]}'],
        ids=lambda text: text[:24],
    )  # fmt: skip
    def test_a_document_that_cannot_be_read_changes_nothing(self, stellar, broken):
        with pytest.raises(InvalidItemError):
            stellar.import_json(broken)
        assert stellar.all_items() == []

    @pytest.mark.parametrize("wrong", [{"arbitrary_importance": "high"}, {"recall_count": -5}])
    def test_one_bad_record_keeps_all_out(self, stellar, wrong):
        """However many come before it: the last is looked at before the first is written."""
        good = {"content": "good", "created_at": 1.0, "last_recalled_at": 1.0}
        items = [*({**good, "id": f"a{number}"} for number in range(600)), {**good, "id": "b", **wrong}]
        with pytest.raises(InvalidInputError):
            stellar.import_json(json.dumps({"items": items}))
        assert stellar.stats().total_memories == 0

    def test_their_database_is_not_overwritten(self, tmp_path):
        path = tmp_path / "stellar_memory.db"
        with sqlite3.connect(path) as theirs:
            theirs.execute("CREATE TABLE memories_zone_2 (id TEXT PRIMARY KEY, content TEXT)")
            theirs.execute("INSERT INTO memories_zone_2 VALUES ('a', 'old memory')")
        theirs.close()
        before = path.read_bytes()
        with pytest.raises(ForeignDatabaseError):
            StellarMemory(StellarConfig(db_path=str(path)))
        assert path.read_bytes() == before

    def test_vectors_travel_in_their_form(self, clock):
        with StellarMemory(StellarConfig(db_path=":memory:"), clock=clock, embed_fn=bag_of_words) as memory:
            item = memory.store("with a vector")
            (record,) = json.loads(memory.export_json())["items"]
            assert "embedding_b64" in record
            assert "embedding_b64" not in json.loads(memory.export_json(include_embeddings=False))["items"][0]
            (snapped,) = memory.snapshot().items
            assert snapped["id"] == item.id


class TestWhoIsTold:
    def test_what_a_plugin_changes_is_stored(self, stellar):
        class Tagger(MemoryPlugin):
            name = "tagger"

            def on_store(self, item: MemoryItem) -> MemoryItem:
                item.metadata["tagged"] = True
                return item

        stellar.use(Tagger())
        assert stellar.get(stellar.store("hello").id).metadata == {"tagged": True}

    def test_a_plugin_that_fails_costs_nobody_a_memory(self, stellar):
        class Broken(MemoryPlugin):
            def on_store(self, item):
                raise RuntimeError

            def on_forget(self, memory_id):
                raise RuntimeError

        stellar.use(Broken())
        item = stellar.store("still here")
        assert stellar.forget(item.id) is False
        assert stellar.get(item.id) is not None

    def test_plugins_hear_who_moved_where(self, stellar, clock):
        heard = []

        class Listener(MemoryPlugin):
            def on_reorbit(self, moves):
                heard.extend(moves)

        stellar.use(Listener())
        item = stellar.store("drifts", importance=0.6)
        clock.advance(days=2)
        stellar.reorbit()
        assert heard == [(item.id, item.zone, stellar.get(item.id).zone)]

    def test_on_is_short_for_the_event_bus(self, stellar):
        """Theirs raises AttributeError: it calls a method that its bus has not."""
        heard = []
        stellar.on("on_store", heard.append)
        item = stellar.store("hello")
        assert heard == [item]

    def test_felt_emotions_are_found_by_their_name(self, clock):
        with opened(clock, emotion=EmotionConfig(enabled=True)) as memory:
            memory.store("I am so happy and excited about the trip!")
            memory.store("The trip was cancelled, I am sad and I cried")
            assert [item.emotion.dominant for item in memory.recall("trip", emotion="sadness")] == ["sadness"]
            with pytest.raises(InvalidInputError):
                memory.recall("trip", emotion="melancholy")


class TestWhatIsNotThere:
    def test_encryption_is_refused_and_not_pretended(self, stellar, clock):
        """Theirs stores the plain text when no key is set."""
        with pytest.raises(InvalidInputError):
            stellar.store("private", encrypted=True)
        with pytest.raises(ConfigError):
            opened(clock, security=SecurityConfig(enabled=True))
        assert stellar.all_items() == []

    def test_settings_that_mean_nothing_are_named(self, clock):
        with StellarBuilder(Preset.AGENT).with_memory().build() as memory:
            assert memory.unheeded == ("self_learning.enabled",)

    def test_a_missing_call_says_where_to_look(self, stellar):
        with pytest.raises(AttributeError, match="feedback"):
            stellar.optimize()
        assert not hasattr(stellar, "no_such_call")

    def test_only_a_stellar_memory_takes_our_function(self, stellar):
        for other in (object(), stellar):
            with pytest.raises(InvalidInputError):
                use_celestial_function(other)

    def test_an_empty_namespace_is_not_the_folder_of_all(self, tmp_path):
        from celestial_engine.compat.stellar.namespace import NamespaceManager

        manager = NamespaceManager(str(tmp_path))
        manager.get_db_path("kept")
        with pytest.raises(InvalidInputError):
            manager.delete_namespace("")
        assert (tmp_path / "kept").is_dir()


def test_background_work_starts_and_stops(stellar):
    assert stellar.health().scheduler_running is False
    stellar.start()
    assert stellar.health().scheduler_running is True
    stellar.stop()
    assert stellar.health().scheduler_running is False
    assert stellar.store("still open after stop").zone >= 0


def test_code_that_cannot_be_changed_gets_the_shim():
    program = (
        "from celestial_engine.compat.stellar import stand_in; stand_in()\n"
        "from stellar_memory import StellarBuilder, StellarMemory\n"
        "from stellar_memory.config import StellarConfig\n"
        "memory = StellarMemory(StellarConfig(db_path=':memory:'))\n"
        "memory.store('hello world'); print(memory.recall('hello')[0].content, type(memory).__module__)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["hello", "world", "celestial_engine.compat.stellar.stellar"]


def test_the_example_of_the_documentation_prints_what_it_says(capsys):
    page = (Path(__file__).parents[3] / "docs" / "stellar-memory.md").read_text(encoding="utf-8")
    code = re.search(r"^```python\n(.*?)^```", page, re.MULTILINE | re.DOTALL).group(1)
    exec(compile(code, "stellar-memory.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == re.findall(r"print\(.*\)  # (.+)$", code, re.MULTILINE)
