"""The TypeScript client: in step with the OpenAPI document, compiled strictly, and run by Node.js on a real server."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tools.typescript_client import FILE, document, text

ROOT = Path(__file__).parents[3]
COMPILER = ROOT / "dashboard" / "node_modules" / "typescript" / "bin" / "tsc"

PROGRAM = """
import { CelestialClient, CelestialError } from "./index.js";

const [url, token] = process.argv.slice(2);
const client = new CelestialClient(url, token);
const saved = await client.memorySave({ content: "Mina is allergic to peanuts", idempotency_key: "once" });
const again = await client.memorySave({ content: "Mina is allergic to peanuts", idempotency_key: "once" });
const changed = await client.memoryUpdate({ id: saved.id, content: "미나는 땅콩 알레르기가 있다", if_match: saved.version });
const found = await client.memorySearch({ query: "땅콩 알레르기" });
const stale = await client.memoryUpdate({ id: saved.id, content: "x", if_match: saved.version }).catch((error) => error);
const wrong = await new CelestialClient(url, "cel_wrong").memoryStats().catch((error) => error);
const missing = await new CelestialClient(url, token, { language: "ko" }).memoryGet({ id: "no such id" }).catch((e) => e);
const history = await client.memoryHistory({ limit: 1 });
console.log(JSON.stringify({
  once: saved.id === again.id,
  found: found.hits.map((hit) => hit.memory.content),
  changed: changed.id === saved.id,
  stale: [stale instanceof CelestialError, stale.status],
  wrong: wrong.status,
  missing: [missing.status, missing.code, /[가-힣]/.test(missing.message)],
  events: history.events.length,
}));
"""


def test_it_is_in_step():
    """`python -m tools.typescript_client` writes it again."""
    assert FILE.read_text(encoding="utf-8") == text(document())


@pytest.mark.slow
def test_it_works_with_a_real_server(serve, tmp_path):
    from celestial_engine import CelestialMemory

    if not shutil.which("node") or not COMPILER.exists():
        pytest.skip("needs Node.js and the packages of dashboard/ (npm ci)")
    folder = ROOT / "clients" / "typescript"
    subprocess.run([COMPILER, "-p", folder, "--outDir", tmp_path], check=True)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "program.js").write_text(PROGRAM, encoding="utf-8")
    with (
        CelestialMemory(tmp_path / "m.db", embedder="none", rebalance_interval=None) as memory,
        serve(memory) as server,
    ):
        command = ["node", tmp_path / "program.js", server.url, server.token]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {
        "once": True,
        "found": ["미나는 땅콩 알레르기가 있다"],
        "changed": True,
        "stale": [True, 412],
        "wrong": 401,
        "missing": [404, "not_found", True],
        "events": 1,
    }
