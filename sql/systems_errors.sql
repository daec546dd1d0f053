\set ECHO none
--
-- IDs of other systems: invalid input raises an error that describes the problem.
-- systems_text.sql tests which text is accepted.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';

CREATE FUNCTION failure_of(statement text, OUT code text, OUT message text, OUT detail text,
	OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	message := 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

\echo '-- the error for invalid text describes the IDs of the system'
SELECT e.* FROM unnest(ARRAY['lexicaluuid', 'elasticflake', 'pushid', 'xid', 'objectid', 'flake',
	'ulid', 'sid', 'cuid', 'ksuid']) system,
	failure_of(format('SELECT %s_timestamp(''an ID''::text)', system)) e;
SELECT e.* FROM unnest(ARRAY[
	$$SELECT ulid_to_uuid('80000000000000000000000000')$$,
	$$SELECT xid_fields('c6e52g2mrqcjl44hf179')$$,
	$$SELECT ksuid_to_bytea('aWgEPTl1tmebfsQzFP4bxwgy80W')$$,
	$$SELECT ksuid_to_uuid_lossy('')$$,
	$$SELECT cuid_to_uuid('CH72GSB320000UDOCL363EOFY')$$]) statement, failure_of(statement) e;

\echo '-- invalid octets'
SELECT e.* FROM unnest(ARRAY[
	$$SELECT flakeid_timestamp('\x00'::bytea)$$, $$SELECT objectid_fields('\x'::bytea)$$,
		$$SELECT flake_to_uuid('\x00112233445566778899aabbccddeeff00'::bytea)$$,
	$$SELECT bytea_to_ksuid(decode(repeat('00', 100000), 'hex'))$$]) statement,
		failure_of(statement) e;

\echo '-- invalid numbers'
SELECT e.* FROM unnest(ARRAY[$$SELECT snowflake_to_uuid(-1)$$,
	$$SELECT sonyflake_timestamp(-9223372036854775808)$$]) statement, failure_of(statement) e;

\echo '-- UUIDs that were not converted from an ID'
SELECT e.* FROM unnest(ARRAY[
	$$SELECT uuid_to_snowflake('0181ab11-8149-85e8-8008-000000000001')$$,
	$$SELECT uuid_to_mastodon('0181ab11-8149-75e8-8008-000000000000')$$,
	$$SELECT uuid_to_sid('8563df36-481d-7676-4c61-efb99302bd5b')$$,
	$$SELECT comb_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$SELECT comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'postgresql', 'legacy')$$,
	$$SELECT ordered_uuid_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$SELECT uuid_to_ordered_uuid('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7')$$,
	$$SELECT vb_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$SELECT uuid_to_vb('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$]) statement,
		failure_of(statement) e;

\echo '-- times out of range for timestamptz or for a version 8 UUID'
SELECT e.* FROM unnest(ARRAY[
	$$SELECT flake_timestamp('7n42DGM5Tflk9n8mt7Fhc7')$$,
	$$SELECT lexicaluuid_timestamp('80000000-0000-0000-0000000000000000'::text)$$,
	$$SELECT lexicaluuid_to_uuid('ffffffff-ffff-ffff-0000000000000000'::text)$$]) statement,
		failure_of(statement) e;

\echo '-- invalid names, epochs and units'
SELECT e.* FROM unnest(ARRAY[
	$$SELECT uuid_to_sid('01563df3-6481-d676-4c61-efb99302bd5b', 'base16')$$,
	$$SELECT comb_timestamp('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'mysql')$$,
	$$SELECT uuid_generate_vb('random')$$,
	$$SELECT snowflake_timestamp(1, '2015-01-01 00:00:00.000001')$$,
	$$SELECT sonyflake_to_uuid(1, '2015-01-01', 0)$$]) statement, failure_of(statement) e;

\echo '-- all functions with such arguments raise the same errors'
SELECT statement, e.code FROM unnest(ARRAY[
	$$SELECT uuid_to_sid('01563df3-6481-d676-4c61-efb99302bd5b', %L)$$,
	$$SELECT comb_timestamp('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L)$$,
	$$SELECT comb_timestamp('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7', %L)$$,
	$$SELECT comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L, 'sql')$$,
	$$SELECT comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'sql', %L)$$,
	$$SELECT comb_to_uuid('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L)$$,
	$$SELECT uuid_to_comb('018e5f3b-ff48-87cc-b5ba-d01c25cc63a7', %L)$$,
	$$SELECT uuid_generate_vb(%L)$$,
	$$SELECT uuid_generate_vb(%L, '08:00:2b:01:02:03')$$,
	$$SELECT uuid_vb_counter('20be0ffc-314a-bd53-7a50-013a65ca76d2', %L)$$,
	$$SELECT uuid_vb_counter('20be0ffc-314a-4d53-7a50-013a65ca76d2', %L)$$]) statement,
	unnest(ARRAY['', 'x', 'Postgresql', 'postgresq', 'postgresqll', 'decima', 'hexx', 'Variable',
		'variable ', 'sequentia', 'sequentiall']) name,
	failure_of(format(statement, name)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.hint !~ '^Valid (forms|variants|modes) are "';

CREATE TEMP TABLE scaled AS
SELECT statement FROM unnest(ARRAY[
	$$SELECT snowflake_timestamp(1, %L)$$, $$SELECT snowflake_fields(1, %L)$$,
		$$SELECT snowflake_to_uuid(1, %L)$$,
	$$SELECT uuid_to_snowflake('0181ab11-8149-85e8-8008-000000000000', %L)$$,
	$$SELECT shardingid_timestamp(1, %L)$$, $$SELECT shardingid_fields(1, %L)$$,
		$$SELECT shardingid_to_uuid(1, %L)$$,
	$$SELECT uuid_to_shardingid('0181ab11-8149-85e8-8008-000000000000', %L)$$,
	$$SELECT flakeid_timestamp(1, %L)$$, $$SELECT flakeid_fields('\x0000000000000001'::bytea, %L)$$,
		$$SELECT flakeid_to_uuid('\x0000000000000001'::bytea, %L)$$,
	$$SELECT uuid_to_flakeid('0181ab11-8149-85e8-8008-000000000000', %L)$$,
	$$SELECT sonyflake_timestamp(1, %L)$$, $$SELECT sonyflake_fields(1, %L, 10)$$,
		$$SELECT sonyflake_to_uuid(1, %L)$$,
	$$SELECT uuid_to_sonyflake('0181ab11-8149-85e8-8008-000000000000', %L, 1)$$]) statement;
SELECT statement, epoch, e.code FROM scaled,
	unnest(ARRAY['infinity', '-infinity', '2015-01-01 00:00:00.000999',
	'1999-12-31 23:59:59.999999',
	'4713-01-01 00:00:00.0005 BC']) epoch, failure_of(format(statement, epoch)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.message NOT LIKE 'epoch %';
SELECT statement, unit, e.code FROM unnest(ARRAY[
	$$SELECT sonyflake_timestamp(1, '2015-01-01', %s)$$, $$SELECT sonyflake_fields(1, '2015-01-01',
		%s)$$, $$SELECT sonyflake_to_uuid(1, '2015-01-01', %s)$$,
	$$SELECT uuid_to_sonyflake('0181ab11-8149-85e8-8008-000000000000', '2015-01-01',
		%s)$$]) statement,
	unnest(ARRAY[0, -1, -2147483648]) unit, failure_of(format(statement, unit)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.message NOT LIKE 'unit %';

\echo '-- epochs at the ends of timestamptz: a time out of range is an error;'
\echo '-- UUIDs hold times from 1970 to 10889'
SELECT epoch, id, unit, e.code AS read, f.code AS fields, u.code AS to_uuid FROM (VALUES
	('294276-12-31 23:59:59.999', 0, 1), ('294276-12-31 23:59:59.999', 16777216, 1),
		('294276-12-31 23:59:59.990', 16777216, 10),
	('4714-11-24 00:00:00 BC', 0, 1), ('4714-11-24 00:00:00 BC', 9223372036854775807, 1),
		('4714-11-24 00:00:00 BC', 9223372036854775807, 2147483647),
	('4714-11-24 00:00:00 BC', 3544655462400000, 1000000), ('1969-12-31 23:59:59.999', 0, 1),
		('1969-12-31 23:59:59.999', 16777216, 1),
	('10889-08-02 05:31:50.655', 0, 1), ('10889-08-02 05:31:50.655', 16777216, 1)) v(epoch, id,
		unit),
	failure_of(format('SELECT sonyflake_timestamp(%s, %L, %s)', id, epoch, unit)) e,
	failure_of(format('SELECT sonyflake_fields(%s, %L, %s)', id, epoch, unit)) f,
	failure_of(format('SELECT sonyflake_to_uuid(%s, %L, %s)', id, epoch, unit)) u;
\echo '-- a UUID that was converted with another epoch'
SELECT epoch, e.code
	FROM unnest(ARRAY['294276-12-31 23:59:59.999', '4714-11-24 00:00:00 BC',
	'2022-06-28 16:07:40.105', '2022-06-28 16:07:40.106']) epoch,
	failure_of(format($$SELECT uuid_to_snowflake('0181ab11-8149-85e8-8008-000000000000', %L)$$,
		epoch)) e;

\echo '-- LexicalUUID has a signed time of 64 bits'
SELECT id, e.code, CASE WHEN e.code IS NULL THEN lexicaluuid_timestamp(id) END AS read,
	lexicaluuid_timestamp(id::uuid) AS of_uuid,
	   (lexicaluuid_fields(id::uuid)).timestamp AS fields
FROM unnest(ARRAY['00000000000000000000000000000000', 'ffffffffffffffff0000000000000000',
	'fd12d9c27c577fff0000000000000000', 'fd12d9c27c5780000000000000000000',
				  '7fffffffffffffff0000000000000000', '80000000000000000000000000000000',
					'8003600000000000ffffffffffffffff']) id,
	failure_of(format('SELECT lexicaluuid_timestamp(%L::text)', id)) e;

\echo '-- octets of every other length'
SELECT call, len, e.code FROM (VALUES ('flakeid_timestamp', 8), ('flakeid_fields', 8),
	('flakeid_to_uuid', 8), ('objectid_timestamp', 12), ('objectid_fields', 12),
	('objectid_to_uuid', 12), ('flake_timestamp', 16), ('flake_fields', 16), ('flake_to_uuid', 16),
		('ksuid_timestamp', 20), ('ksuid_fields', 20),
	('bytea_to_ksuid', 20), ('ksuid_to_uuid_lossy', 20)) v(call, octets),
	unnest(ARRAY[0, 1, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 39, 40, 255, 256, 100000]) len,
	failure_of(format('SELECT %s(%L::bytea)', call, decode(repeat('00', len), 'hex'))) e
WHERE e.code IS DISTINCT FROM CASE WHEN len <> octets THEN '22023' END;

\echo '-- UUIDs that are not IDs have no time'
SELECT sid_timestamp(id) AS sid, sid_fields(id) AS sid_fields, cuid_timestamp(id) AS cuid,
	cuid_fields(id) AS cuid_fields,
	   flake_timestamp(id) AS flake, flake_fields(id) AS flake_fields, ulid_timestamp(id) AS ulid,
		(ulid_fields(id)).random AS ulid_random
FROM unnest(ARRAY['ffffffff-ffff-ffff-ffff-ffffffffffff', '80000000-0000-0000-0000-000000000000',
	'00000000-0000-0000-8000-000000000000',
				  '7fffffff-ffff-ffff-7fff-ffffffffffff']::uuid[]) id;

\echo '-- NULL arguments return NULL'
SELECT count(*) > 80 AS functions, count(*)
	FILTER (WHERE e.code IS NOT NULL OR e.message <> 'no error' OR NOT p.proisstrict) AS wrong
FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype
	= 'e'
	JOIN pg_extension x ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = x.oid
		AND x.extname = 'uuidnew',
	LATERAL (SELECT string_agg(format('NULL::%s', format_type(t, NULL)), ', ') AS args
		FROM unnest(p.proargtypes) t) a,
	failure_of(format('SELECT %s(%s)', p.proname, args)) e
WHERE p.proname ~ '^(snowflake|shardingid|flakeid|sonyflake|mastodon|lexicaluuid|elasticflake'
	'|pushid|xid|objectid|flake|ulid|sid|cuid|ksuid|bytea_to_ksuid|comb|ordered_uuid'
	'|vb|uuid_vb|uuid_to)(_|$)';

DROP FUNCTION failure_of;
