"""The dashboard: one page over the same REST that everybody gets."""
