"""Pure values and functions: standard library only, no clock, no I/O, no logging."""
