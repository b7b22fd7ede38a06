"""Self-play: policies learn from simulated users, and are examined on turns that they did not learn from."""
