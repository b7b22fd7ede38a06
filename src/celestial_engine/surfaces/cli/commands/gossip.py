"""`celestial gossip`: learn together with peers, without a text leaving the machine."""

from __future__ import annotations

import argparse
import importlib.util
from argparse import Namespace
from typing import TYPE_CHECKING

from celestial_engine.core.codec import encode
from celestial_engine.engine import CelestialMemory
from celestial_engine.errors import os_problem
from celestial_engine.surfaces.cli.console import Console
from celestial_engine.surfaces.cli.execute import caller_of
from celestial_engine.surfaces.cli.failures import BAD_INPUT, OK, REFUSED, STORAGE, CommandError, UsageError
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.operations.fields import EmptyRequest

if TYPE_CHECKING:
    import socket

    from celestial_engine.surfaces.operations.gossip import GossipPeer, GossipStatus

_ACTIONS = ("status", "on", "off", "leave", "peer", "run")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_SHOWN_KEY = 16


def add_options(arguments: argparse._ArgumentGroup, options: argparse._ArgumentGroup, texts: Texts) -> None:
    arguments.add_argument("action", metavar="ACTION", choices=_ACTIONS, help=texts("arg.gossip_action"))
    arguments.add_argument("words", metavar="WORD", nargs="*", help=texts("arg.gossip_words"))
    options.add_argument("--host", metavar="ADDRESS", help=texts("opt.gossip_host"))
    options.add_argument("--port", metavar="N", help=texts("opt.gossip_port"))
    options.add_argument("--certfile", metavar="PATH", help=texts("opt.gossip_certfile"))
    options.add_argument("--keyfile", metavar="PATH", help=texts("opt.gossip_keyfile"))


def on_memory(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if args.action == "run":
        return _serve(memory, args, console)
    of_run = [name for name in ("host", "port", "certfile", "keyfile") if getattr(args, name)]
    if of_run:
        raise UsageError(f"unrecognized arguments: --{of_run[0]}")
    if args.action == "peer":
        return _change_peers(memory, args.words, console)
    if args.words:
        raise UsageError(f"unrecognized arguments: {' '.join(args.words)}")
    from celestial_engine.surfaces.operations import gossip

    run = {"status": gossip.status, "on": gossip.join, "off": gossip.pause, "leave": gossip.leave}[args.action]
    found = run(caller_of(memory, console), EmptyRequest())
    if console.as_json:
        console.data(encode(found))
    else:
        if args.action != "status":
            console.say(console.texts(f"say.gossip_{args.action}"))
        _say_status(console, found)
    return OK


def _change_peers(memory: CelestialMemory, words: list[str], console: Console) -> int:
    from celestial_engine.surfaces.operations import gossip

    caller, texts = caller_of(memory, console), console.texts
    match words:
        case ["add", url, key]:
            peer = gossip.add_peer(caller, gossip.AddPeerRequest(url, key))
            if console.as_json:
                console.data(encode(peer))
            else:
                console.say(texts("say.gossip_peer_added", url=peer.url, public_key=peer.key[:_SHOWN_KEY]))
        case ["remove", key]:
            found = gossip.remove_peer(caller, gossip.PeerKeyRequest(key))
            if console.as_json:
                console.data(encode(found))
            else:
                console.say(texts("say.gossip_peer_removed", public_key=key[:_SHOWN_KEY]))
        case _:
            raise UsageError("the following arguments are required: add URL KEY | remove KEY")
    return OK


def _say_status(console: Console, status: GossipStatus) -> None:
    texts = console.texts
    console.say(texts("say.gossip_enabled" if status.enabled else "say.gossip_disabled"))
    if status.key:
        console.say(texts("say.gossip_key", public_key=status.key))
    console.say(
        texts(
            "say.gossip_rounds",
            rounds=status.rounds,
            used=status.used_updates,
            weight=f"{status.weight:.2f}",
            trust=f"{status.trust:.0%}",
        )
    )
    if status.declined:
        why, _, numbers = status.declined.partition(" ")
        console.say(texts(f"say.gossip_{why}", numbers=numbers))
    if status.gain is not None:
        console.say(texts("say.gossip_gain", gain=f"{status.gain:+.3f}", exams=status.exams))
    key = "say.gossip_unbounded" if status.epsilon is None else "say.gossip_epsilon"
    if not status.releases:
        key = "say.gossip_nothing_sent"
    spent = "" if status.epsilon is None else f"{status.epsilon:.2f}"
    console.say(texts(key, releases=status.releases, epsilon=spent, delta=f"{status.delta:g}"))
    for peer in status.peers:
        console.say(_peer_line(texts, peer))
    if status.rejected:
        console.say(texts("say.gossip_strangers", reasons=_reasons(status.rejected)))


def _peer_line(texts: Texts, peer: GossipPeer) -> str:
    state = texts.word("gossip_state", peer.state)
    line = texts(
        "say.gossip_peer",
        public_key=peer.key[:_SHOWN_KEY],
        url=peer.url,
        state=state,
        accepted=peer.accepted,
        share=f"{peer.share:.0%}",
    )
    return f"{line}; {_reasons(peer.rejected)}" if peer.rejected else line


def _reasons(rejected: dict[str, int]) -> str:
    return ", ".join(f"{reason} {count}" for reason, count in sorted(rejected.items()))


def _serve(memory: CelestialMemory, args: Namespace, console: Console) -> int:
    if importlib.util.find_spec("uvicorn") is None or importlib.util.find_spec("cryptography") is None:
        from celestial_engine.install_hints import install_command

        raise CommandError("gossip_extra", BAD_INPUT, install=install_command("federation"))
    if args.words:
        raise UsageError(f"unrecognized arguments: {' '.join(args.words)}")
    config = memory.federation.config()
    host, port = args.host or config.transport_host, args.port or str(config.transport_port)
    if (args.certfile is None) != (args.keyfile is None):
        raise UsageError("the following arguments are required: --certfile PATH --keyfile PATH")
    if host not in _LOOPBACK and args.certfile is None:
        raise CommandError("gossip_tls", REFUSED, host=host)
    if not memory.federation.enabled():
        raise CommandError("gossip_not_on", REFUSED)
    if args.certfile is not None:
        _check_certificate(args.certfile, args.keyfile, console)
    from celestial_engine.surfaces.gossip.serving import serve_peers

    listener = _listening(host, port, console)
    url = f"{'https' if args.certfile else 'http'}://{_name(listener)}"

    def started() -> None:
        if console.as_json:
            console.data({"url": url, "key": memory.federation.key()})
        else:
            console.say(console.texts("say.gossip_running", url=url, public_key=memory.federation.key()))
        console.flush()

    serve_peers(memory, listener, started, args.certfile, args.keyfile)
    return OK


def _check_certificate(certificate: str, private_key: str, console: Console) -> None:
    """Raises CommandError for files that are missing, no certificate and key, not a pair, or need a password."""
    import ssl

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, private_key, password=lambda: b"")
    except ssl.SSLError as error:
        raise CommandError("gossip_pem", BAD_INPUT, certificate=certificate, private_key=private_key) from error
    except OSError as error:
        reason = console.texts.problem(os_problem(error))
        raise CommandError(
            "gossip_certificate", BAD_INPUT, certificate=certificate, private_key=private_key, reason=reason
        ) from error


def _listening(host: str, port: str, console: Console) -> socket.socket:
    import socket

    if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise CommandError("serve_port", BAD_INPUT, port=port)
    listener = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, int(port)))
        listener.listen(256)
    except OSError as error:
        listener.close()
        reason = console.texts.problem(os_problem(error))
        raise CommandError("serve_address", STORAGE, host=host, port=port, reason=reason) from error
    return listener


def _name(listener: socket.socket) -> str:
    host, port = listener.getsockname()[:2]
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
