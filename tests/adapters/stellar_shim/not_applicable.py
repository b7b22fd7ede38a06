"""Which of stellar-memory 3.0.0's own tests are not run against the shim, and why. All others must pass.

FILES are skipped entirely, TESTS by test or by class. A name that does not exist fails the run.
Each reason starts with its kind; docs/stellar-memory.md lists how many tests each kind leaves out.
"""

from __future__ import annotations

SIDE = "side product: "
REFUSED = "refused: "
DIFFERENT = "works differently: "
PRIVATE = "private detail: "
KINDS = tuple(kind.removesuffix(": ") for kind in (SIDE, REFUSED, DIFFERENT, PRIVATE))

_COMMANDS = SIDE + "its command line; ours is `celestial`"
_SERVER = SIDE + "its REST server; ours is `celestial serve`"
_DASHBOARD = SIDE + "its dashboard; ours is `celestial dashboard`"
_FETCHING = SIDE + "its connectors, which fetch web pages and files"
_MODELS = SIDE + "its registry of models; the engine reads CELESTIAL_MODEL and CELESTIAL_EMBEDDER"
_DATABASES = SIDE + "its Redis and PostgreSQL backends; the engine uses SQLite"
_SYNC = REFUSED + "sync between agents; with the engine, processes share one database"
_ROLES = REFUSED + "roles; the engine's server uses tokens"
_WEIGHTS = DIFFERENT + "tunes the weights of the memory function; the engine learns ranking and policy instead"
_MERGING = DIFFERENT + "concatenates similar texts; the engine merges only memories that say the same, at night"
_SUMMARIES = DIFFERENT + "replaces a text by a model's summary; the engine keeps the text and stores a gist with it"

FILES = {
    "test_adapters.py": SIDE + "its LangChain and OpenAI adapters; ours are in celestial_engine.adapters",
    "test_cli.py": _COMMANDS,
    "test_connectors.py": _FETCHING,
    "test_p8_init_mcp.py": _COMMANDS,
    "test_p8_openapi.py": _SERVER,
    "test_p9_benchmark.py": SIDE + "its benchmarks; ours are in benchmarks/",
    "test_p9_multimodal.py": SIDE
    + "detects programming languages and JSON keys; the shim stores content_type, not more",
    "test_p9_self_learning.py": _WEIGHTS,
    "test_providers.py": _MODELS,
    "test_security.py": REFUSED + "encryption, roles and their access log; asking for them raises an error",
    "test_server.py": _SERVER,
    "test_sync.py": _SYNC,
    "test_weight_tuner.py": _WEIGHTS,
}

# tests/integration/compat/test_stellar_shim.py tests the same behaviour with a fake clock.
_AGED = PRIVATE + "writes an earlier recall time through the attribute _orbit_mgr"

TESTS = {
    "test_blackhole.py::test_freshness_decay_moves_unreferenced_outward": _AGED,
    "test_blackhole.py::test_mixed_usage_equilibrium": _AGED,
    "test_compat.py::TestCelestialEngineDeprecation": DIFFERENT
    + "expects celestial_engine to be a deprecated alias; it is this package",
    **{
        f"test_consolidation.py::test_{name}": _MERGING
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
    "test_dashboard.py::TestDashboardApp": _DASHBOARD,
    "test_dashboard.py::TestP6Integration::test_p6_exports": REFUSED
    + "imports classes for encryption, roles and sync",
    "test_dashboard.py::TestP6Integration::test_stellar_memory_creates_without_p6": PRIVATE
    + "the attributes _encryption, _sync and _redis_cache",
    "test_dashboard.py::TestP6Models::test_access_role": _ROLES,
    "test_dashboard.py::TestP6Models::test_change_event": _SYNC,
    "test_dashboard.py::TestP6Models::test_ingest_result": _FETCHING,
    "test_dashboard.py::TestP6Models::test_zone_distribution": _DASHBOARD,
    "test_decay.py::TestDecayManager::test_decay_demotes_zone": _AGED,
    "test_decay.py::TestDecayManager::test_stellar_reorbit_applies_decay": _AGED,
    "test_decay.py::TestDecayManager::test_zone_change_event_fires": _AGED,
    "test_emotion.py::TestEmotionAnalyzer::test_rule_surprise": DIFFERENT + "the engine has no emotion `surprise`",
    "test_emotion.py::TestEmotionDecay::test_emotion_decay_penalty": DIFFERENT
    + "its penalty for weak emotions extends the days; the shim ignores weak emotions",
    "test_health.py::TestCLIHealth": _COMMANDS,
    "test_memory_function.py::TestFreshnessScore::test_freshness_bottoms_at_zero": DIFFERENT
    + "freshness reaches 0 after 90 days, not within twelve",
    "test_p8_quickstart.py::TestQuickstartWizard": _COMMANDS,
    "test_p8_version.py::TestVersionManagement::test_build_package": SIDE + "builds its own package",
    "test_p8_version.py::TestVersionManagement::test_pyproject_version_matches": SIDE + "reads its own project file",
    "test_p8_version.py::TestVersionManagement::test_version_in_server": _SERVER,
    "test_packaging.py::TestPackaging::test_cli_entrypoint": _COMMANDS,
    "test_persistent_graph.py::TestPersistentMemoryGraph::test_memory_db_uses_in_memory_graph": PRIVATE
    + "the class of the attribute _graph; edges are stored with the memories",
    "test_persistent_graph.py::TestPersistentMemoryGraph::test_stellar_uses_persistent_graph": PRIVATE
    + "the class of the attribute _graph; edges are stored with the memories",
    "test_protocols.py::TestProtocolReExports": _MODELS,
    "test_stellar.py::TestFullLifecycle": _AGED,
    "test_storage_backend.py::TestPostgresStorageInterface": _DATABASES,
    "test_storage_backend.py::TestRedisCache": _DATABASES,
    "test_storage_backend.py::TestStorageBackendABC": DIFFERENT
    + "tests a stub of a custom storage backend; the shim always uses the engine's",
    "test_summarizer.py::TestShouldSummarize": _SUMMARIES,
    "test_summarizer.py::TestStellarMemoryWithSummarizer::test_summarizer_disabled": PRIVATE
    + "the attribute _summarizer",
    "test_summarizer.py::TestSummarize": _SUMMARIES,
    "test_summarizer.py::TestSummarizerPrompt": _SUMMARIES,
    "test_vector_index.py::TestHelperFunctions": PRIVATE + "helper functions of its ball tree",
}

# Imported by test files that are only partly skipped: importable stand-ins that raise when used.
ABSENT_MODULES = ("cli", "consolidator", "providers", "storage.postgres_storage", "storage.redis_cache", "summarizer")
ABSENT_NAMES = {
    "emotion": ("EMOTION_KEYWORDS",),
    "models": ("ConsolidationResult",),
    "storage": ("StorageBackend",),
    "vector_index": ("_centroid", "_euclidean_dist"),
}
