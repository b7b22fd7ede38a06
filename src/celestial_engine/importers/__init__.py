"""Import memories from other systems: `import_from(memory, path)` reads any of `FORMATS` and returns a report."""

from __future__ import annotations

from celestial_engine.importers.formats import FORMATS, Format
from celestial_engine.importers.moving_in import import_from
from celestial_engine.importers.report import ImportReport, Skipped
from celestial_engine.importers.rows import MEANINGS, mapping_of

__all__ = ["FORMATS", "MEANINGS", "Format", "ImportReport", "Skipped", "import_from", "mapping_of"]
