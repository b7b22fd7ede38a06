"""What the class of 3.0 also had, and where the like of it is found here."""

from __future__ import annotations

ELSEWHERE = {
    "introspect": "engine.recall(query, explain=True) says how each answer was found",
    "reason": "hand engine.compose(question) to a language model",
    "recall_with_confidence": "engine.recall(query, explain=True) has a score for every answer",
    "detect_contradictions": "a newer statement takes an older one's place by itself",
    "ingest": "read the file or page yourself, and store what matters",
    "encrypt_memory": "keep the database on an encrypted disk",
    "decrypt_memory": "keep the database on an encrypted disk",
    "optimize": "engine.feedback(...) teaches it, turn by turn",
    "rollback_weights": "engine.policy_rollback(...) goes back to a version of what was learned",
    "provide_feedback": "engine.feedback(...) teaches it, turn by turn",
    "auto_tune": "engine.feedback(...) teaches it, turn by turn",
    "create_middleware": "celestial_engine.adapters has one for every framework",
    "benchmark": "see docs/benchmarks.md",
    "graph_stats": "engine.related(memory_id, depth=3) walks the ties",
    "graph_communities": "engine.related(memory_id, depth=3) walks the ties",
    "graph_centrality": "engine.related(memory_id, depth=3) walks the ties",
    "graph_path": "engine.related(memory_id, depth=3) walks the ties",
}
