\set ECHO none
--
-- The extension's functions with names of PostgreSQL 18.  Such a name may refer to PostgreSQL's own
-- function, which changes between minor versions.  The schema "ours" has the extension's functions.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET client_min_messages = warning;
SELECT current_setting('server_version_num')::int >= 170000 AS has_infinite_intervals,
	   CASE WHEN current_setting('server_version_num')::int >= 180000 THEN
			'pg_catalog.uuid_extract_timestamp'
			ELSE 'uuid_extract_timestamp' END AS core_timestamp \gset
CREATE SCHEMA ours;
CREATE FUNCTION ours.uuidv4() RETURNS uuid LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew',
	'uuidnew_uuidv4';
CREATE FUNCTION ours.uuidv7() RETURNS uuid LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew',
	'uuidnew_uuidv7';
CREATE FUNCTION ours.uuidv7(shift interval) RETURNS uuid
	LANGUAGE c VOLATILE STRICT AS '$libdir/uuidnew', 'uuidnew_uuidv7_interval';
CREATE FUNCTION ours.uuid_extract_timestamp(uuid) RETURNS timestamptz
	LANGUAGE c IMMUTABLE STRICT AS '$libdir/uuidnew', 'uuidnew_uuid_extract_timestamp';
CREATE FUNCTION ours.uuid_extract_version(uuid) RETURNS smallint
	LANGUAGE c IMMUTABLE STRICT AS '$libdir/uuidnew', 'uuidnew_uuid_extract_version';

\echo '-- every server has the functions; the extension''s have these declarations'
SELECT declared.*, to_regprocedure(name || '(' || arguments || ')') IS NOT NULL AS is_there,
	   p.oid IS NULL OR (pg_get_function_result(p.oid), provolatile, proparallel, proleakproof,
		proisstrict, prosrc) IS NOT DISTINCT FROM
						(result, declared.volatile, 's'::"char", leakproof, true, symbol)
							AND obj_description(p.oid, 'pg_proc') IS NOT NULL AS is_declared_so
FROM (VALUES ('uuid_extract_timestamp', 'uuid', 'timestamp with time zone', 'i'::"char", true,
	'uuidnew_uuid_extract_timestamp'),
			 ('uuid_extract_version', 'uuid', 'smallint', 'i', true,
				'uuidnew_uuid_extract_version'),
			 ('uuidv4', '', 'uuid', 'v', false, 'uuidnew_uuidv4'),
			 ('uuidv7', '', 'uuid', 'v', false, 'uuidnew_uuidv7'),
			 ('uuidv7', 'interval', 'uuid', 'v', false, 'uuidnew_uuidv7_interval')) declared(name,
				arguments, result, volatile, leakproof, symbol)
	LEFT JOIN (pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
		AND d.deptype = 'e'
					JOIN pg_extension e ON d.refclassid = 'pg_extension'::regclass
						AND e.oid = d.refobjid AND extname = 'uuidnew')
		ON proname = name AND oidvectortypes(proargtypes) = arguments
ORDER BY name, arguments;

SET search_path = ours, public, pg_catalog;

\echo '-- versions and variants'
SELECT uuid_extract_version(uuidv4()), uuid_extract_version(uuidv7()),
	uuid_extract_version(uuidv7('-1 hour')),
	   uuid_extract_version(gen_random_uuid());
SELECT substr(uuidv4()::text, 20, 1) IN ('8', '9', 'a', 'b') AS rfc_variant_4,
	substr(uuidv7()::text, 20, 1) IN ('8', '9', 'a', 'b') AS rfc_variant_7;
SELECT version, uuid_extract_version(overlay('c232ab00-9414-01ec-b3c8-9f6bdeced846'
	PLACING to_hex(version) FROM 15)::uuid) FROM generate_series(0, 15) version
WHERE uuid_extract_version(overlay('c232ab00-9414-01ec-b3c8-9f6bdeced846' PLACING to_hex(version)
	FROM 15)::uuid) IS DISTINCT FROM version;
SELECT array_agg(uuid_extract_version(overlay('c232ab00-9414-41ec-03c8-9f6bdeced846'
	PLACING to_hex(digit) FROM 20)::uuid) ORDER BY digit)
FROM generate_series(0, 15) digit;
SELECT uuid_extract_version('00000000-0000-0000-0000-000000000000'),
	uuid_extract_version('ffffffff-ffff-ffff-ffff-ffffffffffff');

-- The keys are unique, and version 7 keys are in order.
CREATE TEMP TABLE made (n bigserial, v4 uuid UNIQUE DEFAULT uuidv4(),
	v7 uuid UNIQUE DEFAULT uuidv7());
INSERT INTO made SELECT FROM generate_series(1, 10000);
SELECT count(DISTINCT v4) AS v4, count(DISTINCT v7) AS v7 FROM made;
SELECT count(*) AS out_of_order FROM (SELECT v7, lag(v7) OVER (ORDER BY n) AS before FROM made) m
	WHERE v7 <= before;
\echo '-- every bit of version 4 except six is random'
SELECT bit_and(('x' || replace(v4::text, '-', ''))::bit(128)),
	bit_or(('x' || replace(v4::text, '-', ''))::bit(128)) FROM made;

\echo '-- RFC 9562, appendix A and B.1'
SELECT uuid_extract_timestamp('C232AB00-9414-11EC-B3C8-9F6BDECED846')
	= '2022-02-22 14:22:22-05' AS version_1,
	   uuid_extract_timestamp('017F22E2-79B0-7CC3-98C4-DC0C0C07398F')
		= '2022-02-22 14:22:22-05' AS version_7,
	   uuid_extract_timestamp('5df41881-3aed-3515-88a7-2f4a814cf09e') IS NULL AS version_3,
	   uuid_extract_timestamp('2489E9AD-2EE2-8E00-8EC9-32D5F69181C0') IS NULL AS version_8;
SELECT uuid_extract_timestamp('1EC9414C-232A-6B00-B3C8-9F6BDECED846')
	= '2022-02-22 14:22:22-05' AS version_6;
SELECT uuid_extract_timestamp(gen_random_uuid()) IS NULL AS version_4,
	   uuid_extract_timestamp('11111111-1111-1111-1111-111111111111') IS NULL AS other_variant,
	   uuid_extract_timestamp('00000000-0000-7000-8000-000000000000')
		= '1970-01-01 00:00:00+00' AS first,
	   uuid_extract_timestamp('ffffffff-ffff-7fff-bfff-ffffffffffff')
		= '10889-08-02 05:31:50.655+00' AS last,
	   uuid_extract_timestamp('00000000-0000-1000-8000-000000000000')
		= '1582-10-15 00:00:00+00' AS first_1;

\echo '-- the time is the current time'
SELECT uuid_extract_timestamp(uuidv7()) BETWEEN clock_timestamp() - interval '5 s'
	AND clock_timestamp() AS now,
	   uuid_v7_timestamp(uuidv7(), 'rfc9562') BETWEEN clock_timestamp() - interval '5 s'
		AND clock_timestamp() AS read_by_ours,
	   :core_timestamp(uuid_generate_v7('rfc9562')) BETWEEN clock_timestamp() - interval '5 s'
		AND clock_timestamp() AS read_by_core;

\echo '-- a shift works like timestamptz + interval'
SELECT shift,
	abs(extract(epoch FROM uuid_extract_timestamp(uuidv7(shift))
	- (clock_timestamp() + shift))) < 5 AS shifted
FROM unnest(ARRAY['0', '1 us', '-1 day', '1 month', '-1 year', '20 years',
	'30 years 3 months 2 days 04:05:06.789']::interval[]) shift;
\echo '-- (the time is rounded down to 1/4096 ms before the shift, and to the millisecond after it)'
SELECT uuid_extract_timestamp(uuidv7(timestamptz '1970-01-01 00:00:01+00' - clock_timestamp()))
	BETWEEN '1970-01-01 00:00:00.999+00' AND '1970-01-01 00:00:06+00' AS first,
	   uuid_extract_timestamp(uuidv7(timestamptz '2074-07-11 11:41:13+00' - clock_timestamp()))
		BETWEEN '2074-07-11 11:41:12.999+00' AND '2074-07-11 11:41:18+00' AS last;
\echo '-- keys with the same shift are in order'
SELECT shift, count(*) FILTER (WHERE id <= before) AS out_of_order
	FROM (SELECT shift, id, lag(id) OVER (PARTITION BY shift ORDER BY n) AS before FROM
	(SELECT shift, n, uuidv7(shift) AS id FROM unnest('{-7 days,-7 days 1 us}'::interval[]) shift,
		generate_series(1, 20000) n OFFSET 0) made) m GROUP BY shift ORDER BY shift;

-- Rejected shifts
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
FROM (VALUES ('1969', (timestamptz '1969-12-31 23:59:00+00' - clock_timestamp())::text),
	('long ago', '-2000 years'),
			 ('2074', (timestamptz '2074-07-11 11:41:24+00' - clock_timestamp())::text),
			 ('10889', (timestamptz '10889-08-02 05:31:51+00' - clock_timestamp())::text),
				('too late', '100000 years'),
			 ('too late for timestamptz', '400000 years')) v(what, shift);
\echo '-- PostgreSQL 17 and later have infinite intervals'
SELECT shift, CASE WHEN :'has_infinite_intervals' THEN pg_temp.error_of(shift) =
	'22008 interval out of range for UUID version 7 '
		'UUID version 7 does not support infinite intervals.'
	ELSE true END AS is_refused
FROM unnest(ARRAY['infinity', '-infinity']) shift;
SELECT uuidv7(NULL) IS NULL, uuid_extract_timestamp(NULL) IS NULL,
	uuid_extract_version(NULL) IS NULL;
RESET search_path;
DROP SCHEMA ours CASCADE;
