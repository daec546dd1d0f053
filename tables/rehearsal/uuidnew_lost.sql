-- What one definition has and another has not, in words.  Definitions are jsonb arrays of [object,
-- property, value], as uuidnew_definition gives them.
CREATE FUNCTION uuidnew_lost(before jsonb, after jsonb)
RETURNS SETOF text
LANGUAGE sql IMMUTABLE STRICT
SET search_path = pg_catalog, pg_temp
AS $$
WITH lost AS (
	SELECT row ->> 0 AS object, row ->> 1 AS property, row ->> 2 AS value
	FROM (SELECT jsonb_array_elements(before) EXCEPT SELECT jsonb_array_elements(after)) l(row))
SELECT CASE WHEN bool_or(property = 'depends on') THEN format('%s depends on it', object)
	WHEN object NOT IN (SELECT row ->> 0 FROM jsonb_array_elements(after) a(row))
		THEN format('%s would be lost', object)
	ELSE format('%s would lose %s', object, string_agg(format('%s "%s"', property, value), ', '
		ORDER BY property)) END
FROM lost
GROUP BY object
ORDER BY object COLLATE "C"
$$;
COMMENT ON FUNCTION uuidnew_lost(jsonb, jsonb) IS
'what one definition of a table has and another has not';
