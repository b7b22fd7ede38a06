"""Ideas made from memories and the present situation."""
