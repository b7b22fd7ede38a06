"""LangChain: retriever, chain, middleware, legacy memory."""
