"""Every operation is written down, and everything the engine can do is one, or is said not to be."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from celestial_engine import CelestialMemory
from celestial_engine.engine.parts import Area
from celestial_engine.surfaces import operations
from celestial_engine.surfaces.cli.parser import build_parser
from celestial_engine.surfaces.cli.texts.catalogue import Texts
from celestial_engine.surfaces.operations.catalogue import LOCAL_OPERATIONS, OPERATIONS
from celestial_engine.surfaces.operations.reference import NOT_OFFERED, reference

ROOT = Path(__file__).parents[2]


def asked_of_the_engine() -> set[str]:
    """Whatever stands behind `caller.memory.` in the operations."""
    found = set()
    for path in Path(operations.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and (name := ast.unparse(node)).startswith("caller.memory."):
                found.add(name.removeprefix("caller.memory."))
    return found


def offered_by_the_engine() -> set[str]:
    """Its methods, and those of its areas: `ledger.verify`."""
    found = set()
    with CelestialMemory(":memory:", rebalance_interval=None) as memory:
        waiting = [("", memory)]
        for prefix, part in waiting:  # grows as it goes
            for name in dir(part):
                value = None if name.startswith("_") or name in ("parts", "path", "owner") else getattr(part, name)
                if isinstance(value, Area):
                    waiting.append((f"{prefix}{name}.", value))
                elif callable(value):
                    found.add(prefix + name)
    return found


def test_the_reference_is_in_step():
    """docs/operations.md is what the declarations say; `make docs` writes it again."""
    assert (ROOT / "docs" / "operations.md").read_text(encoding="utf-8") == reference()


def test_everything_the_engine_can_do_is_offered_or_said_not_to_be():
    """A new method of the engine needs an operation, or a reason in the reference."""
    assert offered_by_the_engine() - asked_of_the_engine() == NOT_OFFERED.keys()


def test_names_routes_and_summaries_are_good():
    """Each has a name and a way of its own, and one sentence that says what it is."""
    assert len({operation.name for operation in OPERATIONS}) == len(OPERATIONS)
    assert len({(one.route.method, one.route.path) for one in OPERATIONS}) == len(OPERATIONS)
    for operation in OPERATIONS:
        assert re.fullmatch(r"[a-z]+(_[a-z]+)*", operation.name)
        assert operation.summary.endswith(".")
        assert len(operation.summary) < 200
        assert operation.route.path.startswith("/")


def test_commands_that_are_named_exist():
    """What the reference says can be typed can be."""
    commands = build_parser(Texts("en"))._subparsers._group_actions[0].choices
    for operation in (*OPERATIONS, *LOCAL_OPERATIONS):
        for command in operation.commands:
            assert command.name.split()[0] in commands, operation.name


def test_no_name_has_two_meanings():
    """Requests and answers are told apart by their names alone, in OpenAPI and on the page."""
    named = {}
    for operation in (*OPERATIONS, *LOCAL_OPERATIONS):
        for kind in (operation.request, operation.result):
            assert named.setdefault(kind.__name__, kind) is kind
