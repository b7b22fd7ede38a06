"""What everything that answers over HTTP shares."""
