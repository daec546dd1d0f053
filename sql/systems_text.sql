--
-- Text that is an ID of another system, and text that is nearly one: accepted is
-- exactly what the system's own rules say.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET jit = off;

-- what a statement gives for a value: the result, or the SQLSTATE of its error
CREATE FUNCTION result_of(statement text, value text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result USING value;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

-- digits as a number
CREATE FUNCTION number(digits text, alphabet text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	n numeric := 0;
BEGIN
	FOR i IN 1 .. length(digits) LOOP
		n := n * length(alphabet) + strpos(alphabet, substr(digits, i, 1)) - 1;
	END LOOP;
	RETURN n;
END $$;
CREATE FUNCTION base62(digits text) RETURNS numeric LANGUAGE sql IMMUTABLE AS
$$ SELECT number(digits, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz') $$;
CREATE FUNCTION below(n numeric, bits int) RETURNS bool LANGUAGE sql IMMUTABLE AS
$$ SELECT n < round(2::numeric ^ bits) $$;

-- looks: a regular expression; too: what else an ID has to be; canonical: how it
-- comes back; back: a function of the UUID, or of KSUID's octets
CREATE TEMP TABLE codecs (codec text PRIMARY KEY, convert text, looks text, too text, canonical text, back text);
INSERT INTO codecs VALUES
	('lexicaluuid', 'lexicaluuid_to_uuid', '^-*([0-9a-fA-F]-*){32}$', NULL,
		'regexp_replace(translate(lower($1), ''-'', ''''), ''^(.{8})(.{4})(.{4})'', ''\1-\2-\3-'')', 'uuid_to_lexicaluuid(%s)'),
	('elasticflake', 'elasticflake_to_uuid', '^[A-Za-z0-9_-]{20}$', NULL, '$1', 'uuid_to_elasticflake(%s)'),
	('pushid',   'pushid_to_uuid',   '^[-0-9A-Z_a-z]{20}$', NULL, '$1', 'uuid_to_pushid(%s)'),
	('xid',      'xid_to_uuid',      '^[0-9a-v]{19}[0g]$', NULL, '$1', 'uuid_to_xid(%s)'),
	('objectid', 'objectid_to_uuid', '^[0-9a-fA-F]{24}$', NULL, 'lower($1)', 'uuid_to_objectid(%s)'),
	('flake',    'flake_to_uuid',    '^(0|[1-9A-Za-z][0-9A-Za-z]{0,21})$', 'below(base62($1), 128)', '$1', 'uuid_to_flake(%s)'),
	('ulid',     'ulid_to_uuid',     '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$', NULL, 'upper($1)', 'uuid_to_ulid(%s)'),
	('sid decimal', 'sid_to_uuid',   '^(0|[1-9][0-9]{0,18})-[0-9]{19}$',
		'below(split_part($1, ''-'', 1)::numeric, 63) AND below(split_part($1, ''-'', 2)::numeric, 63)', '$1', 'uuid_to_sid(%s)'),
	('sid hex',  'sid_to_uuid',      '^[0-7][0-9a-f]{15}-[0-7][0-9a-f]{15}$', NULL, '$1', 'uuid_to_sid(%s, ''hex'')'),
	('sid base32', 'sid_to_uuid',    '^[0-7][0-9a-v]{12}-[0-7][0-9a-v]{12}$', NULL, '$1', 'uuid_to_sid(%s, ''base32'')'),
	('sid base64', 'sid_to_uuid',    '^[0-7][0-9A-Z_a-z~]{10}-[0-7][0-9A-Z_a-z~]{10}$', NULL, '$1', 'uuid_to_sid(%s, ''base64'')'),
	('cuid',     'cuid_to_uuid',     '^c[0-9a-z]{24}$', NULL, '$1', 'uuid_to_cuid(%s)'),
	('ksuid',    'ksuid_to_bytea',   '^[0-9A-Za-z]{27}$', 'below(base62($1), 160)', '$1', 'bytea_to_ksuid(%s)');

-- the least, the greatest, and others in between
CREATE TEMP TABLE valid (codec text, id text);
INSERT INTO valid VALUES
	('lexicaluuid', '00000000-0000-0000-0000000000000000'), ('lexicaluuid', '03e7ffff-ffff-ffff-ffffffffffffffff'),
	('lexicaluuid', '0004cfbf-72c4-1981-576846634e2714c6'), ('lexicaluuid', '0004CFBF72C41981576846634E2714C6'),
	('elasticflake', 'AAAAAAAAAAAAAAAAAAAA'), ('elasticflake', '____________________'), ('elasticflake', 'AVFgSgVHUP18jI2wRx-w'),
	('pushid', '--------------------'), ('pushid', 'zzzzzzzzzzzzzzzzzzzz'), ('pushid', '-JhQ76OEK_848CkIFhAq'),
	('xid', '00000000000000000000'), ('xid', 'vvvvvvvvvvvvvvvvvvvg'), ('xid', '9m4e2mr0ui3e8a215n4g'),
	('objectid', '000000000000000000000000'), ('objectid', 'ffffffffffffffffffffffff'), ('objectid', '507C7f79bcf86cd7994F6c0e'),
	('flake', '0'), ('flake', '7n42DGM5Tflk9n8mt7Fhc7'), ('flake', '8HFaR8qWtRlGDHnO57'), ('flake', '1000000000000000000000'), ('flake', 'z'),
	('ulid', '00000000000000000000000000'), ('ulid', '7ZZZZZZZZZZZZZZZZZZZZZZZZZ'), ('ulid', '01ARYZ6S41TSV4RRFFQ69G5FAV'), ('ulid', '01aryz6s41tsv4rrffq69g5fav'),
	('sid decimal', '0-0000000000000000000'), ('sid decimal', '9223372036854775807-9223372036854775807'),
	('sid decimal', '999999999999999999-1186579057231285506'), ('sid decimal', '1559872035903071353-1186579057231285506'),
	('sid hex', '0000000000000000-0000000000000000'), ('sid hex', '7fffffffffffffff-7fffffffffffffff'), ('sid hex', '15a5cf57e7d2a837-6eaafe687e7b3ec3'),
	('sid base32', '0000000000000-0000000000000'), ('sid base32', '7vvvvvvvvvvvv-7vvvvvvvvvvvv'), ('sid base32', '1b9efqnl51jj7-4u66ikpfq9ugm'),
	('sid base64', '00000000000-00000000000'), ('sid base64', '7~~~~~~~~~~-7~~~~~~~~~~'), ('sid base64', '1IeSBAWW9kK-0cDG64GQgGJ'),
	('cuid', 'c000000000000000000000000'), ('cuid', 'czzzzzzzzzzzzzzzzzzzzzzzz'), ('cuid', 'ch72gsb320000udocl363eofy'),
	('ksuid', '000000000000000000000000000'), ('ksuid', 'aWgEPTl1tmebfsQzFP4bxwgy80V'), ('ksuid', '0ujtsYcgvSTl8PAuAdqWYSMnLOv');

-- every character of one octet, and some of more: letters and digits elsewhere,
-- and what becomes ASCII in another case
CREATE TEMP TABLE characters AS
SELECT chr(i) AS c FROM generate_series(1, 127) i
UNION ALL
SELECT convert_from(decode(h, 'hex'), 'UTF8')
FROM unnest(ARRAY['c3a9', 'c2a0', 'c2b2', 'c4b0', 'c4b1', 'c5bf', 'd0b0', 'd9a0', 'e284aa', 'e38080', 'e4b8ad', 'efbc90', 'efbc8d', 'efbfbd',
				  'f09d9f98', 'f09f9880']) h
WHERE getdatabaseencoding() = 'UTF8';

CREATE TEMP TABLE corpus AS
WITH places AS (
	SELECT codec, id, place FROM valid, LATERAL (VALUES (1), (2), (length(id) / 2), (strpos(id, '-') + 1), (length(id) - 1), (length(id))) p(place)
	WHERE place > 0)
SELECT codec, id AS value FROM valid
-- a character changed, inserted, doubled, left out
UNION SELECT codec, overlay(id PLACING c FROM place FOR 1) FROM places, characters
UNION SELECT codec, overlay(id PLACING c FROM place FOR 0) FROM places, characters
UNION SELECT codec, id || c FROM valid, characters
UNION SELECT codec, overlay(id PLACING repeat(substr(id, i, 1), n) FROM i FOR 1) FROM valid, generate_series(1, length(id)) i, generate_series(0, 2) n
-- upper and lower case, of one or all
UNION SELECT codec, overlay(id PLACING c FROM i FOR 1)
	FROM valid, generate_series(1, length(id)) i, LATERAL (VALUES (upper(substr(id, i, 1))), (lower(substr(id, i, 1)))) v(c)
UNION SELECT codec, upper(id) FROM valid UNION SELECT codec, lower(id) FROM valid UNION SELECT codec, initcap(id) FROM valid
-- other lengths
UNION SELECT codec, left(id, n) FROM valid, generate_series(0, length(id)) n
UNION SELECT codec, right(id, n) FROM valid, generate_series(0, length(id)) n
UNION SELECT codec, repeat(id, n) FROM valid, unnest(ARRAY[2, 3, 1000, 10000]) n
UNION SELECT codec, repeat(c, n) FROM valid, unnest(ARRAY['0', '1', '7', '8', 'f', 'g', 'v', 'w', 'z', 'Z', 'A', '-', '_', '~', ' ']) c,
	unnest(ARRAY[1, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 31, 32, 33, 35, 36, 38, 39, 40, 41]) n
-- in quotes, with escapes, as of other systems
UNION SELECT codec, format(f, id) FROM valid, unnest(ARRAY[' %s', '%s ', E'\t%s', E'%s\n', E'%s\r\n', '"%s"', '''%s''', '{%s}', '\x%s', '0x%s', '%s\0', '%s%%00',
	'\%s', '+%s', '-%s', '%s-', '--%s', '%1$s-%1$s', 'c%s', '0%s', '00%s', '%s0', 'uuid:%s', 'ObjectId("%s")']) f
UNION SELECT c.codec, v.id FROM codecs c, valid v
UNION SELECT c.codec, translate(v.id, '-', '') FROM codecs c, valid v
-- SIDs of two forms
UNION SELECT 'sid hex', split_part(a.id, '-', 1) || '-' || split_part(b.id, '-', 2)
	FROM valid a, valid b WHERE a.codec LIKE 'sid %' AND b.codec LIKE 'sid %';

-- a SID is one of any form
CREATE TEMP TABLE judged AS
SELECT c.codec, convert, value, canonical, back, good.codec AS form
FROM corpus c JOIN codecs USING (codec)
	LEFT JOIN LATERAL (SELECT f.codec FROM codecs f
		WHERE f.convert = codecs.convert AND value COLLATE "C" ~ f.looks
		  AND CASE WHEN value COLLATE "C" !~ f.looks THEN false WHEN f.too IS NULL THEN true
				   ELSE result_of('SELECT ' || f.too, value)::bool END) good ON true;
SELECT codec, count(*) > 1500 AS enough, count(form) > 50 AS good FROM judged GROUP BY 1 ORDER BY 1;

\echo '-- a LexicalUUID''s time of 64 bits may be too late for version 8, or negative'
SELECT codec, left(value, 100) AS value, form, expected, result FROM
	(SELECT *, result_of(format('SELECT %s', CASE WHEN form IS NULL THEN convert || '($1)' ELSE format(back, convert || '($1)') END), value) AS result,
			CASE WHEN form IS NULL THEN '22P02'
				 WHEN form = 'lexicaluuid' AND left(translate(lower(value), '-', ''), 16) COLLATE "C" > '03e7ffffffffffff' THEN '22008'
				 ELSE result_of('SELECT ' || canonical, value) END AS expected
	 FROM (SELECT j.codec, j.convert, value, form, f.canonical, f.back FROM judged j LEFT JOIN codecs f ON f.codec = form) j) r
WHERE result IS DISTINCT FROM expected ORDER BY 1, 2 LIMIT 20;

\echo '-- all functions of a system agree on it'
SELECT codec, call, left(value, 100) AS value, form FROM judged,
	unnest(ARRAY[split_part(codec, ' ', 1) || '_timestamp', split_part(codec, ' ', 1) || '_fields',
				 CASE codec WHEN 'ksuid' THEN 'ksuid_to_uuid_lossy' ELSE convert END]) call
WHERE length(value) < 100 AND md5(value) < '4'
  AND (result_of(format('SELECT %s($1)', call), value) = '22P02') <> (form IS NULL) ORDER BY 1, 2, 3 LIMIT 20;

-- also where the text is compressed, or out of line
CREATE TEMP TABLE stored (id text);
INSERT INTO stored SELECT repeat(id, 1000) FROM valid UNION ALL SELECT string_agg(md5(i::text), '') FROM generate_series(1, 1000) i;
SELECT DISTINCT result_of(format('SELECT %s(id) FROM stored WHERE md5(id) = $1', convert), md5(id)) FROM codecs, stored;

SELECT lexicaluuid_to_uuid(repeat('-', 100000) || '0004cfbf72c41981' || repeat('-', 100000) || '576846634e2714c6');

\echo '-- whatever the collation'
SELECT codec, c, id FROM valid JOIN codecs USING (codec),
	unnest(ARRAY['"C"', '"POSIX"', '"default"']) c
WHERE result_of(format('SELECT ' || back, format('%s($1 COLLATE %s)', convert, c)), id)
	IS DISTINCT FROM result_of('SELECT ' || canonical, id);

DROP FUNCTION result_of(text, text), number, base62, below;
