"""Finding and redacting secrets before anything is stored or logged."""
