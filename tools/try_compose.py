"""Start deploy/compose.postgres.yml in containers, kill a server, stop the other one, and start everything again.

For a machine with Docker and its Compose; `docker compose build` makes the image first. The project has a name of its
own, so no other data is touched.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[1] / "deploy" / "compose.postgres.yml"
URL = "http://127.0.0.1:8484"
COMPOSE = ("docker", "compose", "-p", "celestial-trial", "-f", str(FILE))
PATIENCE_SECONDS = 300


def run(*command: str, **more: str) -> str:
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env={**more, **os.environ}).stdout


def compose(*arguments: str) -> str:
    passwords = dict.fromkeys(("POSTGRES_PASSWORD", "CELESTIAL_PASSWORD"), "of this trial alone")
    return run(*COMPOSE, *arguments, **passwords).strip()


def container(service: str) -> dict[str, Any]:
    return dict(json.loads(run("docker", "inspect", compose("ps", "-a", "-q", service)))[0])


def ask(path: str, token: str, body: object = None) -> Any:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers), timeout=90) as answer:  # noqa: S310
        return json.loads(answer.read())


def stored(token: str, number: int) -> bool:
    """Whether it was acknowledged; a request that a dying server had taken may be refused."""
    try:
        ask("/v1/memories", token, {"content": f"Mina lives in house number {number}"})
    except urllib.error.HTTPError as error:
        print(f"  not acknowledged: {error.code}")
        return False
    return True


def store(token: str, first: int, last: int) -> int:
    return sum(stored(token, number) for number in range(first, last))


def wait_until_healthy(*services: str) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while any(container(one)["State"]["Health"]["Status"] != "healthy" for one in services):
        assert time.monotonic() < until, compose("ps", "-a")
        time.sleep(1)


def stop(service: str) -> None:
    began = time.monotonic()
    compose("stop", service)
    state = container(service)["State"]
    print(f"{service} stopped with {state['ExitCode']} in {time.monotonic() - began:.0f} s")


def main() -> None:
    compose("down", "--volumes")
    # The database is empty here: the servers must wait until its second start.
    token = json.loads(compose("run", "--rm", "-T", "server-1", "token", "create", "trial", "--json"))["secret"]
    compose("up", "-d")
    wait_until_healthy("server-1", "server-2")
    print("up; memories:", ask("/v1/stats", token)["total"])
    kept = store(token, 0, 10)
    os.kill(container("server-1")["State"]["Pid"], signal.SIGKILL)
    kept += store(token, 10, 30)
    print(f"server-1 killed; acknowledged {kept} of 30, stored {ask('/v1/stats', token)['total']}")
    wait_until_healthy("server-1")
    print("server-1 is back, restarts:", container("server-1")["RestartCount"])
    time.sleep(10)  # the balancer asks every two seconds
    stop("server-2")
    kept += store(token, 30, 40)
    compose("start", "server-2")
    stop("server-2")  # before it has started
    for service in ("server-1", "postgres", "balancer"):
        stop(service)
    compose("down")
    compose("up", "-d")
    wait_until_healthy("server-1", "server-2")
    total = ask("/v1/stats", token)["total"]
    print(f"started again; acknowledged {kept}, stored {total}")
    assert total >= kept
    compose("down", "--volumes")
    print("done")


if __name__ == "__main__":
    main()
