"""The server as one file for clients that install with a click (.mcpb), and its entry for the MCP registry.

    python -m bundling.mcpb [FOLDER]

The bundle carries the package itself; `uv`, which those clients bring along, installs what it needs. The same
sources always give the same bytes.
"""

from __future__ import annotations

import json
import sys
import zipfile
from hashlib import sha256
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

from celestial_engine import __version__
from celestial_engine.surfaces.mcp.greeting import TITLE
from celestial_engine.surfaces.mcp.prompts import NAMES, prompt_of
from celestial_engine.surfaces.mcp.texts import speaking
from celestial_engine.surfaces.mcp.tools import TOOLS

ROOT = Path(__file__).parents[1]
PACKAGE = "celestial-engine"
REGISTRY_NAME = "io.github.celestial-engine/celestial-memory"
DESCRIPTION = "Long-term memory for AI agents, in English and Korean, in one local file."
_ENTRY = "src/celestial_engine/__main__.py"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
_SETTINGS = {
    "database": (
        "CELESTIAL_DB",
        "Database",
        "Where memories are kept; empty for your data folder. 기억을 저장할 파일",
    ),
    "language": ("CELESTIAL_LANG", "Language", "en or ko: the language of questions put to you. 언어"),
}


def manifest() -> dict[str, Any]:
    """What a client reads of the bundle."""
    say, about = speaking("en"), metadata(PACKAGE)
    arguments = ["run", "--directory", "${__dirname}", "--no-dev", "--extra", "mcp", "celestial", "mcp"]
    return {
        "manifest_version": "0.4",
        "name": "celestial-memory",
        "display_name": TITLE,
        "version": __version__,
        "description": DESCRIPTION,
        "long_description": about["Summary"],
        "author": {"name": "Celestial Memory Engine contributors"},
        "license": about["License-Expression"],
        "keywords": about["Keywords"].split(","),
        "server": {
            "type": "uv",
            "entry_point": _ENTRY,
            "mcp_config": {
                "command": "uv",
                "args": arguments,
                "env": {variable: f"${{user_config.{name}}}" for name, (variable, *_) in _SETTINGS.items()},
            },
        },
        "tools": [{"name": name, "description": operation.summary} for name, operation in TOOLS.items()],
        "prompts": [
            {
                "name": name,
                "description": say(f"prompt.{name}"),
                "arguments": ["question"] if name == "recall" else [],
                "text": prompt_of(name, {"question": "${arguments.question}"}, say),
            }
            for name in NAMES
        ],
        "user_config": {
            name: {"type": "string", "title": title, "description": text, "required": False, "default": ""}
            for name, (_, title, text) in _SETTINGS.items()
        },
        "compatibility": {
            "platforms": ["darwin", "win32", "linux"],
            "runtimes": {"python": about["Requires-Python"]},
        },
    }


def registry_entry() -> dict[str, Any]:
    """What the registry keeps: `uvx --from celestial-engine[mcp] celestial-engine mcp`."""
    package = {
        "registryType": "pypi",
        "identifier": PACKAGE,
        "version": __version__,
        "runtimeHint": "uvx",
        "transport": {"type": "stdio"},
        "runtimeArguments": [
            {"type": "named", "name": "--from", "value": f"{PACKAGE}[mcp]=={__version__}"},
        ],
        "packageArguments": [{"type": "positional", "value": "mcp"}],
        "environmentVariables": [
            {"name": variable, "description": text, "isRequired": False} for variable, _, text in _SETTINGS.values()
        ],
    }
    return {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": REGISTRY_NAME,
        "title": TITLE,
        "description": DESCRIPTION,
        "version": __version__,
        "packages": [package],
    }


def build(folder: Path) -> tuple[Path, Path]:
    """Both files."""
    folder.mkdir(parents=True, exist_ok=True)
    bundle = folder / f"celestial-memory-{__version__}.mcpb"
    with zipfile.ZipFile(bundle, "w", zipfile.ZIP_DEFLATED) as archive:
        _put(archive, "manifest.json", _json(manifest()))
        for name in ("pyproject.toml", "README.md", "LICENSE", "NOTICE"):
            _put(archive, name, (ROOT / name).read_bytes())
        for path in sorted((ROOT / "src").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                _put(archive, path.relative_to(ROOT).as_posix(), path.read_bytes())
    entry = folder / "server.json"
    entry.write_bytes(_json(registry_entry()))
    return bundle, entry


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    info = zipfile.ZipInfo(name, _LONG_AGO)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    archive.writestr(info, data)


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


if __name__ == "__main__":
    for made in build(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist"):
        print(f"{made}  {made.stat().st_size} bytes  sha256 {sha256(made.read_bytes()).hexdigest()}")
