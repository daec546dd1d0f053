\set ECHO none
--
-- IDs of other systems and their fields, from the systems' own tests and documentation, or
-- computed from their layouts.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/systems.tsv"`
CREATE TEMP TABLE examples AS
SELECT n, f[1] AS system, f[2] AS call, f[3] AS expected FROM vectors_of(:'lines');
SELECT count(DISTINCT system) AS systems, count(*) AS examples FROM examples;
SELECT n, system, call, expected, result_of(call) FROM examples
WHERE result_of(call) IS DISTINCT FROM expected ORDER BY n;

\echo '-- each ID that becomes a UUID comes back; systems_text.sql tests SIDs'
SELECT count(DISTINCT back) AS ids,
	count(*) FILTER (WHERE result_of(back) <> trim(m[2], '''')) AS wrong
FROM examples,
	regexp_matches(call, '(\w+)_(?:timestamp|fields|to_uuid)\((''?[\w-]+''?)(, ''[^'']+'')?\)') m,
	format('uuid_to_%s(%1$s_to_uuid(%s%s)%3$s)', m[1], m[2], m[3]) back
WHERE to_regproc('uuid_to_' || m[1]) IS NOT NULL AND expected <> '22P02' AND system <> 'SID';

\echo '-- one COMB GUID in each variant and as version 8; test/unit tests any COMB GUID'
SELECT variant, id, comb_timestamp(id, variant), comb_to_uuid(id, variant),
	uuid_to_comb(comb_to_uuid(id, variant), variant) = id AS comes_back,
	(SELECT count(*) FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) other
	 WHERE comb_convert(comb_convert(id, variant, other), other, variant) = id) AS by_others
FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) variant,
	comb_convert('018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7', 'postgresql', variant) id;
SELECT comb_timestamp(id) IS NOT NULL AND uuid_to_comb(comb_to_uuid(id)) = id AS by_default
FROM (VALUES (uuid '018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7')) v(id);

\echo '-- ordered UUIDs: 48 bits of 10 microseconds'
SELECT ordered_uuid_timestamp(id), ordered_uuid_to_uuid(id),
	uuid_to_ordered_uuid(ordered_uuid_to_uuid(id)) = id AS comes_back
FROM unnest('{9009ebcc-cd99-4b5f-90cf-9155607d2de9, ffffffff-ffff-4fff-bfff-ffffffffffff}'::uuid[])
	id;
