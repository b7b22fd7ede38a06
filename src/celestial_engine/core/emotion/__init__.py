"""How a text feels: emotions, intensity and sentiment, by word lists and rules."""
