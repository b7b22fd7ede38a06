"""The files in deploy/: syntax, names that fit together, and options that the command has."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.postgres_server import Server

from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts

DEPLOY = Path(__file__).parents[2] / "deploy"


@pytest.fixture(scope="module")
def compose() -> dict[str, dict[str, dict[str, object]]]:
    yaml = pytest.importorskip("yaml")
    return dict(yaml.safe_load((DEPLOY / "compose.postgres.yml").read_text(encoding="utf-8")))


def test_services_volumes_and_files_exist(compose):
    services = compose["services"]
    for service in services.values():
        assert set(service.get("depends_on", ())) <= services.keys()
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).is_file(), volume
        if "build" in service:
            assert (DEPLOY / service["build"]["context"] / service["build"]["dockerfile"]).is_file()
    assert {"postgres", "server-1", "server-2", "balancer"} <= services.keys()


def test_servers_are_started_with_options_that_exist(compose):
    servers = [service for name, service in compose["services"].items() if name.startswith("server")]
    for server in servers:
        arguments = build_parser(Texts("en"), "serve").parse_args(server["command"])
        assert arguments.workers == "2"
        assert server["environment"]["CELESTIAL_DB"].startswith("postgresql://celestial@postgres/")
        assert server["stop_grace_period"] == "40s", "longer than draining takes"


def test_the_balancer_knows_every_server_and_asks_whether_it_is_ready(compose):
    config = (DEPLOY / "haproxy.cfg").read_text(encoding="utf-8")
    servers = {name for name in compose["services"] if name.startswith("server")}
    assert set(re.findall(r"^\s+server (\S+) \1:8484$", config, re.MULTILINE)) == servers
    assert "uri /ready" in config
    if shutil.which("haproxy"):
        subprocess.run(["haproxy", "-c", "-f", DEPLOY / "haproxy.cfg"], check=True)


def test_the_database_is_set_up_as_the_store_needs_it(postgres: Server):
    """The statements of the script, run on a real server."""
    import psycopg

    script = (DEPLOY / "postgres-init.sh").read_text(encoding="utf-8")
    subprocess.run(["sh", "-n", DEPLOY / "postgres-init.sh"], check=True)
    statements = script.partition("<<'SQL'\n")[2].partition("\\connect")[0]
    name = "deployed"
    with psycopg.connect(postgres.address("postgres"), autocommit=True) as connection:
        for statement in filter(str.strip, statements.split(";")):
            own = statement.replace("celestial", name).replace(":'password'", "'secret'")
            connection.execute(own.encode())
        connection.execute(f"DROP DATABASE {name}".encode())
        connection.execute(f"DROP ROLE {name}".encode())
