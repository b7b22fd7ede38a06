"""Files are untrusted: bounded, never obeyed, and read the same however they are cut."""

from __future__ import annotations

import io
import json
import os
import pickle
import zipfile
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from celestial_engine.errors import ImportSourceError
from celestial_engine.importers import import_from, json_parts, pickles, reading
from celestial_engine.importers.json_parts import Element, split_list, split_object
from celestial_engine.importers.pickles import PickledObject, plain_values
from celestial_engine.importers.reading import UnreadableError
from celestial_engine.importers.values import parse_time

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(alphabet='a"\\{}[]\n가 ,:', max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='k"\\', max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(st.lists(values, max_size=6), st.integers(1, 9))
def test_a_list_is_split_where_its_elements_end(elements, chunk):
    """Whatever stands in the texts, and wherever a piece of the file ends."""
    with mock.patch.object(json_parts, "_CHUNK", chunk):
        split = list(split_list(io.StringIO(json.dumps(elements, ensure_ascii=False))))
    assert [json.loads(text) for text in split] == elements


@given(st.dictionaries(st.text(alphabet='k"\\[', max_size=3), values, max_size=5), st.integers(1, 9))
def test_an_object_is_split_into_the_elements_of_its_lists(fields, chunk):
    with mock.patch.object(json_parts, "_CHUNK", chunk):
        parts = list(split_object(io.StringIO(json.dumps(fields, ensure_ascii=False))))
    expected = [
        (json.dumps(name, ensure_ascii=False)[1:-1], element)
        for name, value in fields.items()
        if isinstance(value, list)
        for element in value
    ]
    assert [(part.name, json.loads(part.text)) for part in parts if isinstance(part, Element)] == expected


def test_what_is_nested_outside_of_lists_costs_no_element(tmp_path):
    deep = "[" * 300 + "]" * 300
    path = tmp_path / "deep.json"
    path.write_text(f'{{"a": {{"b": {deep}}}, "results": [{{"id": "m", "memory": "tea"}}, {deep}, 3, "x"]}}')
    read = [value for *_, value in reading.listed(str(path), ("results",))]
    assert read == [{"id": "m", "memory": "tea"}, reading.UnusableEntry("results, item 2", "too_long"), 3, "x"]


def test_a_list_that_is_cut_off_tells_of_its_last_element(tmp_path):
    path = tmp_path / "cut.json"
    path.write_text('[{"a": 1}, {"a": 2, "b": "never end')
    read = [told for _, told in reading.elements(str(path))]
    assert read == [{"a": 1}, reading.UnusableEntry("element 2", "not_json")]


@given(values)
def test_plain_values_are_what_was_pickled(value):
    for protocol in (2, 3, 4, 5):
        assert plain_values(pickle.dumps(value, protocol)) == value


class Bomb:
    def __reduce__(self):
        return os.system, ("touch exploded",)


def test_a_pickle_runs_nothing(tmp_path, monkeypatch):
    """A call becomes a record of its name; the name is not even looked up."""
    monkeypatch.chdir(tmp_path)
    told = plain_values(pickle.dumps({"payload": Bomb()}))
    assert isinstance(told["payload"], PickledObject)
    assert told["payload"].kind.endswith(".system")
    assert pickles.as_json(told) == {"payload": f"<{told['payload'].kind}>"}
    assert not (tmp_path / "exploded").exists()
    assert isinstance(plain_values(b"cno.such.module\nNoSuchClass\n."), PickledObject)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x80\x04.",
        b"\x80\x04]\x94(h\x00h\x00e.",  # a list of itself
        b"\x80\x04}\x94K\x01h\x00s.",  # a dict in itself
        b"\x80\x04r\xff\xff\xff\xff.",  # remembers nothing at a far place
        b"\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\x7fabc.",  # a text that is longer than the file
        b"(lp0\nS'old'\np1\na.",
    ],
)
def test_what_is_more_than_plain_is_refused(data):
    with pytest.raises(UnreadableError):
        plain_values(data)


def test_a_bomb_of_a_zip_ends_before_the_memory_does(memory, tmp_path, monkeypatch):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("conversations.json", '[{"mapping": {}, "id": "x", "filler": "' + "a" * 3_000_000 + '"}]')
    monkeypatch.setattr(reading, "MOST_UNPACKED_BYTES", 1_000_000)
    with pytest.raises(ImportSourceError, match="unpacks to more than"):
        import_from(memory, path, "chatgpt")


def test_a_damaged_zip_or_database_is_told(memory, tmp_path):
    (tmp_path / "bad.zip").write_bytes(b"PK\x03\x04" + b"nonsense" * 20)
    (tmp_path / "bad.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 4000)
    for name, why in (("bad.zip", "the zip cannot be read"), ("bad.db", "the database cannot be read")):
        with pytest.raises(ImportSourceError, match=why):
            import_from(memory, tmp_path / name)


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        (1_700_000_000, 1.7e9), (1_700_000_000_000, 1.7e9), ("1700000000.5", 1_700_000_000.5),
        ("2023-11-14T22:13:20Z", 1.7e9), ("2023-11-14 22:13:20", 1.7e9), ("2023-11-14T22:13:20.250+00:00", 1.7e9 + 0.25),
        ("2023-11-15T07:13:20+09:00", 1.7e9), ("2023-11-15T07:13:20.000000123+0900", 1.7e9),
        ("2023-11-14", 1_699_920_000.0), ("2023/11/14", 1_699_920_000.0), ("2023. 11. 14.", 1_699_920_000.0),
        ("2023.11.14 22:13:20", 1.7e9), ("2024/5/1", 1_714_521_600.0), ("2024/5/1 9:30", 1_714_555_800.0), ("2024. 5", None), ("5/1/2024", None),
        ("yesterday", None), ("", None), (None, None), (True, None), (float("nan"), None), (1e300, None),
        ("2023-99-99", None), ("9" * 400, None),
    ],
)  # fmt: skip
def test_moments(told, seconds):
    assert parse_time(told) == (None if seconds is None else pytest.approx(seconds, abs=1e-5))


def test_a_small_pickle_of_a_large_value_is_refused():
    """The same long text in a thousand places is a line in the file, and gigabytes once it is written out."""
    text = "x" * 100_000
    assert plain_values(pickle.dumps([text] * 10)) == [text] * 10
    with pytest.raises(UnreadableError, match="too_long"):
        plain_values(pickle.dumps([text] * 1000))
