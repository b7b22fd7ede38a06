"""An owner's rows, read and written as they are, to move the owner to another store."""
