"""The table of relations, each stored once; the first versions had it twice, once from each end."""

from __future__ import annotations

RELATIONS_ONCE = (
    "ALTER TABLE relations RENAME TO relations_twice",
    """
    -- What memories tell, from entity to entity. Numbered within a memory: so the two indexes, which hold all that a
    -- search reads, repeat a small number and not the predicate.
    CREATE TABLE relations (
        seq INTEGER NOT NULL REFERENCES items,
        number INTEGER NOT NULL,
        subject INTEGER NOT NULL REFERENCES entities,
        object INTEGER NOT NULL REFERENCES entities,
        predicate TEXT NOT NULL,
        negative INTEGER NOT NULL,
        PRIMARY KEY (seq, number)
    ) WITHOUT ROWID
    """,
    """
    INSERT INTO relations (seq, number, subject, object, predicate, negative)
    SELECT seq, row_number() OVER (PARTITION BY seq ORDER BY entity, other, predicate) - 1,
        entity, other, predicate, negative
    FROM relations_twice WHERE forward = 1 ORDER BY seq
    """,
    "DROP TABLE relations_twice",  # with its indexes and triggers
    "CREATE INDEX relations_subject ON relations (subject, seq, object, negative)",
    "CREATE INDEX relations_object ON relations (object, seq, subject, negative)",
    """
    CREATE TRIGGER entities_gain AFTER INSERT ON relations
    BEGIN
        UPDATE entities SET degree = degree + 1 WHERE entity = NEW.subject;
        UPDATE entities SET degree = degree + 1 WHERE entity = NEW.object;
    END
    """,
    """
    CREATE TRIGGER entities_lose AFTER DELETE ON relations
    BEGIN
        UPDATE entities SET degree = degree - 1 WHERE entity = OLD.subject;
        UPDATE entities SET degree = degree - 1 WHERE entity = OLD.object;
        DELETE FROM entities WHERE entity IN (OLD.subject, OLD.object) AND degree = 0;
    END
    """,
)
