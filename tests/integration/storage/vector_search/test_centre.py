"""Signs are taken from the centre of the crowd, in older databases too."""

from __future__ import annotations

from array import array
from contextlib import closing

from celestial_engine.storage.sqlite import SqliteStore
from celestial_engine.storage.sqlite.schema.migrations import APPLICATION_ID, MIGRATIONS, SCHEMA_VERSION
from celestial_engine.storage.sqlite.search import vectors
from celestial_engine.storage.sqlite.search.signs import code_of, norm_of
from celestial_engine.testing.conformance.base import SOMEBODY, a_course
from celestial_engine.testing.conformance.crowd import (
    CROWD,
    DIMENSION,
    LONELY,
    MANY,
    a_memory,
    add,
    exact,
    search_ids,
)


class TestCentre:
    def test_signs_are_taken_from_the_centre(self, store, path, raw):
        """Bare signs of vectors that lean to one side are nearly the same for all; from the centre they differ."""
        with raw(path) as db:
            ((direction,),) = db.execute("SELECT direction FROM centre").fetchall()
            codes = [bits for (bits,) in db.execute("SELECT bits FROM signs")]
        assert codes == [code_of(vector, norm_of(vector), array("f", direction)) for vector in CROWD]
        ones = [sum(int.from_bytes(code, "big") >> bit & 1 for code in codes) for bit in range(DIMENSION)]
        assert all(0.25 * MANY < count < 0.75 * MANY for count in ones)

    def test_it_stays_when_the_store_is_opened_again(self, store, path, raw):
        with raw(path) as db:
            before = db.execute("SELECT * FROM centre").fetchall()
        store.close()
        with closing(SqliteStore(path)) as again:
            add(again, "late", LONELY)
            assert search_ids(again, CROWD[11]) == exact(CROWD[11])
        with raw(path) as db:
            assert db.execute("SELECT * FROM centre").fetchall() == before
            (bits,) = db.execute("SELECT bits FROM signs ORDER BY seq DESC LIMIT 1").fetchone()
        assert bits == code_of(array("f", LONELY), 1.0, array("f", before[0][1]))

    def test_a_better_one_is_made_once_there_are_more(self, path, monkeypatch, raw):
        monkeypatch.setattr(vectors, "CENTRES_AT", (100, 800))
        with closing(SqliteStore(path)) as small:
            made_of = set()
            for start in range(0, MANY, 100):
                with small.write(SOMEBODY) as session:
                    for number in range(start, start + 100):
                        session.items.add(a_memory(f"m{number}", CROWD[number]), a_course())
                with raw(path) as db:
                    made_of |= set(db.execute("SELECT made_of FROM centre").fetchall())
                search_ids(small, CROWD[0])
            assert search_ids(small, CROWD[5]) == exact(CROWD[5])
        assert len(made_of) == 2

    def test_another_embedder_begins_without(self, store, path, raw):
        assert search_ids(store, CROWD[0])
        with store.write_whole_store() as session:
            session.vectors.adopt_embedder("another")
        assert search_ids(store, CROWD[0]) == []
        with raw(path) as db:
            assert db.execute("SELECT count(*) FROM centre").fetchone() == (0,)
        with store.write(SOMEBODY) as session:
            waiting = session.vectors.missing(None, len(CROWD))
            session.vectors.put_missing(
                SOMEBODY,
                [(one.key.key, one.text, [*vector, 0.1]) for one, vector in zip(waiting, CROWD, strict=True)],
            )
        with raw(path) as db:
            assert db.execute("SELECT length(direction) / 4 FROM centre").fetchone() == (DIMENSION + 1,)
        assert search_ids(store, [*CROWD[9], 0.1]) == exact(CROWD[9])

    def test_repair_makes_codes_anew(self, store, path, raw):
        with raw(path) as db:
            db.execute("UPDATE signs SET bits = zeroblob(length(bits))")
        store.repair()
        assert search_ids(store, CROWD[20]) == exact(CROWD[20])


class TestOlderDatabases:
    def test_of_the_first_version(self, store, path, tmp_path, raw):
        """Its bare signs are made again when it is opened; nothing is lost."""
        store.checkpoint()
        old = str(tmp_path / "old.db")
        with raw(old) as db:
            for statement in MIGRATIONS[0]:
                db.execute(statement)
            db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            db.execute("PRAGMA user_version = 1")
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("ATTACH ? AS new", (path,))
            for table in ("owners", "items", "texts"):
                db.execute(f"DELETE FROM {table}")
                columns = ", ".join(row[1] for row in db.execute(f"PRAGMA main.table_info({table})"))
                db.execute(f"INSERT INTO {table} ({columns}) SELECT {columns} FROM new.{table}")
            db.execute("UPDATE owners SET orbiting = (SELECT orbiting FROM new.owners)")
            db.execute("INSERT INTO vectors SELECT seq, embedding FROM new.vectors")
            bare = [(seq, code_of(array("f", blob), 1.0, None)) for seq, blob in db.execute("SELECT * FROM vectors")]
            db.executemany("INSERT INTO signs VALUES (?, ?)", bare)
            db.commit()
        with closing(SqliteStore(old)) as upgraded:
            assert upgraded.check() == []
            assert search_ids(upgraded, CROWD[30]) == exact(CROWD[30])
            add(upgraded, "new", LONELY)
            assert search_ids(upgraded, LONELY) == ["new"]
        with raw(old) as db, raw(path) as new:
            assert db.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
            codes = db.execute("SELECT bits FROM signs LIMIT ?", (MANY,)).fetchall()
            assert codes != [(bits,) for _, bits in bare]
            assert len(codes) == new.execute("SELECT count(*) FROM signs").fetchone()[0]
