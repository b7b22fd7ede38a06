"""A capture of everything that real processes send each other holds no piece of any memory."""

from __future__ import annotations

import pytest
from tests.gossip_processes import Process, introduce, running, wait_for
from tests.recording_proxy import recorded

pytestmark = pytest.mark.slow


def pieces(text: str) -> set[bytes]:
    """Every 8 characters of it, in the encodings a program might send them in."""
    parts = [text[start : start + 8] for start in range(len(text) - 7)]
    return {part.encode(encoding) for part in parts for encoding in ("utf-8", "utf-16-le", "unicode-escape")}


def test_no_8_characters_of_a_memory_are_in_the_traffic(tmp_path):
    nodes = [Process(tmp_path, number, attackers=0) for number in range(3)]
    with recorded([node.port for node in nodes]) as (ports, traffic):
        for node, port in zip(nodes, ports, strict=True):
            node.address = f"http://127.0.0.1:{port}"
        introduce(nodes)
        with running(nodes):
            wait_for(lambda: all(node.status().rounds > 3 and node.status().candidate_on for node in nodes))
    sent = b"".join(traffic)
    assert sent.count(b"POST /gossip HTTP/1.1") > 10
    assert sent.count(b"CELGOSSP") > 20  # questions and answers
    for node in nodes:
        for text in (node.text, node.item_id, node.db.name * 2):
            assert not [piece for piece in pieces(text) if piece in sent]
