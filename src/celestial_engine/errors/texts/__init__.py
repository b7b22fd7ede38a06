"""The sentences of errors and reasons, in English and Korean side by side."""
