"""Sixty days with a self that grows: an example of the whole engine, lived in simulated time."""
