"""The tables, as an ordered list of migrations, and who may see which rows."""
