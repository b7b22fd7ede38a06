"""Learning together over HTTP: the door for peers, and the thread that runs rounds."""
