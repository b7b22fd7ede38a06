"""Which of stellar-memory 3.0.0's own tests are not run against the shim, and why. All others must pass.

FILES are left out whole, TESTS one by one or a class at a time. A name that does not exist fails the run.
"""

from __future__ import annotations

_PARTS = "about a part that is replaced: "
_PRIVATE = "reads or writes private attributes: "

FILES = {
    "test_adapters.py": _PARTS + "frameworks have adapters of their own (celestial_engine.adapters)",
    "test_adaptive_decay.py": _PARTS + "forgetting follows lifetimes and the memory function",
    "test_cli.py": _PARTS + "the command line is `celestial`",
    "test_connectors.py": _PARTS + "nothing is fetched from the web",
    "test_decay.py": _PRIVATE + "test_stellar_shim.py tells with a clock what is forgotten when",
    "test_embedder.py": _PARTS + "embedders are the engine's",
    "test_event_logger.py": _PARTS + "the ledger takes the place of the event log",
    "test_graph_analyzer.py": _PARTS + "there is no graph analysis",
    "test_importance.py": _PARTS + "evaluators are the engine's",
    "test_middleware.py": _PARTS + "observe() and compose() of the engine take the place of the middleware",
    "test_orbit_manager.py": _PARTS + "zones are kept by the engine, none of them in RAM alone",
    "test_p8_init_mcp.py": _PARTS + "the command line is `celestial`",
    "test_p8_openapi.py": _PARTS + "the REST server is the engine's",
    "test_p9_benchmark.py": _PARTS + "benchmarks are in benchmarks/",
    "test_p9_metacognition.py": _PARTS + "recall(explain=True) tells how sure an answer is",
    "test_p9_multimodal.py": _PARTS + "texts are texts",
    "test_p9_reasoning.py": _PARTS + "a newer statement takes an older one's place; reasoning is the host's",
    "test_p9_self_learning.py": _PARTS + "the policy and the reranker learn, not the weights",
    "test_performance.py": _PARTS + "the search inside their zone tables is replaced",
    "test_persistent_graph.py": _PARTS + "edges are kept with the memories; test_stellar_shim.py has the like",
    "test_providers.py": _PARTS + "models are named by CELESTIAL_MODEL",
    "test_security.py": _PARTS + "nothing is encrypted, and asking for it is refused",
    "test_semantic_search.py": _PARTS + "the search inside their zone tables is replaced",
    "test_server.py": _PARTS + "the REST server is the engine's",
    "test_storage.py": _PARTS + "memories are kept in the engine's tables",
    "test_sync.py": _PARTS + "several processes share one database",
    "test_tuner_integration.py": _PRIVATE + "the policy and the reranker learn, not the weights",
    "test_vector_index.py": _PARTS + "vectors are searched by the engine",
    "test_weight_tuner.py": _PARTS + "the policy and the reranker learn, not the weights",
}

_TIME = _PRIVATE + "test_stellar_shim.py tells the same with a clock instead"
_DECAY = _PARTS + "forgetting follows lifetimes and the memory function"
_TABLES = _PARTS + "memories are kept in the engine's tables"
_FELT = _PARTS + "moods are read by the engine; what store() gives back is tested"

TESTS = {
    "test_blackhole.py::test_freshness_decay_moves_unreferenced_outward": _TIME,
    "test_blackhole.py::test_mixed_usage_equilibrium": _TIME,
    "test_stellar.py::TestFullLifecycle": _TIME,
    "test_compat.py::TestCelestialEngineDeprecation": "celestial_engine is this package, and alive",
    **{
        f"test_consolidation.py::test_{name}": _PARTS + "the night merges what says the same, by rules of its own"
        for name in (
            "find_similar_above_threshold",
            "find_similar_below_threshold",
            "find_similar_no_embedding",
            "merge_content_combined",
            "merge_recall_count_summed",
            "merge_importance_max",
            "merge_max_content_length",
            "merge_duplicate_content_not_added",
            "merge_history_metadata",
            "consolidate_zone",
        )
    },
    "test_dashboard.py::TestDashboardApp": _PARTS + "the dashboard is the engine's",
    "test_dashboard.py::TestP6Models::test_ingest_result": _PARTS + "nothing is fetched from the web",
    "test_dashboard.py::TestP6Models::test_zone_distribution": _PARTS + "the dashboard is the engine's",
    "test_dashboard.py::TestP6Models::test_access_role": _PARTS + "there are no roles, but tokens",
    "test_dashboard.py::TestP6Models::test_change_event": _PARTS + "several processes share one database",
    "test_dashboard.py::TestP6Integration::test_p6_exports": "wants names of encryption, roles and sync",
    "test_dashboard.py::TestP6Integration::test_stellar_memory_creates_without_p6": _PRIVATE + "there are none",
    "test_emotion.py::TestEmotionAnalyzer": _FELT,
    "test_emotion.py::TestEmotionDecay": _DECAY,
    "test_health.py::TestCLIHealth": _PARTS + "the command line is `celestial`",
    "test_memory_function.py::TestRecallScore": _PRIVATE + "the engine's own tests hold its laws",
    "test_memory_function.py::TestFreshnessScore": _PRIVATE + "the engine's own tests hold its laws",
    "test_p8_quickstart.py::TestQuickstartWizard": _PARTS + "the command line is `celestial`",
    "test_p8_version.py::TestVersionManagement::test_version_in_server": _PARTS + "the REST server is the engine's",
    "test_p8_version.py::TestVersionManagement::test_build_package": "builds stellar-memory's own package",
    "test_p8_version.py::TestVersionManagement::test_pyproject_version_matches": "reads stellar-memory's own project file",
    "test_packaging.py::TestPackaging::test_cli_entrypoint": _PARTS + "the command line is `celestial`",
    "test_protocols.py::TestProtocolConformance::test_sqlite_storage_conforms_to_protocol": _TABLES,
    "test_protocols.py::TestProtocolConformance::test_in_memory_storage_conforms": _TABLES,
    "test_protocols.py::TestProtocolReExports": _PARTS + "models are named by CELESTIAL_MODEL",
    "test_storage_backend.py::TestStorageBackendABC": _TABLES,
    "test_storage_backend.py::TestRedisCache": _PARTS + "there is no cache to keep in step",
    "test_storage_backend.py::TestPostgresStorageInterface": _TABLES,
    "test_summarizer.py::TestShouldSummarize": _PARTS + "gists are made by the engine",
    "test_summarizer.py::TestSummarize": _PARTS + "gists are made by the engine",
    "test_summarizer.py::TestSummarizerPrompt": _PARTS + "gists are made by the engine",
    "test_summarizer.py::TestStellarMemoryWithSummarizer::test_summarizer_disabled": _PRIVATE + "there is none",
}

# Imported at the top of files of which some tests are run: these can be imported there, and not used.
ABSENT_MODULES = (
    "cli", "consolidator", "emotion", "providers", "storage", "storage.in_memory",
    "storage.postgres_storage", "storage.redis_cache", "storage.sqlite_storage", "summarizer",
)  # fmt: skip
ABSENT_NAMES = {"models": ("ConsolidationResult",)}
