--
-- IDs of other systems: the cost of a conversion, in nanoseconds, and of a
-- table's change from a text key to uuid.
--
\set QUIET on
SET client_min_messages = warning;
CREATE EXTENSION uuidnew;
CREATE FUNCTION bench_empty_uuid(bigint) RETURNS uuid
LANGUAGE C VOLATILE STRICT AS :'library', 'bench_empty';
CREATE FUNCTION bench_empty_uuid(text) RETURNS uuid
LANGUAGE C VOLATILE STRICT AS :'library', 'bench_empty';
CREATE FUNCTION bench_empty_uuid(uuid) RETURNS uuid
LANGUAGE C VOLATILE STRICT AS :'library', 'bench_empty';

-- IDs are made of random UUIDs whose time is from 1970 to 2038, as far as the
-- system allows.
CREATE TABLE systems (no serial, system text, type text, random_id text, target int);
INSERT INTO systems (system, type, random_id, target) VALUES
	('snowflake', 'bigint', 'i * 9221120237041090', 60),
	('shardingid', 'bigint', 'i * 9221120237041090', 60),
	('flakeid', 'bigint', 'i * 9221120237041090', 60),
	('sonyflake', 'bigint', 'i * 9221120237041090', 60),
	('mastodon', 'bigint', 'i * 9221120237041090', 60),
	('lexicaluuid', 'text',
	 $$'000' || substr(md5(i::text), 1, 5) || '-' || substr(md5(i::text), 6, 4) || '-'
	   || substr(md5(i::text), 10, 4) || '-' || right(md5(i::text), 16)$$, 120),
	('flake', 'text',
	 $$uuid_to_flake(overlay(md5(i::text) placing '000001' from 1)::uuid)$$, 120),
	('elasticflake', 'text',
	 $$translate(encode(substr(decode(md5(i::text), 'hex'), 1, 15), 'base64'), '+/', '-_')$$, 120),
	('ulid', 'text', 'uuid_to_ulid(md5(i::text)::uuid)', 120),
	('sid', 'text',
	 $$uuid_to_sid(overlay(overlay(md5(i::text) placing '1' from 1) placing '7' from 17)::uuid,
				   'base64')$$, 120),
	('pushid', 'text',
	 $$translate(encode(substr(decode(md5(i::text), 'hex'), 1, 15), 'base64'), '+/', '-_')$$, 120),
	('xid', 'text', 'left(md5(i::text), 19) || ''g''', 120),
	('objectid', 'text', 'left(md5(i::text), 24)', 120),
	('cuid', 'text', '''ch'' || left(md5(i::text), 23)', 120);

-- Ten IDs in each row: a call on the same value would be made once.  Few rows,
-- read again and again, so that memory is not what is measured.
SELECT format('CREATE TABLE ids_%s AS SELECT %s FROM generate_series(1, 50) r', system,
	(SELECT string_agg(format('(%s)::%s AS k%s',
							  regexp_replace(random_id, '\mi\M', '(r * 10 + ' || n || ')', 'g'),
							  type, n), ', ')
	 FROM generate_series(0, 9) n))
FROM systems \gexec
SELECT format('CREATE TABLE uuids_%1$s AS SELECT %2$s FROM ids_%1$s', system,
	(SELECT string_agg(format('%s_to_uuid(k%s) AS k%s', system, n, n), ', ')
	 FROM generate_series(0, 9) n))
FROM systems \gexec
VACUUM FREEZE ANALYZE;

CREATE TABLE calls (no serial, system text, call text, of text, empty text, target int);
INSERT INTO calls (system, call, of, empty, target)
SELECT system, c.*, target FROM systems, LATERAL (VALUES
	(system || '_to_uuid(k)', 'ids_' || system, 'bench_empty_uuid(k)'),
	('uuid_to_' || system || '(k)', 'uuids_' || system, 'bench_empty_uuid(k)'),
	(system || '_timestamp(k)', 'ids_' || system, 'bench_empty_uuid(k)')) c;

CREATE TABLE timings (no int, ns float8);
CREATE PROCEDURE measure(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	c record;
	statements text[];
	started timestamptz;
	between_both timestamptz;
	ended timestamptz;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR c IN SELECT * FROM calls ORDER BY no LOOP
			SELECT array_agg((
				SELECT format('SELECT %s FROM generate_series(1, 100), %s',
							  string_agg(format('count(%s)',
												regexp_replace(call, '(?<=\()k', 'k' || i)), ', '),
							  c.of)
				FROM generate_series(0, 9) i))
			INTO statements
			FROM unnest(ARRAY[c.empty, c.call]) call;
			started := clock_timestamp();
			EXECUTE statements[1];
			between_both := clock_timestamp();
			EXECUTE statements[2];
			ended := clock_timestamp();
			-- the first round only warms up
			IF r > 0 THEN
				INSERT INTO timings VALUES
					(c.no, extract(epoch FROM (ended - between_both) - (between_both - started))
						   * 1e9 / 50000);
			END IF;
		END LOOP;
	END LOOP;
END $$;
CALL measure(:repetitions * 5);

\pset footer off
\echo
\echo Converting: nanoseconds a value, net of an empty call
CREATE VIEW medians AS
SELECT no, system, target, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY ns)::numeric, 1) AS ns
FROM timings JOIN calls USING (no) GROUP BY 1, 2, 3;
SELECT system, n[1] AS "to uuid", n[2] AS back, n[3] AS timestamp
FROM (SELECT system, min(no) AS no, array_agg(ns ORDER BY no) AS n FROM medians GROUP BY 1) m
ORDER BY no;

-- A table with a key of ULIDs: the rewrite to uuid beside one that leaves it
-- text.  (A change of collation alone would not rewrite the table.)
CREATE TABLE loaded AS
SELECT uuid_to_ulid(uuid_generate_v8_at(
		   '2026-01-01 00:00:00+00'::timestamptz + i * interval '1 second', 'unix48')) AS id,
	   i AS payload
FROM generate_series(1, :rows) i;
CREATE TABLE rekeyed (kind text, ms float8, key_bytes bigint, table_bytes bigint);
CREATE PROCEDURE rekey(repetitions int) LANGUAGE plpgsql AS $$
DECLARE
	c record;
	started timestamptz;
	ended timestamptz;
BEGIN
	FOR r IN 0 .. repetitions LOOP
		FOR c IN
			SELECT *
			FROM (VALUES
				('text to text', 'text', 'id || '''''),
				('text to uuid', 'uuid', 'ulid_to_uuid(id)')) v(kind, type, conversion)
		LOOP
			CREATE TABLE events (id text PRIMARY KEY, payload int);
			INSERT INTO events SELECT * FROM loaded;
			COMMIT;
			started := clock_timestamp();
			EXECUTE format('ALTER TABLE events ALTER COLUMN id TYPE %s USING %s',
						   c.type, c.conversion);
			COMMIT;
			ended := clock_timestamp();
			IF r > 0 THEN
				INSERT INTO rekeyed VALUES (c.kind, extract(epoch FROM ended - started) * 1000,
					pg_relation_size('events_pkey'), pg_relation_size('events'));
			END IF;
			DROP TABLE events;
			COMMIT;
		END LOOP;
	END LOOP;
END $$;
CALL rekey(:repetitions);

\echo A table of :rows rows with a key of ULIDs: ALTER TABLE ... ALTER COLUMN id TYPE ... USING ...,
\echo the bytes of a key in the table and of an entry of its index
WITH m AS (
	SELECT kind, percentile_cont(0.5) WITHIN GROUP (ORDER BY ms) AS ms,
		   max(key_bytes) AS key_bytes, max(table_bytes) AS table_bytes
	FROM rekeyed GROUP BY 1
)
SELECT kind, round(ms) AS ms,
	   round(((SELECT ms FROM m WHERE kind = 'text to text') / ms)::numeric, 2)
	   AS "speed of text to text",
	   CASE kind WHEN 'text to text' THEN (SELECT max(pg_column_size(id)) FROM loaded)
		   ELSE 16 END AS "key bytes",
	   round(key_bytes::numeric / :rows, 1) AS "index bytes a row",
	   round(table_bytes::numeric / :rows, 1) AS "table bytes a row"
FROM m ORDER BY kind;

\if :{?results}
\pset format unaligned
\pset fieldsep '\t'
\o :results/systems_targets.tsv
\endif
SELECT format('%s take at most %s ns', string_agg(DISTINCT system, ', '), target) AS target,
	   max(ns) AS measured,
	   CASE WHEN max(ns) <= target THEN 'met' ELSE 'MISSED' END AS "is"
FROM medians m GROUP BY m.target ORDER BY m.target;
