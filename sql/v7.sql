--
-- Version 7: the draft's layouts and RFC 9562's.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- one instant in each layout: the bits of time'
SELECT layout, left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00', layout)::text,
	len) AS bits,
	   uuid_v7_min('2026-02-03 04:05:06.789012+00', layout),
		uuid_v7_max('2026-02-03 04:05:06.789012+00', layout)
FROM (VALUES ('millisecond', 13), ('microsecond', 18), ('nanosecond', 23),
	('rfc9562', 18)) l(layout, len);

\echo '-- the default is microsecond'
SELECT left(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00')::text, 18),
	   uuid_v7_timestamp(uuid_generate_v7_at('2026-02-03 04:05:06.789012+00')),
	   uuid_v7_min('2026-02-03 04:05:06.789012+00') = uuid_v7_min('2026-02-03 04:05:06.789012+00',
		'microsecond'),
	   uuid_v7_max('2026-02-03 04:05:06.789012+00') = uuid_v7_max('2026-02-03 04:05:06.789012+00',
		'microsecond');

\echo '-- the two families differ: read as the other''s, a time is centuries off'
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03'), 'rfc9562') AS draft_as_rfc,
	   uuid_v7_timestamp(uuid_v7_min('2026-02-03', 'rfc9562')) AS rfc_as_draft;

\echo '-- layouts by a column, a parameter and a variable that changes in a loop'
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

-- a name in a compressed or out-of-line value is a name like any other
CREATE TEMP TABLE names (layout text);
ALTER TABLE names ALTER layout SET STORAGE EXTERNAL;
INSERT INTO names VALUES ('rfc9562'), (repeat('microsecond', 1000));
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03', layout), layout) FROM names
	WHERE length(layout) < 20;
SELECT uuid_v7_timestamp(uuid_v7_min('2026-02-03'), substr(layout, 1, 11)) FROM names
	WHERE length(layout) > 20;

\echo '-- NULL for NULL, and for what is not version 7 or not of the RFC''s variant'
SELECT uuid_generate_v7(NULL), uuid_generate_v7_at(NULL), uuid_generate_v7_at('2026-02-03', NULL),
	   uuid_v7_timestamp(NULL), uuid_v7_timestamp(uuid_generate_v7(), NULL), uuid_v7_min(NULL),
		uuid_v7_max(NULL);
SELECT id, uuid_v1_timestamp(id) AS v1, uuid_v6_timestamp(id) AS v6, uuid_v7_timestamp(id) AS v7,
	   uuid_v7_timestamp(id, 'rfc9562') AS rfc, uuid_v8_timestamp(id) AS v8
FROM (VALUES ('00000000-0000-0000-0000-000000000000'::uuid),
	('ffffffff-ffff-ffff-ffff-ffffffffffff'),
			 ('69817232-0000-4000-8000-000000000000'), ('69817232-0000-3000-8000-000000000000'),
			 ('69817232-0000-1000-8000-000000000000'), ('69817232-0000-6000-8000-000000000000'),
			 ('69817232-0000-7000-8000-000000000000'), ('69817232-0000-8000-8000-000000000000'),
			 ('69817232-0000-7000-0000-000000000000'), ('69817232-0000-7000-7fff-000000000000'),
			 ('69817232-0000-7000-c000-000000000000'),
				('69817232-0000-f000-8000-000000000000')) v(id);
