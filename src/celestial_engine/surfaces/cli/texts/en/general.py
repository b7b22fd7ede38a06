"""English: every sentence."""

from __future__ import annotations

from celestial_engine.surfaces.cli.texts.en.common import COMMON
from celestial_engine.surfaces.cli.texts.en.config import CONFIG
from celestial_engine.surfaces.cli.texts.en.doctor import DOCTOR
from celestial_engine.surfaces.cli.texts.en.filters import FILTERS
from celestial_engine.surfaces.cli.texts.en.gossip import GOSSIP
from celestial_engine.surfaces.cli.texts.en.guard import GUARD
from celestial_engine.surfaces.cli.texts.en.imagination import IMAGINING
from celestial_engine.surfaces.cli.texts.en.importing import IMPORTING
from celestial_engine.surfaces.cli.texts.en.keeping import KEEPING
from celestial_engine.surfaces.cli.texts.en.ledger import LEDGER
from celestial_engine.surfaces.cli.texts.en.lifetimes import LIFETIMES
from celestial_engine.surfaces.cli.texts.en.mcp import MCP
from celestial_engine.surfaces.cli.texts.en.personas import PERSONAS
from celestial_engine.surfaces.cli.texts.en.self_ import SELF
from celestial_engine.surfaces.cli.texts.en.serving import SERVING
from celestial_engine.surfaces.cli.texts.en.sleep import SLEEP
from celestial_engine.surfaces.cli.texts.en.sync import SYNC
from celestial_engine.surfaces.cli.texts.en.turns import TURNS

TEXTS: dict[str, str] = {
    **COMMON,
    **DOCTOR,
    **KEEPING,
    **LEDGER,
    **LIFETIMES,
    **FILTERS,
    **GUARD,
    **TURNS,
    **MCP,
    **SLEEP,
    **SERVING,
    **GOSSIP,
    **IMAGINING,
    **PERSONAS,
    **IMPORTING,
    **SELF,
    **SYNC,
    **CONFIG,
}
