--
-- The functions of PostgreSQL 18: core's where the server has them, ours where not, and alike.
--
SET TimeZone = 'UTC';
SELECT current_setting('server_version_num')::int >= 200000
	   OR to_regprocedure('pg_catalog.uuid_extract_timestamp(uuid)') IS NULL AS reads_version_6,
	   current_setting('server_version_num')::int >= 170000 AS has_infinite_intervals,
	   -- PostgreSQL 17's knows version 1 only
	   CASE WHEN current_setting('server_version_num')::int / 10000 = 17 THEN 'rfc9562_timestamp' ELSE 'uuid_extract_timestamp' END AS timestamp_of \gset
CREATE FUNCTION rfc9562_timestamp(id uuid) RETURNS timestamptz RETURN uuid_v7_timestamp(id, 'rfc9562');

SELECT proname, pg_get_function_identity_arguments(p.oid) AS arguments, prorettype::regtype, provolatile, proparallel, proleakproof, proisstrict,
	   regexp_replace(obj_description(p.oid, 'pg_proc'), 'RFC (4122|9562)', 'RFC') AS description
FROM pg_proc p
WHERE pg_function_is_visible(p.oid) AND proname IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp', 'uuid_extract_version')
ORDER BY proname, pronargs;

-- one of each name: the extension makes none that the server has
SELECT proname, count(*) AS functions, bool_and((pronamespace = 'pg_catalog'::regnamespace) <> EXISTS
	(SELECT FROM pg_depend d JOIN pg_extension e ON e.oid = d.refobjid AND e.extname = 'uuidnew' WHERE d.objid = p.oid AND d.deptype = 'e')) AS of_one
FROM pg_proc p WHERE proname IN ('uuidv4', 'uuidv7', 'uuid_extract_timestamp', 'uuid_extract_version') GROUP BY 1 ORDER BY 1;

-- versions and variants
SELECT uuid_extract_version(uuidv4()), uuid_extract_version(uuidv7()), uuid_extract_version(uuidv7('-1 hour')),
	   uuid_extract_version(gen_random_uuid());
SELECT substr(uuidv4()::text, 20, 1) IN ('8', '9', 'a', 'b') AS rfc_variant_4, substr(uuidv7()::text, 20, 1) IN ('8', '9', 'a', 'b') AS rfc_variant_7;
SELECT version, uuid_extract_version(overlay('c232ab00-9414-01ec-b3c8-9f6bdeced846' PLACING to_hex(version) FROM 15)::uuid) FROM generate_series(0, 15) version
WHERE uuid_extract_version(overlay('c232ab00-9414-01ec-b3c8-9f6bdeced846' PLACING to_hex(version) FROM 15)::uuid) IS DISTINCT FROM version;
SELECT digit, uuid_extract_version(overlay('c232ab00-9414-41ec-03c8-9f6bdeced846' PLACING to_hex(digit) FROM 20)::uuid)
FROM generate_series(0, 15) digit ORDER BY digit;
SELECT uuid_extract_version('00000000-0000-0000-0000-000000000000'), uuid_extract_version('ffffffff-ffff-ffff-ffff-ffffffffffff');

-- unique and, version 7, in order
CREATE TEMP TABLE made (n bigserial, v4 uuid UNIQUE DEFAULT uuidv4(), v7 uuid UNIQUE DEFAULT uuidv7());
INSERT INTO made SELECT FROM generate_series(1, 10000);
SELECT count(DISTINCT v4) AS v4, count(DISTINCT v7) AS v7 FROM made;
SELECT count(*) AS out_of_order FROM (SELECT v7, lag(v7) OVER (ORDER BY n) AS before FROM made) m WHERE v7 <= before;
-- every bit of version 4 but six is random
SELECT bit_and(('x' || replace(v4::text, '-', ''))::bit(128)), bit_or(('x' || replace(v4::text, '-', ''))::bit(128)) FROM made;

-- RFC 9562, appendix A and B.1
SELECT uuid_extract_timestamp('C232AB00-9414-11EC-B3C8-9F6BDECED846') = '2022-02-22 14:22:22-05' AS version_1,
	   :timestamp_of('017F22E2-79B0-7CC3-98C4-DC0C0C07398F') = '2022-02-22 14:22:22-05' AS version_7,
	   uuid_extract_timestamp('5df41881-3aed-3515-88a7-2f4a814cf09e') IS NULL AS version_3,
	   uuid_extract_timestamp('2489E9AD-2EE2-8E00-8EC9-32D5F69181C0') IS NULL AS version_8;
SELECT NOT :'reads_version_6' OR uuid_extract_timestamp('1EC9414C-232A-6B00-B3C8-9F6BDECED846') = '2022-02-22 14:22:22-05' AS version_6;
SELECT uuid_extract_timestamp(gen_random_uuid()) IS NULL AS version_4,
	   uuid_extract_timestamp('11111111-1111-1111-1111-111111111111') IS NULL AS other_variant,
	   :timestamp_of('00000000-0000-7000-8000-000000000000') = '1970-01-01 00:00:00+00' AS first,
	   :timestamp_of('ffffffff-ffff-7fff-bfff-ffffffffffff') = '10889-08-02 05:31:50.655+00' AS last,
	   uuid_extract_timestamp('00000000-0000-1000-8000-000000000000') = '1582-10-15 00:00:00+00' AS first_1;

-- the time is now
SELECT :timestamp_of(uuidv7()) BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp() AS now,
	   uuid_v7_timestamp(uuidv7(), 'rfc9562') BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp() AS read_by_ours,
	   :timestamp_of(uuid_generate_v7('rfc9562')) BETWEEN clock_timestamp() - interval '5 s' AND clock_timestamp() AS read_by_core;

-- a shifted one: as timestamptz + interval
SELECT shift, abs(extract(epoch FROM :timestamp_of(uuidv7(shift)) - (clock_timestamp() + shift))) < 5 AS shifted
FROM unnest(ARRAY['0', '1 us', '-1 day', '1 month', '-1 year', '100 years', '1000 years 3 months 2 days 04:05:06.789']::interval[]) shift;
-- (a time of now is rounded down to 1/4096 ms before it is shifted, and then to the millisecond)
SELECT :timestamp_of(uuidv7(timestamptz '1970-01-01 00:00:01+00' - clock_timestamp())) BETWEEN '1970-01-01 00:00:00.999+00' AND '1970-01-01 00:00:06+00' AS first,
	   :timestamp_of(uuidv7(timestamptz '10889-08-02 05:31:40+00' - clock_timestamp())) BETWEEN '10889-08-02 05:31:39.999+00' AND '10889-08-02 05:31:45+00' AS last;
-- in order among those of one shift
SELECT shift, count(*) FILTER (WHERE id <= before) AS out_of_order FROM (SELECT shift, id, lag(id) OVER (PARTITION BY shift ORDER BY n) AS before FROM
	(SELECT shift, n, uuidv7(shift) AS id FROM unnest('{-7 days,-7 days 1 us}'::interval[]) shift, generate_series(1, 20000) n OFFSET 0) made) m GROUP BY shift ORDER BY shift;

-- in every year that there is
SELECT count(*), count(*) FILTER (WHERE ts <= before OR extract(year FROM ts) <> year) AS wrong
FROM (SELECT year, ts, lag(ts) OVER (ORDER BY year) AS before FROM
	(SELECT year, :timestamp_of(uuidv7(make_interval(years => year - extract(year FROM now())::int))) AS ts FROM generate_series(1970, 10888) year) shifted) s;

-- what is refused
CREATE FUNCTION pg_temp.error_of(shift text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	message text;
	detail text;
BEGIN
	PERFORM uuidv7(shift::interval);
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL;
	RETURN concat_ws(' ', SQLSTATE, message, detail);
END $$;
SELECT what, pg_temp.error_of(shift)
FROM (VALUES ('1969', (timestamptz '1969-12-31 23:59:00+00' - clock_timestamp())::text), ('long ago', '-2000 years'),
			 ('10889', (timestamptz '10889-08-02 05:31:51+00' - clock_timestamp())::text), ('too late', '100000 years'),
			 ('too late for timestamptz', '400000 years')) v(what, shift);
-- PostgreSQL 17 made intervals infinite
SELECT shift, CASE WHEN :'has_infinite_intervals' THEN pg_temp.error_of(shift) =
	'22008 interval out of range for UUID version 7 UUID version 7 does not support infinite intervals.' ELSE true END AS is_refused
FROM unnest(ARRAY['infinity', '-infinity']) shift;
SELECT uuidv7(NULL) IS NULL, :timestamp_of(NULL) IS NULL, uuid_extract_version(NULL) IS NULL;
DROP FUNCTION rfc9562_timestamp;
