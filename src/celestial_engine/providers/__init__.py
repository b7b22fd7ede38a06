"""Embedders: models that come inside packages, any function, any endpoint that speaks OpenAI's protocol."""
