"""The indexes in tables: words, vectors, filters, relations and statement keys."""
