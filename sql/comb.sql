--
-- COMB GUIDs in their variants, and Laravel's ordered UUIDs.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET jit = off;

-- milliseconds, an interval multiplied in whole days and the rest, to stay exact
CREATE FUNCTION unix_ms(ms bigint) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
$$ SELECT timestamptz '1970-01-01 00:00:00+00' + (ms / 86400000)::int * interval '1 day' + ms % 86400000 * interval '1 ms' $$;
CREATE FUNCTION hex(n bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(to_hex(n), digits, '0') $$;
CREATE FUNCTION error_code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

-- The same 10,000 in each variant: a day from 1970 to 2079, 1/300 s of it and the
-- last 80 bits.  RT.Comb puts the time in other octets, and .NET's first two
-- groups are in reverse for Oracle.
CREATE TEMP TABLE times AS
SELECT i, day, tick, (day - 25567) * 86400000 + tick * 10 / 3 AS ms, '4' || substr(h, 2, 3) || substr('89ab', 1 + i % 4, 1) || substr(h, 6, 15) AS r
FROM (SELECT i, h, CASE i % 100 WHEN 0 THEN 25567 WHEN 1 THEN 65535 ELSE 25567 + ('x' || substr(h, 21, 8))::bit(32)::bigint % 39969 END AS day,
			 CASE i / 100 % 100 WHEN 0 THEN 0 WHEN 1 THEN 25919999 WHEN 2 THEN i % 100
				 ELSE ('x' || substr(h, 25, 8))::bit(32)::bigint % 25920000 END AS tick
	  FROM (SELECT i, md5(i || 'comb') AS h FROM generate_series(0, 2999) i) m) d;
CREATE TEMP TABLE combs AS
SELECT i, ms, variant, replace(id, ' ', '')::uuid AS id
FROM (SELECT *, hex(ms, 12) AS t, substr(r, 1, 8) AS middle, substr(r, 9, 12) AS node FROM times) t,
	LATERAL (VALUES ('postgresql', concat(t, middle, node)),
					('sql',        concat(node, middle, t)),
					('legacy',     concat(node, middle, hex(day, 4), hex(tick, 8))),
					('oracle',     concat(substr(t, 7, 2), substr(t, 5, 2), substr(t, 3, 2), substr(t, 1, 2), substr(t, 11, 2), substr(t, 9, 2), middle, node))
	) v(variant, id);
ANALYZE combs;
SELECT variant, count(DISTINCT id), min(ms), max(ms) FROM combs GROUP BY 1 ORDER BY 1;

\echo '-- the time, also where no variant is said'
SELECT i, variant, id, comb_timestamp(id, variant) FROM combs WHERE comb_timestamp(id, variant) IS DISTINCT FROM unix_ms(ms) LIMIT 5;
SELECT i, id FROM combs WHERE variant = 'postgresql' AND (comb_timestamp(id), comb_to_uuid(id), uuid_to_comb(comb_to_uuid(id)))
	IS DISTINCT FROM (unix_ms(ms), comb_to_uuid(id, variant), id) LIMIT 5;

\echo '-- each as each'
SELECT f.variant, t.variant, count(*), count(*) FILTER (WHERE comb_convert(f.id, f.variant, t.variant) = t.id) AS right
FROM combs f JOIN combs t USING (i) GROUP BY 1, 2 ORDER BY 1, 2;

\echo '-- as version 8 in the order of time, and back'
SELECT i, c.variant, c.id, comb_to_uuid(c.id, c.variant) FROM combs c JOIN combs p USING (i)
WHERE p.variant = 'postgresql' AND comb_to_uuid(c.id, c.variant) IS DISTINCT FROM overlay(p.id::text PLACING '8' FROM 15 FOR 1)::uuid LIMIT 5;
SELECT i, variant, id FROM combs WHERE uuid_to_comb(comb_to_uuid(id, variant), variant) IS DISTINCT FROM id LIMIT 5;
SELECT variant, count(*) FROM
	(SELECT variant, ms, lag(ms) OVER (PARTITION BY variant ORDER BY comb_to_uuid(id, variant)) AS lag FROM combs) o
WHERE ms < lag GROUP BY 1;
SELECT i, id FROM combs WHERE uuid_v8_timestamp(comb_to_uuid(id, variant), 'unix48') IS DISTINCT FROM unix_ms(ms) LIMIT 5;

\echo '-- other versions and variants have no time, and do not become one'
SELECT id, variant, comb_timestamp(id, variant) FROM
	(SELECT overlay(overlay('018e5f3b-ff47-07cc-05ba-919001862cc4' PLACING to_hex(v) FROM 15 FOR 1) PLACING to_hex(n) FROM 20 FOR 1)::uuid AS id,
			v, n, n BETWEEN 8 AND 11 AS rfc, variant
	 FROM generate_series(0, 15) v, generate_series(0, 15) n, unnest(ARRAY['postgresql', 'sql', 'legacy', 'oracle']) variant) u
WHERE (comb_timestamp(id, variant) IS NOT NULL) <> (v = 4 AND rfc)
   OR error_code(format('SELECT comb_convert(%L, %L, %2$L)', id, variant)) <> CASE WHEN v = 4 AND rfc THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT comb_to_uuid(%L, %L)', id, variant)) <> CASE WHEN v = 4 AND rfc THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT uuid_to_comb(%L, %L)', id, variant)) <> CASE WHEN v = 8 AND rfc THEN 'no error' ELSE '22023' END
ORDER BY 1, 2 LIMIT 5;

\echo '-- SQL Server''s datetime: what it has before 1970, and no time of a day'
SELECT id, comb_timestamp(id, 'legacy'), error_code(format('SELECT comb_convert(%L, ''legacy'', ''legacy'')', id)) AS same,
	   error_code(format('SELECT comb_convert(%L, ''legacy'', ''sql'')', id)) AS to_ms
FROM unnest(ARRAY['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-63de018b81ff',
	'00000000-0000-4000-8000-63df00000000', '00000000-0000-4000-8000-ffff018b81ff', '00000000-0000-4000-8000-ffff018b8200',
	'00000000-0000-4000-8000-7fffffffffff']::uuid[]) id;

\echo '-- and of milliseconds those that 1/300 s come to'
SELECT ms, error_code(format('SELECT comb_convert(%L, ''postgresql'', ''legacy'')', hex(ms, 12) || '40008000000000000000'))
FROM unnest(ARRAY[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 86399996, 86399997, 86400000, 3453321599996, 3453321600000, 281474976710655]::bigint[]) ms;

--
-- Ordered UUIDs: 48 bits of 10 microseconds
--
CREATE TEMP TABLE ordered AS
SELECT i, ticks, (hex(ticks, 12) || '4' || substr(h, 2, 3) || substr('89ab', 1 + i % 4, 1) || substr(h, 6, 15))::uuid AS id
FROM (SELECT i, md5(i || 'ordered') AS h,
			 CASE i % 100 WHEN 0 THEN i / 100 WHEN 1 THEN 281474976710655 - i / 100 ELSE ('x' || left(md5(i || 'ticks'), 12))::bit(48)::bigint END AS ticks
	  FROM generate_series(0, 2999) i) t;
SELECT i, id, ordered_uuid_timestamp(id) FROM ordered
WHERE extract(epoch FROM ordered_uuid_timestamp(id)) * 100000 <> ticks
   OR ordered_uuid_timestamp(ordered_uuid_to_uuid(id)) IS DISTINCT FROM ordered_uuid_timestamp(id)
   OR ordered_uuid_to_uuid(id) IS DISTINCT FROM overlay(id::text PLACING '8' FROM 15 FOR 1)::uuid
   OR uuid_to_ordered_uuid(ordered_uuid_to_uuid(id)) IS DISTINCT FROM id LIMIT 5;
SELECT count(*) FROM (SELECT ticks, lag(ticks) OVER (ORDER BY ordered_uuid_to_uuid(id)) AS lag FROM ordered) o WHERE ticks < lag;

SELECT version, n FROM generate_series(0, 15) version, generate_series(0, 15) n,
	LATERAL (SELECT overlay(overlay('9009ebcc-cd99-0b5f-00cf-9155607d2de9' PLACING to_hex(version) FROM 15 FOR 1)
							PLACING to_hex(n) FROM 20 FOR 1)::uuid AS id) u
WHERE (ordered_uuid_timestamp(id) IS NOT NULL) <> (version IN (4, 8) AND n BETWEEN 8 AND 11)
   OR error_code(format('SELECT ordered_uuid_to_uuid(%L)', id)) <> CASE WHEN version = 4 AND n BETWEEN 8 AND 11 THEN 'no error' ELSE '22023' END
   OR error_code(format('SELECT uuid_to_ordered_uuid(%L)', id)) <> CASE WHEN version = 8 AND n BETWEEN 8 AND 11 THEN 'no error' ELSE '22023' END;

DROP FUNCTION unix_ms, hex(bigint, int), error_code;
