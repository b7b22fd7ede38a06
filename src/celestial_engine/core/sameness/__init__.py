"""Whether two statements say the same, contradict each other, or replace one another."""
