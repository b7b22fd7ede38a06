"""TLS between real processes, with a certificate authority that the test makes."""

from __future__ import annotations

import ssl

import pytest
from tests.certificates import make_authority
from tests.gossip_processes import Process, introduce, running, wait_for

from celestial_engine.ports import PeerUnreachableError
from celestial_engine.providers.gossip import HttpTransport

pytestmark = pytest.mark.slow


def test_nodes_exchange_over_tls_and_trust_only_their_authority(tmp_path):
    ca, certificate, key = make_authority(tmp_path)
    nodes = [Process(tmp_path, number, attackers=0, tls=(certificate, key), SSL_CERT_FILE=ca) for number in range(3)]
    introduce(nodes)
    with running(nodes):
        wait_for(lambda: all(node.status().candidate_on for node in nodes))
        node = nodes[0]
        # Whoever does not know the authority sends nothing, and neither does plain HTTP get an answer.
        with pytest.raises(PeerUnreachableError, match="SSLCertVerificationError"):
            HttpTransport().exchange(node.address, b"x", 10.0)
        with pytest.raises(PeerUnreachableError):
            HttpTransport().exchange(f"http://127.0.0.1:{node.port}", b"x", 10.0)
        context = ssl.create_default_context(cafile=ca)
        with pytest.raises(PeerUnreachableError, match="status 403"):
            HttpTransport(context).exchange(node.address, b"no message", 10.0)
        # The certificate is for localhost: another name of the same machine is refused.
        with pytest.raises(PeerUnreachableError, match="SSLCertVerificationError"):
            HttpTransport(context).exchange(f"https://127.0.0.1:{node.port}", b"no message", 10.0)
        wait_for(lambda: node.status().rejected.get("garbage") == 1)
    # Two rounds a second cross each other on the way: the message that arrives later, but was sent earlier, is old.
    reasons = {reason for one in nodes for peer in one.status().peers for reason in peer.rejected}
    assert reasons <= {"unreachable", "replayed"}
