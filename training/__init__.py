"""Trains the classifiers of `celestial_engine.understanding` from the corpus. Needs numpy; not part of the wheel."""
