"""docs/configuration.md has every setting, every variable and every default."""

from __future__ import annotations

import inspect
import re
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from celestial_engine import (
    CelestialMemory,
    KeepingSettings,
    NightSettings,
    ReadingSettings,
    Settings,
    StorageSettings,
)
from celestial_engine.config import SETTINGS, VARIABLES, Environment
from celestial_engine.config.foreign import FOREIGN_VARIABLES

PAGE = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")


def test_every_setting_is_in_the_table_and_every_row_is_a_setting():
    table = PAGE.partition("## Settings")[2].partition("\n## ")[0]
    first_cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`([\w.]+)`", " ".join(first_cells))) == sorted(setting.key for setting in SETTINGS)
    for setting in SETTINGS:
        row = next(line for line in table.splitlines() if f"`{setting.key}`" in line)
        assert setting.variable is None or f"`{setting.variable}`" in row
        if setting.kind.value in ("whole", "number", "limit"):
            assert setting.default in row.split("|")[3]


def test_every_variable_is_told_of():
    assert all(f"`{name}" in PAGE for name in (*VARIABLES, *FOREIGN_VARIABLES))


def test_every_argument_and_every_field_is_told_of():
    python = PAGE.partition("## In Python")[2].partition("\n## ")[0]
    for name in inspect.signature(CelestialMemory).parameters:
        assert f"`{name}`" in python, name
    for group in fields(Settings):
        assert f"`{group.name}" in python, group.name
    for kind in (StorageSettings, KeepingSettings, NightSettings, ReadingSettings):
        for field in fields(kind):
            assert f"`{field.name}`" in python, field.name


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no reader for TOML")
def test_the_example_is_understood(tmp_path):
    file = tmp_path / "celestial.toml"
    file.write_text(re.search(r"```toml\n(.*?)```", PAGE, re.S).group(1), encoding="utf-8")
    read = Environment.read({"HOME": str(tmp_path), "CELESTIAL_CONFIG": str(file)})
    assert (read.learning, read.learning_tuning, read.model_settings.daily_calls) == ("rich", {"epsilon": 0.05}, 200)
