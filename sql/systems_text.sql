\set ECHO none
--
-- Valid and nearly valid text of IDs of other systems.  test/unit tests the formats.
--
\pset format unaligned
\pset tuples_only

-- Returns the result of a statement for a value, or the SQLSTATE of its error.
CREATE FUNCTION result_of(statement text, value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result USING value;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

-- back: a function of the UUID, or of KSUID's octets; ids: the smallest, the largest, and others
CREATE TEMP TABLE codecs (codec text PRIMARY KEY, convert text, back text, ids text[]);
INSERT INTO codecs VALUES
	('lexicaluuid', 'lexicaluuid_to_uuid', 'uuid_to_lexicaluuid(%s)',
		'{00000000-0000-0000-0000000000000000, 03e7ffff-ffff-ffff-ffffffffffffffff}'),
	('elasticflake', 'elasticflake_to_uuid', 'uuid_to_elasticflake(%s)',
		'{AAAAAAAAAAAAAAAAAAAA, ____________________, AVFgSgVHUP18jI2wRx-w}'),
	('pushid', 'pushid_to_uuid', 'uuid_to_pushid(%s)',
		'{--------------------, zzzzzzzzzzzzzzzzzzzz, -JhQ76OEK_848CkIFhAq}'),
	('xid', 'xid_to_uuid', 'uuid_to_xid(%s)',
		'{00000000000000000000, vvvvvvvvvvvvvvvvvvvg, 9m4e2mr0ui3e8a215n4g}'),
	('objectid', 'objectid_to_uuid', 'uuid_to_objectid(%s)',
		'{000000000000000000000000, ffffffffffffffffffffffff, 507c7f79bcf86cd7994f6c0e}'),
	('flake', 'flake_to_uuid', 'uuid_to_flake(%s)',
		'{0, z, 1000000000000000000000, 7n42DGM5Tflk9n8mt7Fhc7, 8HFaR8qWtRlGDHnO57}'),
	('ulid', 'ulid_to_uuid', 'uuid_to_ulid(%s)',
		'{00000000000000000000000000, 7ZZZZZZZZZZZZZZZZZZZZZZZZZ, 01ARYZ6S41TSV4RRFFQ69G5FAV}'),
	('sid decimal', 'sid_to_uuid', 'uuid_to_sid(%s)',
		'{0-0000000000000000000, 9223372036854775807-9223372036854775807,
		1559872035903071353-1186579057231285506}'),
	('sid hex', 'sid_to_uuid', 'uuid_to_sid(%s, ''hex'')',
		'{0000000000000000-0000000000000000, 7fffffffffffffff-7fffffffffffffff}'),
	('sid base32', 'sid_to_uuid', 'uuid_to_sid(%s, ''base32'')',
		'{0000000000000-0000000000000, 7vvvvvvvvvvvv-7vvvvvvvvvvvv, 1b9efqnl51jj7-4u66ikpfq9ugm}'),
	('sid base64', 'sid_to_uuid', 'uuid_to_sid(%s, ''base64'')',
		'{00000000000-00000000000, 7~~~~~~~~~~-7~~~~~~~~~~, 1IeSBAWW9kK-0cDG64GQgGJ}'),
	('cuid', 'cuid_to_uuid', 'uuid_to_cuid(%s)',
		'{c000000000000000000000000, czzzzzzzzzzzzzzzzzzzzzzzz, ch72gsb320000udocl363eofy}'),
	('ksuid', 'ksuid_to_bytea', 'bytea_to_ksuid(%s)',
		'{000000000000000000000000000, aWgEPTl1tmebfsQzFP4bxwgy80V, 0ujtsYcgvSTl8PAuAdqWYSMnLOv}');
CREATE TEMP TABLE calls AS
SELECT codec, id, convert, call
FROM codecs, unnest(ids) id, split_part(codec, ' ', 1) system,
	unnest(ARRAY[system || '_timestamp', system || '_fields', convert,
		CASE system WHEN 'ksuid' THEN 'ksuid_to_uuid_lossy' ELSE convert END]) call;

\echo '-- conversion and back returns the same ID in any collation'
SELECT codec, c, id FROM codecs, unnest(ids) id, unnest(ARRAY['"C"', '"POSIX"', '"default"']) c
WHERE result_of(format('SELECT ' || back, format('%s($1 COLLATE %s)', convert, c)), id)
	IS DISTINCT FROM id;

\echo '-- each function of a system reads the ID and rejects nearly valid text'
SELECT codec, call, id FROM calls
WHERE result_of(format('SELECT %s($1)', call), id) ~ '^22'
	-- the last times of these systems are after the end of timestamptz
	AND NOT (codec IN ('flake', 'lexicaluuid') AND call !~ '_to_' AND id ~ '^(7n42|1000|03e7)');
SELECT codec, call, value FROM calls,
	unnest(ARRAY['', ' ' || id, id || ' ', id || E'\n', id || '%00', '"' || id || '"', id || '!'
		|| id,
		overlay(id PLACING '!' FROM 1), id || chr(233), repeat(id || 'x', 1000)]) value
WHERE result_of(format('SELECT %s($1)', call), value) IS DISTINCT FROM '22P02';

\echo '-- other case and other hyphens are accepted'
SELECT uuid_to_ulid(ulid_to_uuid('01aryz6s41tsv4rrffq69g5fav')),
	uuid_to_objectid(objectid_to_uuid('507C7f79bcf86cd7994F6c0e')),
	lexicaluuid_to_uuid(repeat('-', 100000) || '0004CFBF72c41981' || repeat('-', 100000)
		|| '576846634e2714c6');

\echo '-- compressed and out-of-line text is rejected in the same way'
CREATE TEMP TABLE stored (id text);
INSERT INTO stored SELECT repeat(id, 1000) FROM codecs, unnest(ids) id;
INSERT INTO stored SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i;
SELECT DISTINCT result_of(format('SELECT %s(id) FROM stored WHERE md5(id) = $1', convert), md5(id))
FROM codecs, stored;

DROP FUNCTION result_of;
