"""Commands that exchange memories with other devices, databases and folders."""
