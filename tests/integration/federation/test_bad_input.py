"""Every bad input of a peer or a stranger: refused with its reason, counted, and nothing else changes.

And the same as an attack by f of n peers at once: what never gets past the checks cannot move the candidate.
"""

from __future__ import annotations

import math
import socket
import struct
import threading
from dataclasses import replace

import pytest
from tests.gossip_nodes import Village

from celestial_engine import CelestialMemory
from celestial_engine.core.federation.messages import (
    MESSAGE_BYTES,
    NO_NONCE,
    SIGNATURE_BYTES,
    Message,
    Rejection,
    encode,
)
from celestial_engine.core.federation.parameters import WEIGHTS, rules_digest
from celestial_engine.ports import PeerUnreachableError
from celestial_engine.providers.gossip import Ed25519Identity, HttpTransport

STRANGER = Ed25519Identity(b"s" * 32)


def message_from(sender: CelestialMemory, to: CelestialMemory, now: float, **changes) -> Message:
    node = sender.federation._node
    message = Message(
        node.identity.key, bytes.fromhex(to.federation.key()), rules_digest(node.learning), b"n" * 16,
        int(now) + 100, now, now + 300, (0.001,) * WEIGHTS,
    )  # fmt: skip
    return replace(message, **changes)


def signed_by(sender: CelestialMemory, message: Message) -> bytes:
    return encode(message, sender.federation._node.identity.sign)


def patched(sender: CelestialMemory, raw: bytes, offset: int, value: bytes) -> bytes:
    body = (raw[:offset] + value + raw[offset + len(value) :])[:-SIGNATURE_BYTES]
    return body + sender.federation._node.identity.sign(body)


# For each: what is sent, and the reason that is counted; for the peer if its signature proves it, else for the node.
BAD = {
    "garbage": (lambda s, m, raw, now: b"garbage!" * 50, Rejection.GARBAGE, False),
    "empty": (lambda s, m, raw, now: b"", Rejection.TRUNCATED, False),
    "truncated": (lambda s, m, raw, now: raw[:-1], Rejection.TRUNCATED, False),
    "half": (lambda s, m, raw, now: raw[: len(raw) // 2], Rejection.TRUNCATED, False),
    "oversize": (lambda s, m, raw, now: raw + b"!", Rejection.TOO_LARGE, False),
    "wrong signature": (lambda s, m, raw, now: raw[:-1] + bytes([raw[-1] ^ 1]), Rejection.SIGNATURE, False),
    "changed on the way": (lambda s, m, raw, now: raw[:900] + b"\1" + raw[901:], Rejection.SIGNATURE, False),
    "another version": (lambda s, m, raw, now: patched(s, raw, 8, b"\2\0"), Rejection.VERSION, False),
    "unknown field": (lambda s, m, raw, now: patched(s, raw, 10, b"\1\0"), Rejection.UNKNOWN_FIELD, False),
    "Sybil key": (
        lambda s, m, raw, now: encode(replace(m, sender=STRANGER.key), STRANGER.sign), Rejection.UNKNOWN_PEER, False,
    ),
    "for somebody else": (
        lambda s, m, raw, now: signed_by(s, replace(m, recipient=b"x" * 32)), Rejection.NOT_FOR_US, False,
    ),
    "wrong shape": (lambda s, m, raw, now: signed_by(s, replace(m, update=(0.1,) * 7)), Rejection.WRONG_SHAPE, True),
    "not a number": (
        lambda s, m, raw, now: patched(s, raw, MESSAGE_BYTES - SIGNATURE_BYTES - 4, struct.pack("<f", math.nan)),
        Rejection.NOT_FINITE, True,
    ),
    "infinite": (
        lambda s, m, raw, now: patched(s, raw, MESSAGE_BYTES - SIGNATURE_BYTES - 4, struct.pack("<f", math.inf)),
        Rejection.NOT_FINITE, True,
    ),
    "future round": (
        lambda s, m, raw, now: signed_by(s, replace(m, round=int(now) + 9_000)), Rejection.FROM_THE_FUTURE, True,
    ),
    "future clock": (
        lambda s, m, raw, now: signed_by(s, replace(m, issued_at=now + 9_000.0)), Rejection.FROM_THE_FUTURE, True,
    ),
    "expired": (
        lambda s, m, raw, now: signed_by(s, replace(m, issued_at=now - 9_000.0)), Rejection.EXPIRED, True,
    ),
    "old round": (lambda s, m, raw, now: signed_by(s, replace(m, round=1)), Rejection.REPLAYED, True),
    "answer to nothing": (
        lambda s, m, raw, now: signed_by(s, replace(m, reply_to=b"q" * 16)), Rejection.REPLAYED, True,
    ),
}  # fmt: skip


def unchanged(status):
    """Everything but the counts."""
    return replace(status, rejected={}, peers=tuple(replace(peer, rejected={}) for peer in status.peers))


@pytest.fixture
def three(village):
    made = village(3, tolerated_attackers=0)
    made.rounds(1)
    return made


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_refused_counted_and_changes_nothing(three, name):
    memory, sender = three.memories["n0"], three.memories["n1"]
    make, reason, blamed = BAD[name]
    message = message_from(sender, memory, three.clock())
    raw = make(sender, message, signed_by(sender, message), three.clock())
    before, events = memory.federation.status(), memory.ledger.history(limit=1_000)
    with pytest.raises(ValueError, match=reason.value):
        memory.federation.receive(raw)
    after = memory.federation.status()
    assert unchanged(after) == unchanged(before)
    assert memory.ledger.history(limit=1_000) == events
    peer = next(peer for peer in after.peers if peer.key == sender.federation.key())
    assert (peer.rejected, after.rejected) == (({reason.value: 1}, {}) if blamed else ({}, {reason.value: 1}))
    assert message.reply_to == NO_NONCE
    assert memory.federation.receive(signed_by(sender, message))  # the sender itself is still welcome


def stale_rules(made: Village, name: str) -> None:
    node = made.memories[name].federation._node
    object.__setattr__(node, "learning", replace(node.learning, seed=8))


def breaking(attack: str):
    """Changes what the attacker's honest software answers."""

    def disturb(made: Village, name: str) -> None:
        sender = made.memories[name]
        made.tamper[name] = lambda raw: BAD[attack][0](sender, None, raw, 0.0)

    return disturb


def sybil(made: Village, name: str) -> None:
    """Answers by a key that nobody has added."""

    def by_another_key(raw: bytes) -> bytes:
        body = raw[:12] + STRANGER.key + raw[44:-SIGNATURE_BYTES]
        return body + STRANGER.sign(body)

    made.tamper[name] = by_another_key


def replaying(made: Village, name: str) -> None:
    answers: list[bytes] = []

    def first_again(raw: bytes) -> bytes:
        answers.append(raw)
        return answers[0]

    made.tamper[name] = first_again


def silent(made: Village, name: str) -> None:
    made.silent.add(name)


def honest(made: Village, name: str) -> None:
    pass


# How each attacks, what its victims must be equal to, and the reason that is counted for the attacker, if provable.
ATTACKS = {
    "garbage": (breaking("garbage"), silent, {}),
    "oversize": (breaking("oversize"), silent, {}),
    "version mismatch": (breaking("another version"), silent, {}),
    "wrong signature": (breaking("wrong signature"), silent, {}),
    "not a number": (breaking("not a number"), silent, {"not_finite": 3}),
    "stale rules": (stale_rules, silent, {"unreachable": 3}),  # it refuses our rules, as we would refuse its own
    "Sybil key": (sybil, silent, {}),
    "slow peer": (silent, silent, {"unreachable": 3}),
    "replay": (replaying, honest, {"replayed": 2}),  # its first answer is a good one
}


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("attack", ATTACKS)
def test_attackers_who_break_the_rules_do_not_move_the_candidate(village, attack, count):
    """f attackers beside 2f + 3 honest nodes: the candidate is, number by number, the one without the attack."""
    attacking, without, counted = ATTACKS[attack]
    honest_nodes = 2 * count + 3

    def candidate(disturb):
        made = village(honest_nodes + count, tolerated_attackers=count, peers_a_round=honest_nodes + count)
        attackers = [f"n{honest_nodes + place}" for place in range(count)]
        for name in attackers:
            disturb(made, name)
        memory = made.memories["n0"]
        for _ in range(3):
            memory.federation.round(made)
            made.clock.advance(seconds=60)
        keys = {made.memories[name].federation.key() for name in attackers}
        with memory.parts.store.read() as session:
            shared = memory.federation._node.state(session).shared
        return shared, [peer.rejected for peer in memory.federation.status().peers if peer.key in keys]

    got, reasons = candidate(attacking)
    assert got.decides
    assert got.update == candidate(without)[0].update
    assert reasons == [counted] * count


def test_a_peer_that_drips_its_answer_costs_its_own_time_only():
    """A real socket that sends a byte now and then, and one that sends without an end."""
    pause = threading.Event()

    def serve(listener: socket.socket, body: bytes) -> None:
        connection, _ = listener.accept()
        connection.recv(65_536)
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        try:
            while True:
                connection.sendall(body)
                pause.wait(0.01)
        except OSError:
            connection.close()

    for body, reason in ((b"x", "too slow"), (b"x" * 4_096, "too large")):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            thread = threading.Thread(target=serve, args=(listener, body), daemon=True)
            thread.start()
            with pytest.raises(PeerUnreachableError, match=reason):
                HttpTransport().exchange(f"http://127.0.0.1:{listener.getsockname()[1]}", b"m", 0.3)
            thread.join(30)


def test_a_peer_that_never_answers_is_given_up():
    """It takes the connection and the message, and says nothing."""
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        pytest.raises(PeerUnreachableError, match="TimeoutError"),
    ):
        HttpTransport().exchange(f"http://127.0.0.1:{listener.getsockname()[1]}", b"m", 0.3)
