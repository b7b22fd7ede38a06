"""`celestial gossip run`: TLS, or this machine only; and certificates that cannot be used are named."""

from __future__ import annotations

import pytest
from tests.certificates import make_authority

from celestial_engine import CelestialMemory
from celestial_engine.surfaces.cli import main


@pytest.fixture
def run(tmp_path, capsys, monkeypatch):
    database = tmp_path / "memory.db"
    with CelestialMemory(database, rebalance_interval=None) as memory:
        memory.federation.join()

    def refused(*options: object) -> tuple[int, str]:
        """The exit code and what was said; nothing listens afterwards, because nothing was started."""
        monkeypatch.setattr("celestial_engine.surfaces.gossip.serving.serve_peers", lambda *_: pytest.fail("served"))
        code = main(["--db", str(database), "gossip", "run", "--port", "0", *map(str, options)])
        return code, capsys.readouterr().err

    return refused


@pytest.mark.parametrize("host", ["0.0.0.0", "192.0.2.7", "::", "127.example.com"])
def test_other_addresses_need_tls(run, host):
    code, said = run("--host", host)
    assert code == 4
    assert "--certfile" in said


def test_a_certificate_needs_its_key(run, tmp_path):
    assert run("--certfile", tmp_path / "node.pem")[0] == 2
    assert run("--keyfile", tmp_path / "node.key")[0] == 2


@pytest.mark.parametrize(
    ("language", "missing", "no_pair"),
    [("en", "cannot be read", "in PEM form"), ("ko", "읽을 수 없습니다", "PEM 형식의 인증서")],
)
def test_certificates_that_cannot_be_used_are_named(run, tmp_path, language, missing, no_pair):
    ca, certificate, key = make_authority(tmp_path)
    garbage = tmp_path / "garbage.pem"
    garbage.write_text("no certificate", encoding="utf-8")
    for one, other, expected in (
        (tmp_path / "nothing.pem", key, missing),
        (garbage, garbage, no_pair),
        (ca, key, no_pair),  # the key of another certificate
        (certificate, garbage, no_pair),
    ):
        code, said = run("--certfile", one, "--keyfile", other, "--lang", language)
        assert code == 2
        assert expected in said
        assert str(one) in said
