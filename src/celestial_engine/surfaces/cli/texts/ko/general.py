"""한국어: 모든 문장."""

from __future__ import annotations

from celestial_engine.surfaces.cli.texts.ko.common import COMMON
from celestial_engine.surfaces.cli.texts.ko.config import CONFIG
from celestial_engine.surfaces.cli.texts.ko.doctor import DOCTOR
from celestial_engine.surfaces.cli.texts.ko.filters import FILTERS
from celestial_engine.surfaces.cli.texts.ko.gossip import GOSSIP
from celestial_engine.surfaces.cli.texts.ko.guard import GUARD
from celestial_engine.surfaces.cli.texts.ko.imagination import IMAGINING
from celestial_engine.surfaces.cli.texts.ko.importing import IMPORTING
from celestial_engine.surfaces.cli.texts.ko.keeping import KEEPING
from celestial_engine.surfaces.cli.texts.ko.ledger import LEDGER
from celestial_engine.surfaces.cli.texts.ko.lifetimes import LIFETIMES
from celestial_engine.surfaces.cli.texts.ko.mcp import MCP
from celestial_engine.surfaces.cli.texts.ko.personas import PERSONAS
from celestial_engine.surfaces.cli.texts.ko.self_ import SELF
from celestial_engine.surfaces.cli.texts.ko.serving import SERVING
from celestial_engine.surfaces.cli.texts.ko.sleep import SLEEP
from celestial_engine.surfaces.cli.texts.ko.sync import SYNC
from celestial_engine.surfaces.cli.texts.ko.turns import TURNS

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
