"""The files in deploy/: syntax, names that fit together, and options that the command has."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.postgres_server import Server

from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.rest.serving import GRACE_SECONDS

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
        assert server["stop_grace_period"] == "70s", "longer than draining takes"


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


def test_the_server_with_sqlite_is_started_with_options_that_exist():
    yaml = pytest.importorskip("yaml")
    compose = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))
    server = compose["services"]["server"]
    arguments = build_parser(Texts("en"), "serve").parse_args(server["command"])
    assert arguments.host == "0.0.0.0"
    assert "data:/data" in server["volumes"], "where the image keeps its database"
    (scrape,) = yaml.safe_load((DEPLOY / "prometheus.yml").read_text(encoding="utf-8"))["scrape_configs"]
    (target,) = scrape["static_configs"][0]["targets"]
    assert target.partition(":")[0] in arguments.allow_host, "else the server does not answer to that name"
    files = [volume.split(":")[0] for one in compose["services"].values() for volume in one["volumes"]]
    made_by_the_user = {"./metrics.token"}
    assert all((DEPLOY / name).is_file() for name in files if name.startswith("./") and name not in made_by_the_user)
    assert {name for name in files if not name.startswith("./")} == set(compose["volumes"])


def _compose_client() -> list[str] | None:
    """Docker's Compose, version 2 or newer: the plugin of `docker`, or a program of its own. It needs no engine here."""
    for client in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(client[0]):
            told = subprocess.run([*client, "version", "--short"], capture_output=True, text=True, check=False)
            if told.returncode == 0 and int(told.stdout.strip().lstrip("v").split(".")[0]) >= 2:
                return client
    return None


@pytest.mark.parametrize("name", ["compose.yml", "compose.postgres.yml"])
def test_compose_reads_its_files(name, tmp_path):
    client = _compose_client()
    if client is None:
        pytest.skip("Docker's Compose is not installed")
    folder = Path(shutil.copytree(DEPLOY, tmp_path / "deploy"))
    (folder / "metrics.token").touch()
    passwords = {"POSTGRES_PASSWORD": "one", "CELESTIAL_PASSWORD": "two"}
    others = {key: value for key, value in os.environ.items() if key not in passwords}
    command = [*client, "-f", str(folder / name), "--profile", "*", "config", "--format", "json"]
    read = subprocess.run(command, capture_output=True, text=True, check=True, env=others | passwords)
    services = json.loads(read.stdout)["services"]
    assert {one["image"] for key, one in services.items() if "server" in key} == {"celestial-engine:local"}
    assert all(service["restart"] == "unless-stopped" for service in services.values())
    without = subprocess.run(command, capture_output=True, text=True, check=False, env=others)
    if "postgres" in name:
        assert without.returncode != 0
        assert "set the password of" in without.stderr
    else:
        assert without.returncode == 0


def test_the_unit_is_one_that_systemd_understands(tmp_path):
    unit = (DEPLOY / "celestial.service").read_text(encoding="utf-8")
    command = re.search(r"^ExecStart=/opt/celestial/bin/celestial (.+)$", unit, re.MULTILINE).group(1)
    assert build_parser(Texts("en"), "serve").parse_args(shlex.split(command)).workers == "2"
    assert int(re.search(r"^TimeoutStopSec=(\d+)$", unit, re.MULTILINE).group(1)) > GRACE_SECONDS + 30
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    here = tmp_path / "celestial.service"
    here.write_text(
        re.sub(r"^(User|Group)=.*$", "", unit, flags=re.MULTILINE).replace(
            "/opt/celestial/bin/celestial", "/bin/true"
        )
    )
    checked = subprocess.run(["systemd-analyze", "verify", here], capture_output=True, text=True, check=True)
    assert not checked.stderr
    secured = unit.replace("/opt/celestial/bin/celestial", "/bin/true")
    here.write_text(secured)
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=yes", "--no-pager", here],
        capture_output=True,
        text=True,
        check=True,
    )
    exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", told.stdout + told.stderr).group(1))
    assert exposure < 3, "0 is closed, 10 is open"


def test_the_grafana_dashboard_asks_for_metrics_and_labels_that_exist(tmp_path):
    pytest.importorskip("prometheus_client")
    from prometheus_client.parser import text_string_to_metric_families

    from celestial_engine import CelestialMemory
    from celestial_engine.surfaces.rest.metrics import Metrics

    with CelestialMemory(tmp_path / "memory.db", embedder="none", rebalance_interval=None) as memory:
        memory.store("one")
        metrics = Metrics(memory)
        metrics.note("memory_search", 200, 0.1)
        text = metrics.text().decode()
    labels = {
        sample.name: set(sample.labels) | {"job"}  # which Prometheus adds
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }
    dashboard = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [one["query"] for one in dashboard["templating"]["list"] if one["type"] == "query"]
    assert len(queries) > 10
    for query in queries:
        (name,) = set(re.findall(r"celestial_\w+", re.sub(r"_(sum|count)\b", "_count", query)))
        assert name in labels, query
        used = set(re.findall(r"(\w+)=~?\"", query))
        used |= {label for group in re.findall(r"by \(([^)]+)\)", query) for label in group.split(", ")}
        assert used <= labels[name], query
    assert {name for query in queries for name in re.findall(r"celestial_\w+", query)} == set(labels) - {
        name for name in labels if name.endswith("_created")
    }, "every metric is shown"
