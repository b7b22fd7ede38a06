"""A story of sixty days: how a self grows from nothing, through the public operations alone."""
