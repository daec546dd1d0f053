\set ECHO none
--
-- IDs of other systems: invalid input raises an error that describes the problem.
-- systems_text.sql tests which text is accepted.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- the error for invalid text describes the IDs of the system'
SELECT e.* FROM unnest('{lexicaluuid, elasticflake, pushid, xid, objectid, flake, ulid, sid, cuid,
	ksuid}'::text[]) system,
	error_of(format('SELECT %s_timestamp(''an ID''::text)', system)) e;

\echo '-- octets of another length'
SELECT e.* FROM unnest(ARRAY[
	$$flakeid_timestamp('\x00'::bytea)$$, $$objectid_fields('\x'::bytea)$$,
	$$flake_to_uuid('\x00112233445566778899aabbccddeeff00'::bytea)$$,
	$$bytea_to_ksuid(decode(repeat('00', 100000), 'hex'))$$]) call,
	error_of('SELECT ' || call) e;
SELECT function, len, e.code
FROM (VALUES ('flakeid_timestamp', 8), ('flakeid_fields', 8), ('flakeid_to_uuid', 8),
	('objectid_timestamp', 12), ('objectid_fields', 12), ('objectid_to_uuid', 12),
	('flake_timestamp', 16), ('flake_fields', 16), ('flake_to_uuid', 16), ('ksuid_timestamp', 20),
	('ksuid_fields', 20), ('bytea_to_ksuid', 20), ('ksuid_to_uuid_lossy', 20)) f(function, octets),
	unnest('{0, 1, 7, 8, 9, 11, 12, 13, 15, 16, 17, 19, 20, 21, 39, 40, 255, 256}'::int[]) len,
	error_of(format('SELECT %s(%L::bytea)', function, decode(repeat('00', len), 'hex'))) e
WHERE e.code IS DISTINCT FROM CASE WHEN len <> octets THEN '22023' END;

\echo '-- numbers, and UUIDs that were not converted from an ID'
SELECT e.* FROM unnest(ARRAY[
	$$snowflake_to_uuid(-1)$$,
	$$sonyflake_timestamp(-9223372036854775808)$$,
	$$uuid_to_snowflake('0181ab11-8149-85e8-8008-000000000001')$$,
	$$uuid_to_mastodon('0181ab11-8149-75e8-8008-000000000000')$$,
	$$uuid_to_sid('8563df36-481d-7676-4c61-efb99302bd5b')$$,
	$$comb_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'postgresql', 'legacy')$$,
	$$ordered_uuid_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$uuid_to_ordered_uuid('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7')$$,
	$$vb_to_uuid('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$,
	$$uuid_to_vb('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7')$$]) call,
	error_of('SELECT ' || call) e;

\echo '-- times out of range for timestamptz or for a version 8 UUID; test/unit tests all systems'
SELECT e.* FROM unnest(ARRAY[
	$$flake_timestamp('7n42DGM5Tflk9n8mt7Fhc7')$$,
	$$lexicaluuid_timestamp('80000000-0000-0000-0000000000000000'::text)$$,
	$$lexicaluuid_to_uuid('ffffffff-ffff-ffff-0000000000000000'::text)$$,
	$$sonyflake_fields(16777216, '294276-12-31 23:59:59.999', 1)$$]) call,
	error_of('SELECT ' || call) e;
SELECT lexicaluuid_timestamp(id) AS text, lexicaluuid_timestamp(id::uuid) AS uuid,
	(lexicaluuid_fields(id::uuid)).timestamp AS fields
FROM unnest('{ffffffffffffffff0000000000000000, fd12d9c27c5780000000000000000000}'::text[]) id;

\echo '-- invalid names, epochs and units'
SELECT e.* FROM unnest(ARRAY[
	$$uuid_to_sid('01563df3-6481-d676-4c61-efb99302bd5b', 'base16')$$,
	$$comb_timestamp('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'mysql')$$,
	$$uuid_generate_vb('random')$$,
	$$snowflake_timestamp(1, '2015-01-01 00:00:00.000001')$$,
	$$sonyflake_to_uuid(1, '2015-01-01', 0)$$]) call,
	error_of('SELECT ' || call) e;

\echo '-- all functions with such arguments raise the same errors'
SELECT call, e.code FROM unnest(ARRAY[
	$$uuid_to_sid('01563df3-6481-d676-4c61-efb99302bd5b', %L)$$,
	$$comb_timestamp('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L)$$,
	$$comb_timestamp('018e5f3b-ff48-77cc-b5ba-d01c25cc63a7', %L)$$,
	$$comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L, 'sql')$$,
	$$comb_convert('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', 'sql', %L)$$,
	$$comb_to_uuid('018e5f3b-ff48-47cc-b5ba-d01c25cc63a7', %L)$$,
	$$uuid_to_comb('018e5f3b-ff48-87cc-b5ba-d01c25cc63a7', %L)$$,
	$$uuid_generate_vb(%L)$$,
	$$uuid_generate_vb(%L, '08:00:2b:01:02:03')$$,
	$$uuid_vb_counter('20be0ffc-314a-bd53-7a50-013a65ca76d2', %L)$$,
	$$uuid_vb_counter('20be0ffc-314a-4d53-7a50-013a65ca76d2', %L)$$]) call,
	unnest('{"", x, Postgresql, postgresq, postgresqll, decima, hexx, Variable, "variable ",
		sequentia, sequentiall}'::text[]) name,
	error_of('SELECT ' || format(call, name)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.hint !~ '^Valid (forms|variants|modes) are "';
SELECT call, epoch, e.code
FROM unnest('{snowflake, shardingid, flakeid, sonyflake}'::text[]) system,
	unnest(ARRAY['%s_timestamp(1, %L)', '%s_fields(1, %L)', '%s_to_uuid(1, %L)',
		'uuid_to_%s(''0181ab11-8149-85e8-8008-000000000000'', %L)']) call,
	unnest('{infinity, -infinity, 2015-01-01 00:00:00.000999, 1999-12-31 23:59:59.999999,
		4713-01-01 00:00:00.0005 BC}'::text[]) epoch,
	error_of('SELECT ' || format(call, system, epoch)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.message NOT LIKE 'epoch %';
SELECT call, unit, e.code
FROM unnest(ARRAY['sonyflake_timestamp(1, ''2015-01-01'', %s)',
		'sonyflake_fields(1, ''2015-01-01'', %s)', 'sonyflake_to_uuid(1, ''2015-01-01'', %s)',
		'uuid_to_sonyflake(''0181ab11-8149-85e8-8008-000000000000'', ''2015-01-01'', %s)']) call,
	unnest('{0, -1, -2147483648}'::int[]) unit,
	error_of('SELECT ' || format(call, unit)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.message NOT LIKE 'unit %';
\echo '-- a UUID that was converted with another epoch'
SELECT epoch,
	result_of('uuid_to_snowflake(''0181ab11-8149-85e8-8008-000000000000'', $1::timestamptz)', epoch)
FROM unnest('{2022-06-28 16:07:40.105, 2022-06-28 16:07:40.106}'::text[]) epoch;

\echo '-- UUIDs that are not IDs have no time'
SELECT sid_timestamp(id) AS sid, sid_fields(id) AS sid_fields, cuid_timestamp(id) AS cuid,
	cuid_fields(id) AS cuid_fields, flake_timestamp(id) AS flake, flake_fields(id) AS flake_fields,
	ulid_timestamp(id) AS ulid, lexicaluuid_timestamp(id) AS lexicaluuid
FROM unnest('{ffffffff-ffff-ffff-ffff-ffffffffffff, 80000000-0000-0000-0000-000000000000,
	00000000-0000-0000-8000-000000000000, 7fffffff-ffff-ffff-7fff-ffffffffffff}'::uuid[]) id;
