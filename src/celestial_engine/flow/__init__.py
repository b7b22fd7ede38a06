"""What happens to a memory, a verb a file. Stages do not import each other; the engine calls them in order."""
