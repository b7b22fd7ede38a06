from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests import postgres_server

from celestial_engine import CelestialMemory
from celestial_engine.errors import CelestialError
from celestial_engine.testing.error_fields import check_error
from celestial_engine.testing.fakes import FakeClock, bag_of_words

_NEVER_AGAIN = [Path(__file__).parent / name for name in ("e2e/crash", "universes")]

settings.register_profile("default", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("default")


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No test reads or writes the default database of the user who runs it."""
    for name in (
        "CELESTIAL_DB",
        "CELESTIAL_USER",
        "CELESTIAL_AGENT",
        "CELESTIAL_DURABILITY",
        "CELESTIAL_LANG",
        "CELESTIAL_FILES",
        "CELESTIAL_KEY",
        "CELESTIAL_KEY_FROM",
        "CELESTIAL_LEDGER",
        "CELESTIAL_POOL_SIZE",
        "CELESTIAL_STATEMENT_TIMEOUT",
        "CELESTIAL_LEARNING",
        "CELESTIAL_IMAGINE",
        "CELESTIAL_QUIET",
        "CELESTIAL_TZ",
        "CELESTIAL_SOUL",
        "CELESTIAL_MODEL",
        "CELESTIAL_MODEL_KEY",
        "CELESTIAL_MODEL_USE",
        "CELESTIAL_CONFIG",
        "CELESTIAL_PERSONAS",
        "CELESTIAL_SYNC_PASSPHRASE",
        "CELESTIAL_SYNC_TOKEN",
        "CELESTIAL_TIME",
        "XDG_CONFIG_HOME",
        "PYTHONDONTWRITEBYTECODE",  # otherwise each command that tests start would compile everything again
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("CELESTIAL_EMBEDDER", "none")  # tests of embedders choose one
    monkeypatch.setenv("CELESTIAL_WORDS", "pairs")  # tests of morphemes load them
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)


@pytest.fixture(autouse=True)
def _checked_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that every error created in a test has exactly the fields its message needs."""
    monkeypatch.setattr(CelestialError, "on_creation", staticmethod(check_error))


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A PostgreSQL server of this test process; `postgres.url()` is an empty database on it."""
    yield postgres_server.server()
    postgres_server.stop_server()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def calendar_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every day counts for lifetimes, for tests whose owner does nothing for weeks."""
    monkeypatch.setenv("CELESTIAL_TIME", "calendar")


@pytest.fixture
def memory(clock: FakeClock) -> Iterator[CelestialMemory]:
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock) as opened:
        yield opened


@pytest.fixture
def embedded(clock: FakeClock) -> Iterator[CelestialMemory]:
    with CelestialMemory(":memory:", rebalance_interval=None, clock=clock, embed_fn=bag_of_words) as opened:
        yield opened


@pytest.hookimpl(trylast=True)  # the folders mark their own tests first
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Try tests that start processes once more when they fail, and name them at the end.

    On a busy machine a page, a server and a test can meet in an order that no user sees; one that fails twice has
    failed. Not so where a rare failure means that something is lost: those tests kill processes at random moments.
    """
    if config.pluginmanager.hasplugin("rerunfailures"):
        for item in items:
            if item.get_closest_marker("slow") and not any(item.path.is_relative_to(each) for each in _NEVER_AGAIN):
                item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report skipped browser tests, so that the dashboard is not taken for tested."""
    left_out = [report for report in terminalreporter.stats.get("skipped", ()) if "tests/browser/" in report.nodeid]
    for reason in sorted({report.longrepr[2] for report in left_out}):
        terminalreporter.write_line(f"{len(left_out)} browser tests did not run. {reason}", yellow=True, bold=True)
