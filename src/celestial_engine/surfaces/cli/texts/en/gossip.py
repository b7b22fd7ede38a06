"""Learning together, in English."""

from __future__ import annotations

GOSSIP: dict[str, str] = {
    "help.gossip": "learn together with peers: parameters are exchanged, never texts",
    "arg.gossip_action": "status, on, off, leave (deletes all that came from others), peer, or run (until stopped)",
    "arg.gossip_words": "after peer: add URL KEY, or remove KEY",
    "opt.gossip_host": "of run: the address to listen at (default 127.0.0.1; others need a certificate)",
    "opt.gossip_port": "of run: the port (default 9400; 0 takes a free one)",
    "opt.gossip_certfile": "of run: the TLS certificate",
    "opt.gossip_keyfile": "of run: the private key of the certificate",
    "say.gossip_on": "This memory takes part from now on, while `celestial gossip run` or `celestial serve` runs.",
    "say.gossip_off": "Nothing is sent or accepted, and your own policy decides alone. `gossip on` goes on.",
    "say.gossip_leave": "Left. The peers and everything that came from them are deleted.",
    "say.gossip_enabled": "Learning together: on",
    "say.gossip_disabled": "Learning together: off",
    "say.gossip_key": "Your key, for your peers: {public_key}",
    "say.gossip_rounds": "Rounds: {rounds}; peers in what others learned: {used}; suits you: {trust}; "
    "it counts {weight}",
    "say.gossip_too_few": "Not used: too few peers with updates ({numbers}) to tell an attacker from the others.",
    "say.gossip_too_few_turns": "Not used: too few of your own rewarded turns yet to tell whose policy suits you.",
    "say.gossip_worse_on_own_turns": "Not used: it suits your recent turns worse than your own policy.",
    "say.gossip_worse_in_exams": "Off: it did worse than your own policy in exams. `gossip on` tries again.",
    "say.gossip_switched_off": "Not used: this memory takes no part.",
    "say.gossip_gain": "Gain over your own policy: {gain} a turn, in {exams} exams",
    "say.gossip_epsilon": "Sent: {releases} times, with noise; privacy spent: epsilon {epsilon} at delta {delta}",
    "say.gossip_unbounded": "Sent: {releases} times, at least once without noise: there is no bound on privacy",
    "say.gossip_nothing_sent": "Sent: nothing yet",
    "say.gossip_peer": "{public_key}  {url}  {state}; suits you {share}; accepted {accepted}",
    "say.gossip_peer_added": "Added {url} ({public_key}...). It must add your key as well.",
    "say.gossip_peer_removed": "Removed {public_key}...",
    "say.gossip_strangers": "Refused, from nobody known: {reasons}",
    "say.gossip_running": "Exchanging at {url} (Ctrl+C stops it). Your key: {public_key}",
    "event.gossiped": "learning together",
    "gossip_state.new": "nothing yet",
    "gossip_state.active": "active",
    "gossip_state.other_rules": "other rules, ignored",
    "gossip_state.quarantined": "in quarantine",
    "fail.gossip_extra": "Learning together needs what is not installed. Run {install}.",
    "fail.gossip_tls": "At {host} others can listen. Give --certfile and --keyfile, "
    "or put a TLS proxy in front of 127.0.0.1.",
    "fail.gossip_not_on": "This memory takes no part. `celestial gossip on` changes that.",
    "fail.gossip_certificate": "The certificate ({certificate}) or its key ({private_key}) cannot be read: {reason}.",
    "fail.gossip_pem": "{certificate} and {private_key} are not a certificate and its key in PEM form, "
    "without a password.",
}
