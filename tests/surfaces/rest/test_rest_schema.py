"""The OpenAPI document is true: whatever it allows is answered as it says, with a token and without."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from celestial_engine import CelestialMemory, Settings, StorageSettings
from celestial_engine.surfaces.operations.catalogue import OPERATIONS
from celestial_engine.surfaces.rest.settings import ServerSettings
from celestial_engine.testing.fakes import bag_of_words

schemathesis = pytest.importorskip("schemathesis", reason="it needs Python 3.11")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")
GenerationMode = schemathesis.GenerationMode
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.status_code_conformance,
]
FEW = settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def open_server(tmp_path_factory, serve):
    path = tmp_path_factory.mktemp("schema") / "memory.db"
    options = {
        "rebalance_interval": None,
        "embed_fn": bag_of_words,
        "settings": Settings(StorageSettings("normal", ledger_path="none")),
    }
    with CelestialMemory(path, **options) as memory:
        for number in range(5):
            memory.store(f"Mina drinks tea number {number}")
        with serve(memory, ServerSettings(requests_per_second=1e6, burst=1_000_000)) as one:
            yield one


@pytest.fixture(scope="module")
def document(open_server):
    return schemathesis.openapi.from_url(open_server.url + "/openapi.json")


def test_every_operation_is_in_the_document(document):
    ids = {found.ok().definition.raw["operationId"] for found in document.get_all_operations()}
    assert ids == {operation.name for operation in OPERATIONS}


def every(operation, document, mode=GenerationMode.POSITIVE):
    """All requests that the document allows, or that it does not."""
    described = document[f"/v1{operation.route.path}"][operation.route.method]
    return described.as_strategy(generation_mode=mode)


@pytest.mark.parametrize("mode", list(GenerationMode), ids=lambda mode: mode.value)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_whatever_is_asked_is_answered_as_promised(operation, mode, document, open_server):
    """No 500, no answer that the document does not know, with the right to do everything."""
    if mode is GenerationMode.NEGATIVE and not dataclasses.fields(operation.request):
        return  # who may say nothing cannot say anything wrong
    bearer = {"Authorization": f"Bearer {open_server.token}"}

    @settings(FEW, max_examples=12 if mode is GenerationMode.POSITIVE else 6)
    @given(case=every(operation, document, mode))
    def ask(case):
        case.call_and_validate(headers=bearer, checks=CHECKS)

    ask()


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_without_a_token_nothing_is_answered(operation, document, open_server):
    """401 for whatever is asked, told as promised."""

    @settings(FEW, max_examples=2)
    @given(case=every(operation, document))
    def ask(case):
        answer = case.call(headers={"Authorization": "Bearer cel_nobody"})
        assert answer.status_code == 401
        case.validate_response(answer, checks=CHECKS)
        case.call_and_validate(headers={"Authorization": f"Bearer {open_server.token}"}, checks=[checks.ignored_auth])

    ask()
