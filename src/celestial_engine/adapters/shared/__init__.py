"""What several adapters share: tools, turns and record shapes."""
