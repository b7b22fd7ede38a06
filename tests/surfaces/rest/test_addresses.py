"""Which addresses are only reached from the same machine: a server without TLS listens on no other."""

from __future__ import annotations

import pytest

from celestial_engine.surfaces.rest.settings import is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.8.9.10", "::1"])
def test_this_machine(host):
    assert is_loopback(host)


@pytest.mark.parametrize(
    "host", ["127.example.org", "127.0.0.1.example.org", "0.0.0.0", "::", "", "127.", "10.0.0.1"]
)
def test_others(host):
    assert not is_loopback(host)
