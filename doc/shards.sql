-- Shards with postgres_fdw, of three servers: a coordinator and two shards.  See distributed.md.
-- "-- on" says where the statements below it are run; each server has its machine id.

-- Shards by hash.  The coordinator has foreign tables as partitions.

-- on shard1, shard2, coordinator
CREATE EXTENSION uuidnew;
-- on shard1
CREATE TABLE events_1 (id uuid PRIMARY KEY DEFAULT public.uuidv7(), kind text);
-- on shard2
CREATE TABLE events_2 (id uuid PRIMARY KEY DEFAULT public.uuidv7(), kind text);
-- on coordinator
CREATE EXTENSION postgres_fdw;
CREATE SERVER shard1 FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host 'shard1', dbname 'app', extensions 'uuidnew', async_capable 'true');
CREATE SERVER shard2 FOREIGN DATA WRAPPER postgres_fdw
    OPTIONS (host 'shard2', dbname 'app', extensions 'uuidnew', async_capable 'true');
CREATE USER MAPPING FOR CURRENT_USER SERVER shard1;
CREATE USER MAPPING FOR CURRENT_USER SERVER shard2;
CREATE TABLE events (id uuid NOT NULL DEFAULT public.uuidv7(), kind text)
    PARTITION BY HASH (id);
CREATE FOREIGN TABLE events_1 PARTITION OF events
    FOR VALUES WITH (MODULUS 2, REMAINDER 0) SERVER shard1;
CREATE FOREIGN TABLE events_2 PARTITION OF events
    FOR VALUES WITH (MODULUS 2, REMAINDER 1) SERVER shard2;
INSERT INTO events (kind) SELECT 'kind ' || n % 5 FROM generate_series(1, 1000) n;

-- A foreign table without the key: the shard's default generates it.

-- on coordinator
CREATE FOREIGN TABLE events_1_insert (kind text) SERVER shard1 OPTIONS (table_name 'events_1');

-- Shards by time.  All new rows go to the coordinator, and the rows of old years to shards.

-- on shard1
CREATE TABLE log_2024 (id uuid PRIMARY KEY, line text);
-- on coordinator
CREATE TABLE log (id uuid NOT NULL DEFAULT public.uuidv7(), line text)
    PARTITION BY RANGE (id);
CREATE FOREIGN TABLE log_2024 PARTITION OF log
    FOR VALUES FROM (uuidv7_min('2024-01-01 00:00+00')) TO (uuidv7_min('2025-01-01 00:00+00'))
    SERVER shard1;
CREATE TABLE log_new PARTITION OF log (PRIMARY KEY (id))
    FOR VALUES FROM (uuidv7_min('2025-01-01 00:00+00')) TO (MAXVALUE);
INSERT INTO log (line) VALUES ('a line of now');
INSERT INTO log VALUES (uuidv7_at('2024-02-03 04:05:06+00'), 'an old line');

-- Shards that generate their own rows.  Each server has its own machine id, by which the parent is
-- partitioned.

-- on shard1
CREATE TABLE made (
    id   uuid PRIMARY KEY DEFAULT public.uuidv7() CHECK (uuid_machine_id(id, 4, 'rfc9562') = 1),
    item text
);
-- on shard2
CREATE TABLE made (
    id   uuid PRIMARY KEY DEFAULT public.uuidv7() CHECK (uuid_machine_id(id, 4, 'rfc9562') = 2),
    item text
);
-- on coordinator
CREATE TABLE made (id uuid NOT NULL DEFAULT public.uuidv7(), item text)
    PARTITION BY LIST (uuid_machine_id(id, 4, 'rfc9562'));
CREATE TABLE made_3 PARTITION OF made (PRIMARY KEY (id)) FOR VALUES IN (3);
CREATE FOREIGN TABLE made_1 PARTITION OF made FOR VALUES IN (1)
    SERVER shard1 OPTIONS (table_name 'made');
CREATE FOREIGN TABLE made_2 PARTITION OF made FOR VALUES IN (2)
    SERVER shard2 OPTIONS (table_name 'made');
