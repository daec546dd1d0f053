--
-- COMB GUIDs in their variants, and Laravel's ordered UUIDs.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET jit = off;

CREATE FUNCTION hex(n bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(to_hex(n), digits, '0') $$;
CREATE FUNCTION error_code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

\echo '-- one in each variant, which each has its time, and as version 8; of any, test/unit'
SELECT variant, id, comb_timestamp(id, variant), comb_to_uuid(id, variant),
	uuid_to_comb(comb_to_uuid(id, variant), variant) = id AS comes_back,
	(SELECT count(*) FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) other
	 WHERE comb_convert(comb_convert(id, variant, other), other, variant) = id) AS by_others
FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) variant,
	comb_convert('018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7', 'postgresql', variant) id;
SELECT comb_timestamp(id), comb_to_uuid(id), uuid_to_comb(comb_to_uuid(id))
FROM (VALUES (uuid '018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7')) v(id);

\echo '-- other versions and variants have no time, and do not become one'
SELECT id, variant, comb_timestamp(id, variant) FROM
	(SELECT overlay(overlay('018e5f3b-ff47-07cc-05ba-919001862cc4' PLACING to_hex(v) FROM 15 FOR 1)
		PLACING to_hex(n) FROM 20 FOR 1)::uuid AS id,
			v, n, n BETWEEN 8 AND 11 AS rfc, variant
	 FROM generate_series(0, 15) v, generate_series(0, 15) n,
		unnest(ARRAY['postgresql', 'sql', 'legacy', 'oracle']) variant) u
WHERE (comb_timestamp(id, variant) IS NOT NULL) <> (v = 4 AND rfc)
   OR error_code(format('SELECT comb_convert(%L, %L, %2$L)', id, variant)) <> CASE WHEN v = 4
	AND rfc THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT comb_to_uuid(%L, %L)', id, variant)) <> CASE WHEN v = 4
	AND rfc THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT uuid_to_comb(%L, %L)', id, variant)) <> CASE WHEN v = 8
	AND rfc THEN 'no error' ELSE '22023' END
ORDER BY 1, 2 LIMIT 5;

\echo '-- SQL Server''s datetime: what it has before 1970, and no time of a day'
SELECT id, comb_timestamp(id, 'legacy'),
	error_code(format('SELECT comb_convert(%L, ''legacy'', ''legacy'')', id)) AS same,
	   error_code(format('SELECT comb_convert(%L, ''legacy'', ''sql'')', id)) AS to_ms
FROM unnest(ARRAY['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-63de018b81ff',
	'00000000-0000-4000-8000-63df00000000', '00000000-0000-4000-8000-ffff018b81ff',
		'00000000-0000-4000-8000-ffff018b8200',
	'00000000-0000-4000-8000-7fffffffffff']::uuid[]) id;

\echo '-- and of milliseconds those that 1/300 s come to'
SELECT ms, error_code(format('SELECT comb_convert(%L, ''postgresql'', ''legacy'')', hex(ms, 12)
	|| '40008000000000000000'))
FROM unnest(ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 86399996, 86399997, 86400000, 3453321599996,
	3453321600000, 281474976710655]::bigint[]) ms;

--
-- Ordered UUIDs: 48 bits of 10 microseconds
--
SELECT ordered_uuid_timestamp(id), ordered_uuid_to_uuid(id),
	uuid_to_ordered_uuid(ordered_uuid_to_uuid(id)) = id AS comes_back
FROM unnest('{9009ebcc-cd99-4b5f-90cf-9155607d2de9, 00000000-0000-4000-8000-000000000000,
	ffffffff-ffff-4fff-bfff-ffffffffffff}'::uuid[]) id;
SELECT version, n FROM generate_series(0, 15) version, generate_series(0, 15) n,
	LATERAL (SELECT overlay(overlay('9009ebcc-cd99-0b5f-00cf-9155607d2de9' PLACING to_hex(version)
		FROM 15 FOR 1)
							PLACING to_hex(n) FROM 20 FOR 1)::uuid AS id) u
WHERE (ordered_uuid_timestamp(id) IS NOT NULL) <> (version IN (4, 8) AND n BETWEEN 8 AND 11)
   OR error_code(format('SELECT ordered_uuid_to_uuid(%L)', id)) <> CASE WHEN version = 4 AND n
	BETWEEN 8 AND 11 THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT uuid_to_ordered_uuid(%L)', id)) <> CASE WHEN version = 8 AND n
	BETWEEN 8 AND 11 THEN 'no error' ELSE '22023' END;

DROP FUNCTION hex(bigint, int), error_code;
