"""Google Agent Development Kit."""
