"""What is handed out besides the wheel."""
