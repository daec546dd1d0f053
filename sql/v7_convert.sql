\set ECHO none
--
-- Conversion between layouts of version 7.  test/unit tests time, order and the bits that fit,
-- test/t/kinds_generators.pl the ends of the ranges.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- RFC 9562 keys as draft keys, and back'
SELECT f.layout AS "from", t.layout AS "to", uuid_v7_convert(id, f.layout, t.layout)
FROM (VALUES ('millisecond', '06198102-2ca0-7fff-bedc-ba9876543210'::uuid),
		('microsecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
		('nanosecond', '06198102-2c9f-7e1b-bedc-ba9876543210'),
		('rfc9562', '019c21bb-7fd5-7032-bedc-ba9876543210')) f(layout, id),
	unnest('{millisecond, microsecond, nanosecond, rfc9562}'::text[]) t(layout)
WHERE f.layout <> t.layout AND 'rfc9562' IN (f.layout, t.layout)
ORDER BY f.layout, t.layout;

\echo '-- the last tick of 1/2^24 s that fits, and the next tick'
SELECT uuid_v7_convert('0c49ba5e-353f-77ce-8000-000000000000', 'microsecond', 'rfc9562');
SELECT uuid_v7_convert('0c49ba5e-353f-77cf-8000-000000000000', 'microsecond', 'rfc9562');
SELECT uuid_v7_convert(uuidv7_at('1995-07-09 16:12:47.999+00'), 'rfc9562', 'microsecond');

\echo '-- rejected arguments'
SELECT uuid_v7_convert(gen_random_uuid(), 'rfc9562', 'microsecond');
\set VERBOSITY terse
SELECT uuid_v7_convert(uuid_generate_v7(), 'microsecond', 'rfc');
SELECT uuid_v7_convert(uuid_generate_v7(), 'unix48', 'rfc9562');
\set VERBOSITY default

\echo '-- no key is converted twice: keys out of from_layout''s range are always rejected'
SELECT uuid_v7_convert(uuid_v7_convert('06198102-2c9f-7e1b-bedc-ba9876543210', 'draft', 'rfc9562'),
	'draft', 'rfc9562');
SELECT uuid_v7_convert(uuid_v7_convert('019c21bb-7fd5-7032-bedc-ba9876543210', 'rfc9562', 'draft'),
	'RFC9562', 'draft');
SELECT uuid_v7_convert('02ffffff-ffff-7fff-bfff-ffffffffffff', 'nanosecond', 'millisecond');
SELECT uuid_v7_convert('03000000-0000-7000-8000-000000000000', 'rfc9562', 'rfc9562');
