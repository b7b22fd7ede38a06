"""What to do with a turn of a conversation: its features and the decision."""
