-- What keys a column of UUIDs, or of their text, has by its statistics, as far as the caller may
-- see them: a list such as 'rfc9562 98 %, version 4 2 %', and whether both layouts of version 7
-- are among them. are_uuids is NULL without statistics.
CREATE FUNCTION uuidnew_column_keys(tab regclass, col name,
	OUT keys text, OUT has_rfc9562 boolean, OUT has_draft boolean, OUT are_uuids boolean)
LANGUAGE sql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
WITH sample AS (
	SELECT unnest(coalesce(histogram_bounds::text, most_common_vals::text)::text[]) AS value
	FROM (
		SELECT pg_stats.*
		FROM pg_class
		JOIN pg_namespace ON pg_namespace.oid = relnamespace
		JOIN pg_stats ON schemaname = nspname AND tablename = relname
		WHERE pg_class.oid = tab AND attname = col
		ORDER BY inherited DESC
		LIMIT 1) stats
), digits AS (
	SELECT CASE WHEN value ~* '^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$'
		THEN replace(lower(value), '-', '') COLLATE "C" END AS hex
	FROM sample
), kinds AS (
	SELECT CASE
			WHEN substr(hex, 13, 1) <> '7' THEN 'version ' || substr(hex, 13, 1)
			WHEN hex < '03' THEN 'rfc9562'
			ELSE 'draft' END AS kind,
		count(*) AS number,
		sum(count(*)) OVER () AS total
	FROM digits
	WHERE hex IS NOT NULL
	GROUP BY 1
)
SELECT string_agg(format('%s %s %%', kind, round(100.0 * number / total)), ', '
		ORDER BY number DESC),
	coalesce(bool_or(kind = 'rfc9562'), false),
	coalesce(bool_or(kind = 'draft'), false),
	(SELECT bool_and(hex IS NOT NULL) FROM digits)
FROM kinds
$$;
COMMENT ON FUNCTION uuidnew_column_keys(regclass, name) IS
'what keys a column has by its statistics; for uuid_columns';
