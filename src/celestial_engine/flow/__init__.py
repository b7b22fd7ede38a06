"""What happens to a memory: one verb a file, in rooms. The engine calls the stages in order."""
