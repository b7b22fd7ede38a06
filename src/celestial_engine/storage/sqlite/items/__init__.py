"""Sessions on the database: records, ledger, self, lessons, jobs and tokens."""
