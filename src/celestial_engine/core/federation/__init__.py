"""Learning together: robust aggregation, noise, signed messages and the peers they come from."""
