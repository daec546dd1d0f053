\set ECHO none
--
-- Conversion between layouts of version 7.  test/unit tests time, order and the bits that fit,
-- test/t/kinds_generators.pl the ends of the ranges.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- one UUID in all layouts'
SELECT f.layout AS "from", t.layout AS "to", uuid_v7_convert(id, f.layout, t.layout)
FROM (VALUES ('millisecond', '06198102-2ca0-7fff-bedc-ba9876543210'::uuid),
	('microsecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
			 ('nanosecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
				('rfc9562', '019c21bb-7fd5-7032-bedc-ba9876543210')) f(layout, id),
	 (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) t(layout)
ORDER BY f.layout, t.layout;

\echo '-- the last tick of 1/2^24 s that fits, and the next tick'
SELECT uuid_v7_convert('0c49ba5e-353f-77ce-8000-000000000000', 'microsecond', 'rfc9562');
SELECT uuid_v7_convert('0c49ba5e-353f-77cf-8000-000000000000', 'microsecond', 'rfc9562');
SELECT uuid_v7_convert(uuidv7_at('1995-07-09 16:12:47.999+00'), 'rfc9562', 'microsecond');

\echo '-- rejected arguments'
SELECT uuid_v7_convert(gen_random_uuid(), 'rfc9562', 'microsecond');
SELECT uuid_v7_convert(uuid_generate_v7(), 'microsecond', 'rfc');
SELECT uuid_v7_convert(uuid_generate_v7(), 'unix48', 'rfc9562');
SELECT uuid_v7_convert(NULL, 'microsecond', 'rfc9562') IS NULL,
	uuid_v7_convert(uuid_generate_v7(), NULL, 'rfc9562') IS NULL,
	uuid_v7_convert(uuid_generate_v7(), 'microsecond', NULL) IS NULL;

\echo '-- no key is converted twice: keys out of from_layout''s range are always rejected'
SELECT uuid_v7_convert(uuid_v7_convert('06198102-2c9f-7e1b-bedc-ba9876543210', 'draft', 'rfc9562'),
	'draft', 'rfc9562');
SELECT uuid_v7_convert(uuid_v7_convert('019c21bb-7fd5-7032-bedc-ba9876543210', 'rfc9562', 'draft'),
	'RFC9562', 'draft');
SELECT uuid_v7_convert('02ffffff-ffff-7fff-bfff-ffffffffffff', 'nanosecond', 'millisecond');
SELECT uuid_v7_convert('03000000-0000-7000-8000-000000000000', 'rfc9562', 'rfc9562');

\echo '-- uuid_v7_layout of new keys; test/t/kinds_properties.pl tests all keys'
SELECT uuid_v7_layout(uuid_generate_v7()) AS uuid_generate_v7, uuid_v7_layout(uuidv7()) AS uuidv7;
\echo '-- ''draft'' means ''microsecond'', and names of layouts are case-insensitive'
SELECT layout, uuid_v7_layout(uuid_generate_v7(layout)) AS generated,
	uuid_v7_layout(uuid_generate_v7_at('2026-02-03', layout)) AS generated_at,
	   uuid_v7_min('2026-02-03', layout), uuid_v7_max('2026-02-03', layout),
	   uuid_v7_timestamp('019c21bb-7fd5-7032-bedc-ba9876543210', layout) AS rfc9562,
	   uuid_v7_between('019c21bb-7fd5-7032-bedc-ba9876543210', '1970-01-01', NULL, layout),
	   uuid_v7_timestamp('0698177a-e097-799f-8fdb-97530eca8642', layout) AS draft,
	   uuid_v7_between('0698177a-e097-799f-8fdb-97530eca8642', '1970-01-01', NULL, layout)
FROM unnest(ARRAY['draft', 'DRAFT', 'MicroSecond', 'MILLISECOND', 'NanoSecond', 'Rfc9562']) layout;
SELECT uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'Draft')
	= uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'microsecond') AS machine_id;
SELECT layout, uuid_v8_timestamp(uuid_generate_v8_at('2026-02-03', layout), lower(layout))
	= '2026-02-03' AS v8,
	   uuid_v8_min('2026-02-03', layout) = uuid_v8_min('2026-02-03', lower(layout)) AS v8_min,
	   uuid_v8_max('2026-02-03', layout) = uuid_v8_max('2026-02-03', lower(layout)) AS v8_max,
	   uuid_v8_between(uuid_generate_v8_at('2026-02-03', layout), '2026-02-03', '2026-02-04',
		layout) AS v8_between,
	   uuid_v8_node(uuid_generate_v8_at('2026-02-03', layout, '\x0102'), layout, 2) AS v8_node
FROM unnest(ARRAY['Unix32', 'UNIX48', 'Gregorian60', 'uniX64', 'NTP64', 'ISO8601']) layout;
