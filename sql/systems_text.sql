\set ECHO none
--
-- Valid and nearly valid text of IDs of other systems.  test/unit tests the formats.
--
\pset format unaligned
\pset tuples_only
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

-- Of each system, or form of SIDs: the smallest ID, the largest, and another
CREATE TEMP TABLE codecs (system text, form text, ids text[]);
INSERT INTO codecs VALUES
	('lexicaluuid', NULL,
		'{00000000-0000-0000-0000000000000000, 03e7ffff-ffff-ffff-ffffffffffffffff}'),
	('elasticflake', NULL,
		'{AAAAAAAAAAAAAAAAAAAA, ____________________, AVFgSgVHUP18jI2wRx-w}'),
	('pushid', NULL, '{--------------------, zzzzzzzzzzzzzzzzzzzz, -JhQ76OEK_848CkIFhAq}'),
	('xid', NULL, '{00000000000000000000, vvvvvvvvvvvvvvvvvvvg, 9m4e2mr0ui3e8a215n4g}'),
	('objectid', NULL, '{000000000000000000000000, ffffffffffffffffffffffff}'),
	('flake', NULL, '{0, z, 1000000000000000000000, 7n42DGM5Tflk9n8mt7Fhc7}'),
	('ulid', NULL, '{00000000000000000000000000, 7ZZZZZZZZZZZZZZZZZZZZZZZZZ}'),
	('sid', 'decimal', '{0-0000000000000000000, 9223372036854775807-9223372036854775807}'),
	('sid', 'hex', '{0000000000000000-0000000000000000, 7fffffffffffffff-7fffffffffffffff}'),
	('sid', 'base32', '{0000000000000-0000000000000, 1b9efqnl51jj7-4u66ikpfq9ugm}'),
	('sid', 'base64', '{00000000000-00000000000, 1IeSBAWW9kK-0cDG64GQgGJ}'),
	('cuid', NULL, '{c000000000000000000000000, czzzzzzzzzzzzzzzzzzzzzzzz}'),
	('ksuid', NULL, '{000000000000000000000000000, aWgEPTl1tmebfsQzFP4bxwgy80V}');
CREATE TEMP TABLE calls AS
SELECT system, form, id, call FROM codecs, unnest(ids) id,
	unnest(ARRAY[system || '_timestamp', system || '_fields', CASE system
		WHEN 'ksuid' THEN 'ksuid_to_uuid_lossy' ELSE system || '_to_uuid' END]) call
UNION ALL SELECT system, form, id, 'ksuid_to_bytea' FROM codecs, unnest(ids) id
WHERE system = 'ksuid';

\echo '-- conversion and back returns the same ID in any collation'
SELECT system, c, id FROM codecs, unnest(ids) id, unnest('{C, POSIX, default}'::text[]) c
WHERE result_of(format(CASE
	WHEN system = 'ksuid' THEN 'bytea_to_ksuid(ksuid_to_bytea($1 COLLATE %I))'
	WHEN form IS NULL THEN 'uuid_to_%2$s(%2$s_to_uuid($1 COLLATE %1$I))'
	ELSE 'uuid_to_sid(sid_to_uuid($1 COLLATE %1$I), %3$L)' END, c, system, form), id)
	IS DISTINCT FROM id;

\echo '-- each function of a system reads the ID and rejects nearly valid text'
SELECT system, call, id FROM calls
WHERE result_of(call || '($1)', id) ~ '^22'
	-- the last times of these systems are after the end of timestamptz
	AND NOT (system IN ('flake', 'lexicaluuid') AND call !~ '_to_' AND id ~ '^(7n42|1000|03e7)');
SELECT system, call, value FROM calls,
	unnest(ARRAY['', ' ' || id, id || ' ', id || E'\n', id || '%00', '"' || id || '"',
		id || '!' || id, overlay(id PLACING '!' FROM 1), id || chr(233),
		repeat(id || 'x', 1000)]) value
WHERE result_of(call || '($1)', value) IS DISTINCT FROM '22P02';

\echo '-- compressed and out-of-line text is rejected in the same way'
CREATE TEMP TABLE stored AS
SELECT repeat(id, 1000) AS id FROM codecs, unnest(ids) id
UNION ALL SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i;
SELECT DISTINCT result_of(format('%s(id) FROM stored WHERE md5(id) = $1', call), md5(stored.id))
FROM (SELECT DISTINCT call FROM calls WHERE call ~ '_to_') c, stored;
