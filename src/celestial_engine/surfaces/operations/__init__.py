"""The operations of the engine, declared once for every surface. `catalogue` has them all."""
