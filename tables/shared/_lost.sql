-- What is in definitions of before, triples of object, property and value, and not in those after,
-- a line for each object, in words.
CREATE FUNCTION uuidnew_tables._lost(before jsonb, after jsonb)
RETURNS SETOF text
LANGUAGE sql IMMUTABLE
BEGIN ATOMIC
	SELECT CASE WHEN after @> jsonb_build_array(jsonb_build_array(lost ->> 0))
		THEN format('%s would lose its %s', lost ->> 0,
			string_agg(DISTINCT coalesce(words ->> property, property), ', its '))
		ELSE format('%s would be lost', lost ->> 0) END
	FROM jsonb_array_elements(before) losses(lost)
	CROSS JOIN regexp_replace(lost ->> 1, '^(att|rel|con|ind)(is)?', '') property
	CROSS JOIN CAST('{"acl": "privileges", "stattarget": "statistics target", "hasdef": "default",
		"statistics": "statistics target", "replident": "replica identity", "notnull": "NOT NULL",
		"generated": "generation expression", "clustered": "CLUSTER mark",
		"rowsecurity": "row-level security", "forcerowsecurity": "forced row-level security",
		"labels": "security labels", "validated": "validity"}' AS jsonb) words
	WHERE lost NOT IN (SELECT jsonb_array_elements(after))
	GROUP BY lost ->> 0;
END;
