\set ECHO none
--
-- UUIDs as short text, and back
--
\pset format unaligned
\pset tuples_only
\set SHOW_CONTEXT never
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

CREATE TEMP TABLE forms (form text, "to" text, "from" text, width int);
INSERT INTO forms VALUES
	('base32hex', 'uuid_to_base32hex($1::uuid)', 'base32hex_to_uuid($1)', 26),
	('base58', 'uuid_to_base58($1::uuid)', 'base58_to_uuid($1)', 22),
	('base64url', 'uuid_to_base64url($1::uuid)', 'base64url_to_uuid($1)', 22),
	('typeid', 'uuid_to_typeid($1::uuid, ''a_b'')', 'typeid_to_uuid($1)', 30),
	('typeid, no prefix', 'uuid_to_typeid($1::uuid, '''')', 'typeid_to_uuid($1)', 26);

-- The smallest and largest UUID, each single bit, and random UUIDs
CREATE TEMP TABLE ids AS
SELECT '00000000-0000-0000-0000-000000000000'::uuid AS id
UNION ALL SELECT 'ffffffff-ffff-ffff-ffff-ffffffffffff'
UNION ALL SELECT encode(set_bit(decode(repeat('00', 16), 'hex'), i, 1), 'hex')::uuid
	FROM generate_series(0, 127) i
UNION ALL SELECT gen_random_uuid() FROM generate_series(1, 200);

SELECT form,
	count(*) FILTER (WHERE result_of("from", value) IS DISTINCT FROM id::text) AS lost,
	count(*) FILTER (WHERE length(value) <> width) AS "of another length",
	count(DISTINCT value) = count(DISTINCT id) AS distinct,
	array_agg(id ORDER BY id) = array_agg(id ORDER BY value COLLATE "C") AS "in order"
FROM forms, ids, result_of("to", id::text) value GROUP BY form ORDER BY form COLLATE "C";

\echo '-- base64url agrees with encode(); test/unit/systems_test.c tests the digits of other IDs'
SELECT count(*) FROM ids
WHERE uuid_to_base64url(id) <> rtrim(translate(encode(uuid_send(id), 'base64'), '+/', '-_'), '=');
SELECT uuid_to_base32hex(id), uuid_to_base58(id), uuid_to_base64url(id), uuid_to_typeid(id, 'user'),
	base32hex_to_uuid(lower(uuid_to_base32hex(id))) = id AS in_lower_case
FROM (VALUES (uuid '01890a5d-ac96-774b-bcce-b302099a8057')) v(id);

\echo '-- the characters of each form'
SELECT form, string_agg(c, '' ORDER BY n) FROM forms, generate_series(33, 126) n, chr(n) c,
	result_of("to", '01890a5d-ac96-774b-bcce-b302099a8057') t
WHERE result_of("from", overlay(t PLACING c FROM 10)) <> '22P02'
GROUP BY form ORDER BY form COLLATE "C";

-- Nearly valid text: one character less or more, in front or at the end; spaces; padding;
-- another alphabet; spare bits that are set; more than 128 bits
CREATE TEMP TABLE nearly (form text, value text);
INSERT INTO nearly
SELECT form, unnest(ARRAY['', substr(t, 2), left(t, -1), t || '0', '0' || t, t || ' ', ' ' || t,
	t || '=', left(t, 5) || 'é' || substr(t, 7), left(t, 5) || '+' || substr(t, 7),
	left(t, 5) || '-' || substr(t, 7) || '-'])
FROM forms, result_of("to", '01890a5d-ac96-774b-bcce-b302099a8057') t;
INSERT INTO nearly VALUES
	('base32hex', repeat('0', 25) || '1'), ('base32hex', repeat('0', 25) || '2'),
	('base32hex', repeat('0', 25) || 'W'), ('base32hex', repeat('0', 26) || '======'),
	('base58', 'YcVfxkQb6JRzqk5kF2tNLw'), ('base58', repeat('z', 22)),
	('base58', repeat('0', 22)), ('base58', repeat('l', 22)), ('base58', repeat('1', 16)),
	('base64url', repeat('A', 21) || 'B'), ('base64url', repeat('A', 21) || '8'),
	('base64url', repeat('A', 22) || '=='),
	('base64url', repeat('A', 10) || '/' || repeat('A', 11));
SELECT form, value, result_of("from", value) FROM nearly JOIN forms USING (form)
WHERE result_of("from", value) <> '22P02' ORDER BY 1, 2;

SELECT base32hex_to_uuid('nothing');
SELECT base58_to_uuid('0');
SELECT base64url_to_uuid('AAAAAAAAAAAAAAAAAAAAAB');
SELECT typeid_to_uuid('User_01h455vb4pex5vsknk084sn02q');
SELECT typeid_to_uuid('user_01h455vb4pex5vsknk084sn02q', 'order');
SELECT uuid_to_typeid(gen_random_uuid(), 'User');

--
-- TypeID: the cases of its specification, version 0.3
--
CREATE TEMP TABLE valid (name text, typeid text, prefix text, id uuid);
INSERT INTO valid VALUES
	('nil', '00000000000000000000000000', '', '00000000-0000-0000-0000-000000000000'),
	('one', '00000000000000000000000001', '', '00000000-0000-0000-0000-000000000001'),
	('ten', '0000000000000000000000000a', '', '00000000-0000-0000-0000-00000000000a'),
	('sixteen', '0000000000000000000000000g', '', '00000000-0000-0000-0000-000000000010'),
	('thirty-two', '00000000000000000000000010', '', '00000000-0000-0000-0000-000000000020'),
	('max-valid', '7zzzzzzzzzzzzzzzzzzzzzzzzz', '', 'ffffffff-ffff-ffff-ffff-ffffffffffff'),
	('valid-alphabet', 'prefix_0123456789abcdefghjkmnpqrs', 'prefix',
		'0110c853-1d09-52d8-d73e-1194e95b5f19'),
	('valid-uuidv7', 'prefix_01h455vb4pex5vsknk084sn02q', 'prefix',
		'01890a5d-ac96-774b-bcce-b302099a8057'),
	('prefix-underscore', 'pre_fix_00000000000000000000000000', 'pre_fix',
		'00000000-0000-0000-0000-000000000000');
SELECT name FROM valid
WHERE (typeid_to_uuid(typeid), typeid_to_uuid(typeid, prefix), typeid_prefix(typeid),
	uuid_to_typeid(id, prefix)) IS DISTINCT FROM (id, id, prefix, typeid);
CREATE TEMP TABLE invalid (name text, typeid text);
INSERT INTO invalid VALUES
	('prefix-uppercase', 'PREFIX_00000000000000000000000000'),
	('prefix-numeric', '12345_00000000000000000000000000'),
	('prefix-period', 'pre.fix_00000000000000000000000000'),
	('prefix-non-ascii', 'préfix_00000000000000000000000000'),
	('prefix-spaces', '  prefix_00000000000000000000000000'),
	('prefix-64-chars',
		'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl'
		'_00000000000000000000000000'),
	('separator-empty-prefix', '_00000000000000000000000000'),
	('separator-empty', '_'),
	('suffix-short', 'prefix_1234567890123456789012345'),
	('suffix-long', 'prefix_123456789012345678901234567'),
	('suffix-spaces', 'prefix_1234567890123456789012345 '),
	('suffix-uppercase', 'prefix_0123456789ABCDEFGHJKMNPQRS'),
	('suffix-hyphens', 'prefix_123456789-123456789-123456'),
	('suffix-wrong-alphabet', 'prefix_ooooooiiiiiiuuuuuuulllllll'),
	('suffix-ambiguous-crockford', 'prefix_i23456789ol23456789oi23456'),
	('suffix-hyphens-crockford', 'prefix_123456789-0123456789-0123456'),
	('suffix-overflow', 'prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz'),
	('prefix-underscore-start', '_prefix_00000000000000000000000000'),
	('prefix-underscore-end', 'prefix__00000000000000000000000000'),
	('empty', ''),
	('prefix-empty', 'prefix_');
SELECT name, call FROM invalid,
	unnest('{typeid_to_uuid($1), "typeid_to_uuid($1, ''prefix'')", typeid_prefix($1)}'::text[]) call
WHERE result_of(call, typeid) <> '22P02';

\echo '-- prefixes have at most 63 characters; two consecutive underscores are allowed'
SELECT prefix FROM unnest(ARRAY['', 'ab', 'a__b', repeat('a', 63)]) prefix
WHERE typeid_prefix(uuid_to_typeid(gen_random_uuid(), prefix)) <> prefix;
SELECT prefix FROM unnest(ARRAY[repeat('a', 64), '_a', 'a_', 'A', 'a1', ' ', 'a-b']) prefix
WHERE result_of('uuid_to_typeid(gen_random_uuid(), $1)', prefix) <> '22023';
\echo '-- a prefix of another table, longer, shorter or missing; an invalid prefix'
SELECT value, prefix, expected
FROM (VALUES
	('user_01h455vb4pex5vsknk084sn02q', 'user', '01890a5d-ac96-774b-bcce-b302099a8057'),
	('user_01h455vb4pex5vsknk084sn02q', 'uses', '22P02'),
	('user_01h455vb4pex5vsknk084sn02q', 'use', '22P02'),
	('user_01h455vb4pex5vsknk084sn02q', 'user_key', '22P02'),
	('user_01h455vb4pex5vsknk084sn02q', '', '22P02'),
	('01h455vb4pex5vsknk084sn02q', 'user', '22P02'),
	('user_01h455vb4pex5vsknk084sn02q', 'User', '22023'),
	('x', 'User', '22P02')) v(value, prefix, expected)
WHERE result_of(format('typeid_to_uuid($1, %L)', prefix), value) IS DISTINCT FROM expected;

\echo '-- min and max'
SELECT min(id), max(id) FROM ids;
SELECT min(id), max(id) FROM ids WHERE false;
SELECT min(id), max(id) FROM (VALUES (NULL::uuid), ('00000000-0000-0000-0000-000000000001'),
	(NULL)) v(id);
