\set ECHO none
--
-- Version 7: the draft layouts and RFC 9562.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- the default layout is microsecond'
SELECT left(uuid_generate_v7_at(ts)::text, 18), uuid_v7_timestamp(uuid_generate_v7_at(ts)),
	uuid_v7_min(ts) = uuid_v7_min(ts, 'microsecond'),
	uuid_v7_max(ts) = uuid_v7_max(ts, 'microsecond')
FROM (VALUES (timestamptz '2026-02-03 04:05:06.789012+00')) v(ts);

\echo '-- the layout may come from a column, a parameter, or a variable that changes in a loop'
SELECT layout, uuid_v7_timestamp(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', layout),
	layout) AS ts
FROM unnest('{rfc9562, microsecond, rfc9562, nanosecond}'::text[]) layout;
PREPARE at_layout(text) AS
	SELECT left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', $1)::text, 13);
SET plan_cache_mode = force_generic_plan;
EXECUTE at_layout('rfc9562');
EXECUTE at_layout('microsecond');
RESET plan_cache_mode;
DO $$
DECLARE
	l text;
BEGIN
	FOREACH l IN ARRAY ARRAY['rfc9562', 'nanosecond', 'rfc9562'] LOOP
		RAISE NOTICE '% %', l,
			left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', l)::text, 13);
	END LOOP;
END $$;

\echo '-- a name may be a compressed or out-of-line value'
CREATE TEMP TABLE names (layout text);
ALTER TABLE names ALTER layout SET STORAGE EXTERNAL;
INSERT INTO names VALUES ('rfc9562'), (repeat('microsecond', 1000));
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03', layout), layout) FROM names
WHERE length(layout) < 20;
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03'), substr(layout, 1, 11)) FROM names
WHERE length(layout) > 20;

\echo '-- ''draft'' means ''microsecond'', and names of layouts are case-insensitive'
SELECT layout, uuid_v7_layout(uuid_generate_v7(layout)), uuid_v7_min('2026-02-03', layout),
	uuid_v7_max('2026-02-03', layout),
	uuid_v7_timestamp('019c21bb-7fd5-7032-bedc-ba9876543210', layout) AS rfc9562,
	uuid_v7_timestamp('0698177a-e097-799f-8fdb-97530eca8642', layout) AS draft,
	uuid_v7_between('0698177a-e097-799f-8fdb-97530eca8642', '1970-01-01', NULL, layout)
FROM unnest('{draft, DRAFT, MicroSecond, Rfc9562}'::text[]) layout;
SELECT uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'Draft')
	= uuid_machine_id('06198102-2c9f-7e1b-bedc-ba9876543210', 10, 'microsecond') AS machine_id;
SELECT layout FROM unnest('{Unix32, UNIX48, Gregorian60, uniX64, NTP64, ISO8601}'::text[]) layout,
	uuid_generate_v8_at('2026-02-03', layout, '\x0102') id
WHERE (uuid_v8_timestamp(id, lower(layout)), uuid_v8_min('2026-02-03', layout),
		uuid_v8_max('2026-02-03', layout), uuid_v8_between(id, '2026-02-03', '2026-02-04', layout),
		uuid_v8_node(id, layout, 2))
	IS DISTINCT FROM ('2026-02-03', uuid_v8_min('2026-02-03', lower(layout)),
		uuid_v8_max('2026-02-03', lower(layout)), true, '\x0102');
