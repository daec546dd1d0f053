\set ECHO none
--
-- Invalid input raises an error that describes the problem.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\echo '-- names that are not layouts'
SELECT e.* FROM unnest(ARRAY['uuid_generate_v7(''x'')', 'uuid_generate_v8(''draft'')',
	'uuid_machine_id(uuid_generate_v7(), 10, ''x'')']) call,
	error_of('SELECT ' || call) e;
SELECT layout, e.message FROM unnest(ARRAY['', 'Microseconds', 'microsecond ', ' draft', 'draf',
	'drafts', 'rfc_9562', 'unix48', 'custom(1000/s, 48, 12)']) layout,
	error_of(format('SELECT uuid_generate_v7(%L)', layout)) e
WHERE e.message <> format('unrecognized layout "%s" for UUID version 7', layout);
SELECT call, e.message FROM unnest(ARRAY[
	$$uuid_generate_v7_at('2026-01-01', 'x')$$,
	$$uuid_v7_timestamp(uuid_generate_v7(), 'x')$$,
	$$uuid_v7_min('2026-01-01', 'x')$$,
	$$uuid_v7_max('2026-01-01', 'x')$$,
	$$uuid_generate_v8_at('2026-01-01', 'x')$$,
	$$uuid_v8_timestamp(uuid_generate_v8(), 'x')$$,
	$$uuid_v8_min('2026-01-01', 'x')$$,
	$$uuid_v8_max('2026-01-01', 'x')$$,
	$$uuid_v8_node(uuid_generate_v8(), 'x', 1)$$,
	-- also for a UUID of another version, and after a valid row
	$$uuid_v7_timestamp('00000000-0000-0000-0000-000000000000', 'x')$$,
	$$uuid_generate_v7(l) FROM unnest(ARRAY['microsecond', 'x']) l$$]) call,
	error_of('SELECT ' || call) e
WHERE e.message !~ '^unrecognized layout "x" for UUID version [78]$';

\echo '-- times out of range; test/t/kinds_generators.pl tests version 7, test/unit all layouts'
CREATE TEMP TABLE ranges (call text, first timestamptz, last timestamptz);
INSERT INTO ranges VALUES
	('uuid_generate_v6_at(%L)', '1582-10-15', '5236-03-31 21:21:00.684697'),
	('uuid_generate_v8_at(%L)', '1970-01-01', '2554-07-21 23:34:33.709551'),
	('uuid_generate_v8_at(%L, ''ntp64'', NULL, ''2036-02-07 06:28:16'')',
		'2036-02-07 06:28:16', '2172-03-15 12:56:31.999999'),
	('uuid_generate_v8_at(%L, ''custom(60s, 20, 12)'', NULL, ''2020-01-01'')',
		'2020-01-01', '2021-12-29 04:15:59.999999'),
	('uuid_generate_v8_at(%L, ''iso8601'')', '0001-01-01 BC', '9999-12-31 23:59:59.999999');
SELECT call, ts, e.code FROM ranges, unnest(ARRAY[first, last]) ts,
	error_of('SELECT ' || format(call, ts)) e
WHERE e.message <> 'no error';
SELECT DISTINCT e.* FROM ranges,
	unnest(ARRAY[first - interval '1 us', last + interval '1 us', '-infinity', 'infinity',
		'4713-01-01 BC', '294276-12-31 23:59:59.999999']) ts,
	error_of('SELECT ' || format(call, ts)) e
ORDER BY 2, 3;
SELECT e.* FROM unnest(ARRAY[
	$$uuid_generate_v8('unix48', NULL, '290000-01-01 00:00:00.25')$$,
	$$uuid_generate_v8('unix32', NULL, '1800-01-01')$$,
	$$uuid_generate_v8('ntp64', NULL, '2036-02-07 06:28:16')$$,
	$$uuid_generate_v8_at('infinity', 'julian64')$$,
	$$uuid_generate_v7_at('1969-12-31', 'draft', 0)$$]) call,
	error_of('SELECT ' || call) e;

\echo '-- custom layouts that are no numbers, and numbers out of range'
SELECT layout, e.* FROM unnest(ARRAY['custom', 'custom()', 'custom(1000, 48, 12)',
	'custom(1000/s, 48)', 'custom(1000/s, 48, 12) x', 'custom(1000/s, 048, 12)',
	'custom(-1/s, 48, 12)', 'custom(1.5/s, 48, 12)', 'custom(99999999999/s, 48, 12)',
	'custom(1000 ms, 48, 12)', 'customs(1/s, 48, 12)']) layout,
	error_of(format('SELECT uuid_generate_v8(%L)', layout)) e
WHERE e.code IS DISTINCT FROM '22023' OR e.detail <> '' OR e.hint NOT LIKE 'Specify the unit, %';
SELECT layout, e.detail FROM unnest(ARRAY['custom(0/s, 48, 12)', 'custom(1000000001/s, 48, 12)',
	'custom(0s, 48, 12)', 'custom(2147483648s, 48, 12)', 'custom(1s, 0, 12)', 'custom(1s, 65, 12)',
	'custom(1s, 32, 11)', 'custom(1s, 48, 33)', 'custom(1s, 49, 0)', 'custom(1s, 60, 31)',
	'custom(1s, 64, 27)']) layout,
	error_of(format('SELECT uuid_generate_v8(%L)', layout)) e;
SELECT layout, e.message FROM unnest(ARRAY['custom(1000000000/s, 48, 12)',
	'custom(2147483647s, 48, 12)', 'custom(1s, 64, 26)', 'custom(1s, 32, 12)',
	'custom(1s, 48, 32)', 'custom(1s, 49, 1)', 'custom(1s, 60, 30)']) layout,
	error_of(format('SELECT uuid_generate_v8_at(''1970-01-01 00:00'', %L)', layout)) e
WHERE e.message <> 'no error';
SELECT e.* FROM error_of($$SELECT uuid_generate_v8('custom(1000/s, 48, 11)')$$) e;

\echo '-- invalid epochs, nodes, octets, lengths and bits'
SELECT e.* FROM unnest(ARRAY[
	$$uuid_generate_v8('unix48', NULL, 'infinity')$$,
	$$uuid_v8_min('2026-01-01', 'unix64', '-infinity')$$,
	$$uuid_v8_min('2040-01-01', 'ntp64', '2036-02-07 06:28:16.000001')$$,
	$$uuid_v8_between(uuid_generate_v8('ntp64'), now(), NULL, 'ntp64', '1899-12-31')$$,
	$$uuid_v8_timestamp(uuid_generate_v8('iso8601'), 'iso8601', '2020-01-01')$$,
	$$uuid_generate_v8('unix64', decode(repeat('ff', 100000), 'hex'))$$,
	$$uuid_generate_v6('\x01020304050607')$$,
	$$uuid_generate_v7('nanosecond', '\x010203040506')$$,
	$$uuid_generate_v6('\x000000000000')$$,
	$$uuid_generate_v8('custom(1/s, 64, 26)', '\x00000000')$$,
	$$uuid_v6_node(uuid_generate_v6(), 7)$$,
	$$uuid_v7_node(uuid_generate_v7(), 'nanosecond', 6)$$,
	$$uuid_v8_node(uuid_generate_v8(), 'unix48', -1)$$,
	$$uuidv7_at('2026-01-01', -1)$$,
	$$uuidv7_at('2026-01-01', 268435519)$$,
	$$uuid_generate_v6_at('2026-01-01', 16384, '\x010203040506')$$,
	$$uuid_v8_from_bits('101')$$,
	$$uuid_v8_from_bits(repeat('1', 123)::varbit)$$,
	$$uuid_v8('\x00112233445566778899aabbccddee')$$,
	$$uuid_v8('\x00112233445566778899aabbccddeeff00')$$,
	$$uuid_machine_id(uuid_generate_v7(), 0)$$,
	$$uuid_machine_id(uuid_generate_v7(), 33)$$,
	$$uuid_v1_to_v6(uuid_generate_v7())$$,
	$$uuid_v6_to_v1('00000000-0000-0000-0000-000000000000')$$]) call,
	error_of('SELECT ' || call) e;

\echo '-- UUIDs of other versions and variants: readers return NULL, conversions raise an error'
SELECT call, id, array_agg(DISTINCT v) AS versions, expected
FROM (SELECT id, format(call, comb) AS call, array_agg(version) AS versions
	FROM (VALUES
		('01234567-89ab-7cde-8123-456789abcdef', 1, 'uuid_v1_fields(id); uuid_v1_to_v6(id)'),
		('01234567-89ab-7cde-8123-456789abcdef', 6,
			'uuid_v6_fields(id); uuid_v6_node(id, 2); uuid_v6_to_v1(id)'),
		('01234567-89ab-7cde-8123-456789abcdef', 7, 'uuidv7_fields(id)'),
		('0698173f-2c9f-7cb1-9abc-cdb5559492ed', 7,
			'uuid_v7_fields(id); uuid_v7_node(id, ''draft'', 2)'),
		('01234567-89ab-7cde-8123-456789abcdef', 8,
			'uuid_v8_fields(id); uuid_v8_node(id, ''unix48'', 2); uuid_v8_to_bits(id)'),
		('65ca76d2-013a-1000-a31b-48b2491cd009', 1,
			'uuid_v1_unix_ms_timestamp(id); uuid_v1_unix_ms_to_v1(id)'),
		('9009ebcc-cd99-4b5f-90cf-9155607d2de9', 4,
			'ordered_uuid_timestamp(id); ordered_uuid_to_uuid(id)'),
		('9009ebcc-cd99-4b5f-90cf-9155607d2de9', 8,
			'ordered_uuid_timestamp(id); uuid_to_ordered_uuid(id)'),
		('018e5f3b-ff47-07cc-05ba-919001862cc4', 4,
			'comb_timestamp(id, %1$L); comb_convert(id, %1$L, %1$L); comb_to_uuid(id, %1$L)'),
		('018e5f3b-ff47-07cc-05ba-919001862cc4', 8, 'uuid_to_comb(id, %1$L)'),
		('20be0ffc-314a-bd53-7a50-013a65ca76d2', 11,
			'uuid_vb_timestamp(id); uuid_vb_counter(id); uuid_vb_counter(id, ''sequential''); '
			'uuid_vb_process_id(id); uuid_vb_mac_fragment(id); vb_fields(id); vb_to_uuid(id)')
		) readers(id, version, calls), unnest(string_to_array(calls, '; ')) call,
		unnest('{postgresql, sql, legacy, oracle}'::text[]) comb
	GROUP BY 1, 2) r,
	generate_series(0, 15) v, generate_series(0, 15) variant,
	result_of(call || ' FROM (SELECT $1::uuid) u(id)',
		relabeled(id::uuid, v, variant)::text) result,
	LATERAL (SELECT CASE WHEN call ~ '_to_(?!bits)|_convert' THEN '22023' END AS expected) e
WHERE (result IS DISTINCT FROM expected)
	<> (v = ANY (r.versions) AND (variant BETWEEN 8 AND 11 OR v = 11))
GROUP BY call, id, expected;
