"""Reading texts: language, sentences, words, keywords, entities, triples and the gist."""
