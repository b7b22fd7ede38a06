"""The hook that builds the pages: when it has something to do, with which Node.js, and what it says if it cannot."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def hook():
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def tree(tmp_path, hook):
    """A source and what was built of it, a second later."""
    files = [tmp_path / "dashboard" / "package.json", tmp_path / "dashboard" / "node_modules" / "x.js"]
    files.append(tmp_path / hook.STATIC / "index.html")
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}")
        os.utime(file, (1_000_000, 1_000_000))
    return tmp_path


def a_hook(hook, root: Path):
    return hook.DashboardHook(str(root), {}, None, None, str(root), "wheel")


def a_node(folder: Path, version: str) -> str:
    """A node that says its version, and an npm that fails."""
    folder.mkdir()
    for name, script in (("node", f"echo {version}"), ("npm", "exit 7")):
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    return str(folder)


def test_only_what_is_out_of_date_is_built(hook, tree):
    """What was built of these very sources, or came without any, is left alone; a newer source is not."""
    assert not hook.is_stale(tree)
    os.utime(tree / "dashboard" / "node_modules" / "x.js")
    assert not hook.is_stale(tree)
    os.utime(tree / "dashboard" / "package.json")
    assert hook.is_stale(tree)
    (tree / "dashboard" / "package.json").unlink()
    assert not hook.is_stale(tree)


def test_what_was_built_is_shipped(hook, tree):
    told = {"artifacts": []}
    a_hook(hook, tree).initialize("standard", told)
    assert told["artifacts"] == ["src/celestial_engine/surfaces/dashboard/static/**"]


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
@pytest.mark.parametrize(
    ("version", "good"), [("v20.19.0", True), ("v22.1.0", True), ("v18.20.0", False), ("", False)]
)
def test_an_old_node_is_none(hook, tree, tmp_path, monkeypatch, version, good):
    """Then the one of PyPI is asked for, unless there is nothing to build or nobody wants it."""
    monkeypatch.setenv("PATH", a_node(tmp_path / "bin", version))
    monkeypatch.delenv("CELESTIAL_NO_DASHBOARD", raising=False)
    os.utime(tree / "dashboard" / "package.json")
    assert (hook.node_on_path() is not None) == good
    assert a_hook(hook, tree).dependencies() == ([] if good else [hook.NODE_PACKAGE])
    monkeypatch.setenv("CELESTIAL_NO_DASHBOARD", "1")
    assert a_hook(hook, tree).dependencies() == []
    a_hook(hook, tree).initialize("standard", {"artifacts": []})


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
def test_a_build_that_fails_says_what_to_do(hook, tree, tmp_path, monkeypatch):
    """An editable install builds nothing, so it cannot fail by it."""
    monkeypatch.delenv("CELESTIAL_NO_DASHBOARD", raising=False)
    os.utime(tree / "dashboard" / "package.json")
    monkeypatch.setenv("PATH", a_node(tmp_path / "bin", "v22.0.0") + os.pathsep + os.environ["PATH"])
    with pytest.raises(RuntimeError, match=r"npm ci.*exit 7.*CELESTIAL_NO_DASHBOARD"):
        a_hook(hook, tree).initialize("standard", {"artifacts": []})
    a_hook(hook, tree).initialize("editable", {"artifacts": []})
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(hook, "node_from_package", lambda: None)
    with pytest.raises(RuntimeError, match=r"needs Node\.js"):
        a_hook(hook, tree).initialize("standard", {"artifacts": []})


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
def test_a_server_starts_without_a_dashboard_that_cannot_be_built(hook, tree, tmp_path, monkeypatch, capfd):
    """`make run` is told why and how to get it; `make dashboard` fails."""
    monkeypatch.delenv("CELESTIAL_NO_DASHBOARD", raising=False)
    os.utime(tree / "dashboard" / "package.json")
    monkeypatch.setenv("PATH", a_node(tmp_path / "bin", "v22.0.0") + os.pathsep + os.environ["PATH"])
    monkeypatch.setattr(hook, "__file__", str(tree / "hatch_build.py"))
    assert hook.main([]) == 1
    assert capfd.readouterr().err.startswith("`npm ci")
    assert hook.main(["--optional"]) == 0
    assert capfd.readouterr().err.startswith("The server starts without its dashboard: `npm ci")


@pytest.mark.skipif(os.name == "nt", reason="writes shell scripts")
def test_a_node_that_cannot_be_fetched_is_told(hook, tree, tmp_path, monkeypatch, capfd):
    """Neither on PATH nor from PyPI: one line, and what to do."""
    monkeypatch.delenv("CELESTIAL_NO_DASHBOARD", raising=False)
    os.utime(tree / "dashboard" / "package.json")
    failing = Path(a_node(tmp_path / "bin", "v22.0.0")) / "npm"
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    monkeypatch.setattr(hook, "__file__", str(tree / "hatch_build.py"))
    monkeypatch.setattr(hook.sys, "executable", str(failing))
    monkeypatch.setattr(hook, "node_from_package", lambda: None)
    assert hook.main(["--optional"]) == 0
    (line,) = capfd.readouterr().err.splitlines()
    assert "Node.js could not be installed" in line
    assert "make dashboard" in line
