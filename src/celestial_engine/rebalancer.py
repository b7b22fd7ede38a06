"""Rebalancing by hand, under the name of the original design: `celestial_engine.rebalancer`."""

from celestial_engine.compat.rebalancer import Rebalancer

__all__ = ["Rebalancer"]
