"""OpenAI: function tools."""
