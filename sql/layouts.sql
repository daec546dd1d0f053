\set ECHO none
--
-- All layouts of all versions; TAP tests also read this file.  Times and bounds are tested in
-- vectors.sql and v8_layouts.sql, order in test/t/key_order.pl, randomness in
-- test/t/layout_figures.pl.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

-- first and last: the range; unit: the precision of readers; time_bits: the bits before the
-- sequence; overflow: the bits of the node that the sequence may use.  Version and variant do not
-- count.
CREATE TEMP TABLE layouts (version int, layout text, first timestamptz, last timestamptz,
	unit interval, time_bits int, seq_bits int, overflow int);
INSERT INTO layouts VALUES
	(6, NULL,          '1582-10-15',    '5236-03-31 21:21:00.684697', '1 us',   60, 14, 8),
	(7, 'millisecond', '1995-07-09 16:12:48', '4147-08-20 07:32:15.999999', '1 ms',   48, 12, 14),
	(7, 'microsecond', '1995-07-09 16:12:48', '4147-08-20 07:32:15.999999', '1 us',   60, 14, 8),
	(7, 'nanosecond',  '1995-07-09 16:12:48', '4147-08-20 07:32:15.999999', '1 us',   74, 8, 8),
	(7, 'rfc9562',     '1970-01-01',    '2074-07-11 11:41:23.327999', '1 ms',   60, 6, 8),
	(8, 'unix32',      '1970-01-01',    '2106-02-07 06:28:15.999999', '1 s',    48, 12, 24),
	(8, 'unix48',      '1970-01-01',    '10889-08-02 05:31:50.655999', '1 ms',  48, 12, 14),
	(8, 'gregorian60', '1582-10-15',    '5236-03-31 21:21:00.684697', '1 us',   60, 8, 8),
	(8, 'unix64',      '1970-01-01',    '2554-07-21 23:34:33.709551', '1 us',   60, 8, 8),
	(8, 'ntp64',       '1900-01-01',    '2036-02-07 06:28:15.999999', '1 us',   60, 8, 8),
	(8, 'iso8601',     '0001-01-01 BC', '9999-12-31 23:59:59.999999', '100 ms', 60, 8, 21),
	(8, 'julian64',    '4714-11-24 BC', '294276-12-31 23:59:59.999999', '1 us', 64, 8, 14);

-- Each layout in the library has a row.
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions
CREATE TEMP VIEW known_layouts AS
SELECT version, layout[1]
FROM unnest(ARRAY[7, 8]) version,
	error_of(format('SELECT uuid_generate_v%s('''')', version)) e,
	regexp_matches(e.hint, '(?:are|,) "([^"]+)"', 'g') layout;
SELECT * FROM known_layouts EXCEPT SELECT version, layout FROM layouts;
SELECT count(*) > 9 AS enough FROM known_layouts;

\echo '-- generators run once per row and call, even with constant arguments'
SELECT count(DISTINCT id) FROM
	(SELECT unnest(ARRAY[uuid_generate_v7('rfc9562'), uuid_generate_v7('rfc9562'),
		uuid_generate_v8('unix48'),
		uuid_generate_v6_at('2026-01-01'), uuid_generate_v7_at('2026-01-01'),
			uuid_generate_v8_at('2026-01-01')]) AS id
	 FROM generate_series(1, 3)) g;
