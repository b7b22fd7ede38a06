"""A store made of dictionaries: the model that the conformance suite compares with."""
