"""The steps a memory goes through: one verb per file, grouped by folder. The engine calls them in order."""
