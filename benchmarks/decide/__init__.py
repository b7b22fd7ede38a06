"""How well and how fast turns are understood and decided about: `make decide`. See docs/understanding.md."""
