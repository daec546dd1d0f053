\set ECHO none
--
-- Invalid input raises an error that describes the problem, and has no other effect.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

CREATE FUNCTION error_of(statement text, OUT code text, OUT message text, OUT detail text,
	OUT hint text)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	message := 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS code = RETURNED_SQLSTATE, message = MESSAGE_TEXT,
		detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
END $$;

\echo '-- names that are not layouts'
SELECT layout, e.* FROM unnest(ARRAY['', 'Microseconds', 'microsecond ', ' draft', 'draf', 'drafts',
	'rfc_9562', 'unix48']) layout,
	error_of(format('SELECT uuid_generate_v7(%L)', layout)) e;
SELECT e.* FROM unnest(ARRAY[
	$$SELECT uuid_generate_v7_at('2026-01-01', 'x')$$,
		$$SELECT uuid_v7_timestamp(uuid_generate_v7(), 'x')$$,
	$$SELECT uuid_v7_min('2026-01-01', 'x')$$, $$SELECT uuid_v7_max('2026-01-01', 'x')$$,
	$$SELECT uuid_generate_v7('custom(1000/s, 48, 12)')$$, $$SELECT uuid_generate_v8('draft')$$,
		$$SELECT uuid_generate_v8_at('2026-01-01', 'x')$$,
	$$SELECT uuid_v8_timestamp(uuid_generate_v8(), 'x')$$,
		$$SELECT uuid_v8_min('2026-01-01', 'x')$$,
	$$SELECT uuid_v8_max('2026-01-01', 'x')$$, $$SELECT uuid_v8_node(uuid_generate_v8(), 'x', 1)$$,
	$$SELECT uuid_machine_id(uuid_generate_v7(), 10, 'x')$$,
	-- also for a UUID of another version, and after a valid row
	$$SELECT uuid_v7_timestamp('00000000-0000-0000-0000-000000000000', 'x')$$,
	$$SELECT uuid_generate_v7(l) FROM unnest(ARRAY['microsecond', 'x']) l$$]) statement,
	error_of(statement) e;

-- The first and last time of a layout, and times out of its range.  Version 7 is in
-- test/t/kinds_generators.pl.
CREATE TEMP TABLE ranges (call text, first timestamptz, last timestamptz);
INSERT INTO ranges VALUES
	('uuid_generate_v6_at(%L)',                '1582-10-15',    '5236-03-31 21:21:00.684697'),
	('uuid_generate_v8_at(%L)',                '1970-01-01',    '2554-07-21 23:34:33.709551'),
	('uuid_generate_v8_at(%L, ''unix32'')',    '1970-01-01',    '2106-02-07 06:28:15.999999'),
	('uuid_generate_v8_at(%L, ''unix48'')',    '1970-01-01',    '10889-08-02 05:31:50.655999'),
	('uuid_generate_v8_at(%L, ''gregorian60'')', '1582-10-15',  '5236-03-31 21:21:00.684697'),
	('uuid_generate_v8_at(%L, ''ntp64'')',     '1900-01-01',    '2036-02-07 06:28:15.999999'),
	('uuid_generate_v8_at(%L, ''iso8601'')',   '0001-01-01 BC', '9999-12-31 23:59:59.999999'),
	('uuid_generate_v8_at(%L, ''ntp64'', NULL, ''2036-02-07 06:28:16'')', '2036-02-07 06:28:16',
		'2172-03-15 12:56:31.999999'),
	('uuid_generate_v8_at(%L, ''custom(60s, 20, 12)'', NULL, ''2020-01-01'')', '2020-01-01',
		'2021-12-29 04:15:59.999999'),
	('uuid_generate_v8_at(%L, ''custom(1000000000/s, 64, 8)'')', '1970-01-01',
		'2554-07-21 23:34:33.709551'),
	('uuid_generate_v8_at(%L, ''unix32'', NULL, ''2020-01-01'')', '2020-01-01',
		'2156-02-07 06:28:15.999999'),
	('uuid_generate_v8_at(%L, ''unix48'', NULL, ''290000-01-01'')', '290000-01-01',
		'294276-12-31 23:59:59.999999');
SELECT call, ts, e.code, e.message FROM ranges, unnest(ARRAY[first, last]) ts,
	error_of('SELECT ' || format(call, ts)) e WHERE e.message <> 'no error';
SELECT DISTINCT e.code, e.message, e.detail FROM ranges,
	unnest(ARRAY[first - interval '1 us',
		CASE WHEN last < '294276-12-31' THEN last + interval '1 us' ELSE 'infinity' END,
		'-infinity', 'infinity', '4713-01-01 BC', '294276-12-31 23:59:59.999999']) ts,
	error_of('SELECT ' || format(call, ts)) e
WHERE ts NOT BETWEEN first AND last ORDER BY 2, 3;
SELECT call, ts FROM ranges,
	unnest(ARRAY[first - interval '1 us', last + CASE
		WHEN last < '294276-12-31' THEN interval '1 us' ELSE '0' END,
				 '-infinity', 'infinity', '4713-01-01 BC', '294276-12-31 23:59:59.999999']) ts,
	error_of('SELECT ' || format(call, ts)) e
WHERE ts NOT BETWEEN first AND last AND e.code IS DISTINCT FROM '22008';

\echo '-- the clock is out of a layout''s range because the epoch is in the future'
SELECT e.code, e.message
	FROM error_of($$SELECT uuid_generate_v8('unix32', NULL, now() + interval '1 day')$$) e;
SELECT e.* FROM error_of($$SELECT uuid_generate_v8('unix32', NULL, '1800-01-01')$$) e;
SELECT e.detail
	FROM error_of($$SELECT uuid_generate_v8('unix48', NULL, '290000-01-01 00:00:00.25')$$) e;
\echo '-- the layout still works'
SELECT uuid_v8_timestamp(uuid_generate_v8('unix32'), 'unix32') BETWEEN now() - interval '1 min'
	AND now() + interval '1 min';

\echo '-- custom layouts with invalid numbers'
SELECT layout, e.*
	FROM unnest(ARRAY['custom', 'custom()', 'custom(1000, 48, 12)', 'custom(1000/s, 48)',
	'custom(1000/s, 48, 12) x', 'custom(1000/s, 048, 12)',
	'custom(-1/s, 48, 12)', 'custom(1.5/s, 48, 12)', 'custom(99999999999/s, 48, 12)',
		'custom(1000 ms, 48, 12)', 'customs(1/s, 48, 12)']) layout,
	error_of(format('SELECT uuid_generate_v8(%L)', layout)) e WHERE e.code IS DISTINCT FROM '22023'
		OR e.detail <> '' OR e.hint NOT LIKE 'Specify the unit, %';
SELECT layout, e.code, e.message, e.detail
	FROM unnest(ARRAY['custom(0/s, 48, 12)', 'custom(1000000001/s, 48, 12)', 'custom(0s, 48, 12)',
	'custom(2147483648s, 48, 12)',
	'custom(1s, 0, 12)', 'custom(1s, 65, 12)', 'custom(1s, 32, 11)', 'custom(1s, 48, 33)',
		'custom(1s, 49, 0)', 'custom(1s, 60, 31)', 'custom(1s, 64, 27)']) layout,
	error_of(format('SELECT uuid_generate_v8(%L)', layout)) e;
SELECT layout, e.message
	FROM unnest(ARRAY['custom(1000000000/s, 48, 12)', 'custom(2147483647s, 48, 12)',
	'custom(1s, 64, 26)', 'custom(1s, 32, 12)', 'custom(1s, 48, 32)', 'custom(1s, 49, 1)',
	'custom(1s, 60, 30)']) layout,
		error_of(format('SELECT uuid_generate_v8_at(''1970-01-01 00:00'', %L)', layout)) e
		WHERE e.message <> 'no error';
SELECT e.* FROM error_of($$SELECT uuid_generate_v8('custom(1000/s, 48, 11)')$$) e;
\echo '-- valid layouts still work'
SELECT count(uuid_generate_v8(l))
	FROM unnest(ARRAY['custom(1s, 36, 12)', 'unix48', 'custom(1000/s, 48, 12)',
	'custom(1s, 36, 12)']) l;

\echo '-- invalid epochs, nodes, octets, lengths and bits'
SELECT e.* FROM unnest(ARRAY[
	$$SELECT uuid_generate_v8('unix48', NULL, 'infinity')$$,
	$$SELECT uuid_v8_timestamp(uuid_generate_v8(), 'unix64', '-infinity')$$,
	$$SELECT uuid_v8_min('2026-01-01', 'unix64', 'infinity')$$,
	$$SELECT uuid_generate_v8('ntp64', NULL, '2020-01-01')$$,
		$$SELECT uuid_v8_min('2040-01-01', 'ntp64', '2036-02-07 06:28:16.000001')$$,
	$$SELECT uuid_v8_timestamp(uuid_generate_v8('ntp64'), 'ntp64', 'infinity')$$,
		$$SELECT uuid_generate_v8('ntp64', NULL, '2036-02-07 06:28:16')$$,
	$$SELECT uuid_v8_between(uuid_generate_v8('ntp64'), now(), NULL, 'ntp64', '1899-12-31')$$,
	$$SELECT uuid_generate_v8('julian64', NULL, '2020-01-01')$$,
		$$SELECT uuid_generate_v8_at('infinity', 'julian64')$$,
	$$SELECT uuid_v8_timestamp(uuid_generate_v8('iso8601'), 'iso8601', '2020-01-01')$$,
	$$SELECT uuid_generate_v8('unix32', '\x0102030405060708')$$,
	$$SELECT uuid_generate_v8('unix64', '\x01020304050607')$$,
	$$SELECT uuid_generate_v8('unix64', decode(repeat('ff', 100000), 'hex'))$$,
	$$SELECT uuid_generate_v8_at('2026-01-01', 'iso8601', '\x00000000000000')$$,
	$$SELECT uuid_v8_node(uuid_generate_v8(), 'unix64', 7)$$,
	$$SELECT uuid_generate_v6('\x01020304050607')$$, $$SELECT uuid_generate_v7('nanosecond',
		'\x010203040506')$$,
	$$SELECT uuid_generate_v6('\x000000000000')$$, $$SELECT uuid_generate_v8('custom(1/s, 64, 26)',
		'\x00000000')$$,
	$$SELECT uuid_v6_node(uuid_generate_v6(), 7)$$, $$SELECT uuid_v7_node(uuid_generate_v7(),
		'nanosecond', 6)$$,
	$$SELECT uuidv7_at('2026-01-01', -1)$$, $$SELECT uuidv7_at('2026-01-01', 268435519)$$,
		$$SELECT uuid_generate_v6_at('2026-01-01', 16384, '\x010203040506')$$,
	$$SELECT uuid_generate_v7_at('1969-12-31', 'draft', 0)$$,
	$$SELECT uuid_v8_from_bits('101')$$, $$SELECT uuid_v8_from_bits(repeat('1', 123)::varbit)$$,
	$$SELECT uuid_v8_node(uuid_generate_v8(), 'unix48', -1)$$,
	$$SELECT uuid_v8_node(uuid_generate_v8(), 'unix48', 2147483647)$$,
	$$SELECT uuid_v8('')$$,
	$$SELECT uuid_v8('\x00112233445566778899aabbccddee')$$,
	$$SELECT uuid_v8('\x00112233445566778899aabbccddeeff00')$$,
	$$SELECT uuid_v8(decode(repeat('ff', 100000), 'hex'))$$,
	$$SELECT uuid_machine_id(uuid_generate_v7(), 0)$$,
	$$SELECT uuid_machine_id(uuid_generate_v7(), 33)$$,
	$$SELECT uuid_machine_id(uuid_generate_v7(), -2147483648)$$,
	$$SELECT uuid_v1_to_v6(uuid_generate_v7())$$,
	$$SELECT uuid_v6_to_v1('00000000-0000-0000-0000-000000000000')$$]) statement,
	error_of(statement) e;

DROP FUNCTION error_of;
