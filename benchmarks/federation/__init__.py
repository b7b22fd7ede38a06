"""Learning together with simulated users: what it is worth, and what attackers can do. See docs/federation.md."""
