"""Start what deploy/ describes: build the image, run it as compose.yml says, and boot systemd with the unit.

For root on Debian with buildah, podman and systemd-container. Where no registry can be reached, `--base` names a root
file system that stands in for the image's base: it needs Python and pip on PATH. `--machine` names one with systemd
and curl in it; its Python must be where the base has it. debootstrap makes both.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[1]
DEPLOY = ROOT / "deploy"
IMAGE, PORT = "celestial-engine:local", 8484
BASE = re.search(r"^FROM (\S+)", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.MULTILINE).group(1)  # type: ignore[union-attr]
# What is done inside the booted machine; its answers are read when the machine is off.
CHECK = """#!/bin/sh
set -eu
exec 2> /answers/errors
trap 'journalctl -u celestial -o cat --no-pager > /answers/journal' EXIT
url=http://127.0.0.1:8484
ask() { curl -sf --retry 300 --retry-delay 1 --retry-connrefused -H "Authorization: Bearer $token" "$@"; }
export CELESTIAL_DB=/var/lib/celestial/memory.db
runuser -u celestial -- /opt/celestial/bin/celestial token create t --json > /answers/token
token=$(sed -n 's/.*"secret": "\\([^"]*\\)".*/\\1/p' /answers/token)
systemctl start celestial
ask $url/health > /answers/health
ask -H "Content-Type: application/json" -d '{"content": "Mina lives in Busan"}' $url/v1/memories > /answers/stored
systemctl kill --kill-who=main -s KILL celestial
until [ "$(systemctl show -p NRestarts --value celestial)" = 1 ]; do sleep 0.2; done
ask $url/v1/stats > /answers/after-kill
systemctl show -p NRestarts,ActiveState celestial > /answers/restarted
systemctl stop celestial
systemctl show -p ActiveState,Result celestial > /answers/stopped
"""
CHECK_UNIT = """[Service]
Type=oneshot
ExecStart=/bin/sh /check.sh
ExecStopPost=/bin/systemctl poweroff
[Install]
WantedBy=multi-user.target
"""


def run(*command: object, **more: Any) -> str:
    done = subprocess.run([str(part) for part in command], check=False, text=True, stdout=subprocess.PIPE, **more)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with {done.returncode}\n{done.stdout[-2000:]}")
    return done.stdout


class Containers:
    """buildah and podman on a storage of their own."""

    def __init__(self, folder: Path, runtime: str | None = None) -> None:
        self._storage = ("--root", folder / "storage", "--runroot", folder / "run", "--storage-driver", "vfs")
        self._runtime = ("--cgroup-manager", "cgroupfs", *(() if runtime is None else ("--runtime", runtime)))

    def buildah(self, *arguments: object) -> str:
        return run("buildah", *self._storage, *arguments).strip()

    def podman(self, *arguments: object) -> str:
        return run("podman", *self._storage, *self._runtime, *arguments).strip()

    def import_base(self, root: Path) -> None:
        container = self.buildah("from", "scratch")
        run("cp", "-a", f"{root}/.", self.buildah("mount", container))
        path = "/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
        self.buildah("config", "--env", f"PATH={path}", container)
        self.buildah("commit", "-q", container, f"docker.io/library/{BASE}")
        self.buildah("rm", container)

    def build(self, options: list[str]) -> None:
        self.buildah(
            "bud",
            "--isolation",
            "chroot",
            "--format",
            "docker",
            *options,
            "-f",
            DEPLOY / "Dockerfile",
            "-t",
            IMAGE,
            ROOT,
        )

    def files(self) -> tuple[str, Path]:
        container = self.buildah("from", "--pull-never", IMAGE)
        return container, Path(self.buildah("mount", container))


def asked(path: str, token: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"http://127.0.0.1:{PORT}{path}", data, headers)
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - an address on this machine
        return json.loads(answer.read())


def try_container(containers: Containers, folder: Path) -> None:
    """The service `server` of compose.yml: its user, volume, command and limits; on the network of this machine."""
    service = yaml.safe_load((DEPLOY / "compose.yml").read_text(encoding="utf-8"))["services"]["server"]
    data = folder / "data"
    data.mkdir()
    user = int(json.loads(containers.podman("inspect", IMAGE))[0]["Config"]["User"])
    os.chown(data, user, user)  # as a new volume gets the owner of the folder in the image
    limits = ["--network", "host", "--volume", f"{data}:/data", "--read-only"]
    limits += [f"--ulimit={name}=1024:1024" for name in ("nofile", "nproc")]  # podman's own may be above the host's
    limits += [f"--tmpfs={one}" for one in service["tmpfs"]]
    limits += [f"--cap-drop={one}" for one in service["cap_drop"]]
    limits += [f"--security-opt={one.split(':')[0]}" for one in service["security_opt"]]
    limits += [f"--env={name}={value}" for name, value in service["environment"].items()]
    token = json.loads(containers.podman("run", "--rm", *limits, IMAGE, "token", "create", "t", "--json"))["secret"]
    for turn in ("first", "second"):
        containers.podman("run", "--detach", "--name", turn, *limits, IMAGE, *service["command"])
        wait_until_healthy(containers, turn)
        if turn == "first":
            asked("/v1/memories", token, {"content": "Mina lives in Busan"})
        print(turn, "container:", asked("/v1/stats", token)["total"], "memory")
        print(" ", containers.podman("exec", turn, "python", "-c", "import os; print('user', os.getuid())"))
        containers.podman("stop", "--time", service["stop_grace_period"].removesuffix("s"), turn)
        state = json.loads(containers.podman("inspect", turn))[0]["State"]
        print("  stopped with", state["ExitCode"])
        assert state["ExitCode"] == 0
        containers.podman("rm", turn)


def wait_until_healthy(containers: Containers, name: str) -> None:
    """The image's own health check, until it passes."""
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{PORT}/health", timeout=5).close()
            break
        except (urllib.error.URLError, OSError):
            time.sleep(1)
    containers.podman("healthcheck", "run", name)


def try_unit(containers: Containers, machine: Path, folder: Path) -> None:
    """Boot a machine with the unit; it starts, answers, is killed, comes back, and stops."""
    root = folder / "machine"
    run("cp", "-a", machine, root)
    container, image = containers.files()
    run("cp", "-a", image / "opt" / "celestial", root / "opt")
    containers.buildah("rm", container)
    shutil.copy(DEPLOY / "celestial.service", root / "etc" / "systemd" / "system")
    run("chroot", root, "useradd", "--system", "--home-dir", "/var/lib/celestial", "--create-home", "celestial")
    (root / "answers").mkdir()
    (root / "check.sh").write_text(CHECK)
    (root / "etc" / "systemd" / "system" / "check.service").write_text(CHECK_UNIT)
    run("chroot", root, "systemctl", "enable", "check.service")
    run("systemd-nspawn", "-q", "-D", root, "--register=no", "--keep-unit", "--boot", timeout=900)
    for name in ("health", "stored", "after-kill", "restarted", "stopped"):
        file = root / "answers" / name
        print(f"{name}: {' '.join(file.read_text().split())[:200] if file.exists() else 'nothing'}")
    assert json.loads((root / "answers" / "after-kill").read_text())["total"] == 1
    assert "ActiveState=inactive" in (root / "answers" / "stopped").read_text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, required=True, help="an empty folder for everything that is made")
    parser.add_argument("--base", type=Path, help="a root file system in place of the image's base")
    parser.add_argument("--machine", type=Path, help="a root file system with systemd, to boot the unit in")
    parser.add_argument("--runtime", help="for podman: runc where its default cannot work (hybrid cgroups, for one)")
    parser.add_argument("--built", action="store_true", help="the image is in the folder already")
    parser.add_argument("--build-option", action="append", default=[], help="for buildah, as --volume=/a:/a:ro")
    options = parser.parse_args()
    containers = Containers(options.folder, options.runtime)
    if not options.built:
        if options.base:
            containers.import_base(options.base)
        containers.build([*(["--pull-never"] if options.base else []), *options.build_option])
    print(containers.buildah("images", "--format", "{{.Name}}:{{.Tag}} {{.Size}}"))
    try_container(containers, options.folder)
    if options.machine:
        try_unit(containers, options.machine, options.folder)
    print("done")


if __name__ == "__main__":
    sys.exit(main())
