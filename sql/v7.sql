\set ECHO none
--
-- Version 7: the draft layouts and RFC 9562.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- the default layout is microsecond'
SELECT left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00')::text, 18),
	   uuid_v7_timestamp(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00')),
	   uuid_v7_min('2026-02-03 04:05:06.789012+00') = uuid_v7_min('2026-02-03 04:05:06.789012+00',
		'microsecond'),
	   uuid_v7_max('2026-02-03 04:05:06.789012+00') = uuid_v7_max('2026-02-03 04:05:06.789012+00',
		'microsecond');

\echo '-- the layout may come from a column, a parameter, or a variable that changes in a loop'
SELECT layout, uuid_v7_timestamp(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', layout),
	layout) AS ts
FROM (VALUES ('rfc9562'), ('microsecond'), ('rfc9562'), ('nanosecond')) l(layout);
PREPARE at_layout(text) AS
	SELECT left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', $1)::text, 13);
EXECUTE at_layout('rfc9562');
EXECUTE at_layout('microsecond');
SET plan_cache_mode = force_generic_plan;
EXECUTE at_layout('rfc9562');
EXECUTE at_layout('microsecond');
RESET plan_cache_mode;
DO $$
DECLARE
	l text;
	id uuid;
BEGIN
	FOREACH l IN ARRAY ARRAY['rfc9562', 'nanosecond', 'rfc9562', 'microsecond'] LOOP
		id := uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', l);
		RAISE NOTICE '% %', l, left(id::text, 13);
	END LOOP;
END $$;

-- A name may be a compressed or out-of-line value.
CREATE TEMP TABLE names (layout text);
ALTER TABLE names ALTER layout SET STORAGE EXTERNAL;
INSERT INTO names VALUES ('rfc9562'), (repeat('microsecond', 1000));
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03', layout), layout) FROM names
	WHERE length(layout) < 20;
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03'), substr(layout, 1, 11)) FROM names
	WHERE length(layout) > 20;

\echo '-- NULL arguments return NULL'
SELECT uuid_generate_v7(NULL), uuid_generate_v7_at(NULL), uuid_generate_v7_at('2026-02-03', NULL),
	   uuid_v7_timestamp(NULL), uuid_v7_timestamp(uuid_generate_v7(), NULL), uuid_v7_min(NULL),
		uuid_v7_max(NULL);
