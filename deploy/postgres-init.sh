#!/bin/sh
# Runs once, when the data folder is empty: an ordinary role, its database, and pgvector in it.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$CELESTIAL_PASSWORD" --username postgres <<'SQL'
CREATE ROLE celestial LOGIN PASSWORD :'password';
CREATE DATABASE celestial OWNER celestial ENCODING 'UTF8' TEMPLATE template0;
\connect celestial
CREATE EXTENSION vector;
SQL
