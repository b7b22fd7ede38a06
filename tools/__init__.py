"""Scripts that write parts of the documentation from the source tree. Not installed with the package."""
