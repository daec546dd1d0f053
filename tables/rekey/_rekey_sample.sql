-- Copies a row of a table of which a condition is true, and the rows to which it refers, unless the
-- copies have them. P0002 if no row is found, or if a chain of references is longer than depth.
CREATE FUNCTION uuidnew_tables._rekey_sample(root regclass, tab regclass, condition text, depth int)
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	sample record;
	parent record;
BEGIN
	EXECUTE (
		SELECT format('WITH one AS (SELECT * FROM ONLY %s WHERE %s LIMIT %s), added AS ('
			'INSERT INTO %s (%5$s) OVERRIDING SYSTEM VALUE SELECT %5$s FROM one '
				'WHERE one::text NOT IN (SELECT c::text FROM %4$s c) RETURNING 1) '
			'SELECT to_jsonb(one) AS values, EXISTS (SELECT FROM added) AS is_new FROM one',
			c.tab, condition, sign(depth), copy, written)
		FROM uuidnew_tables._rekey_columns(root) c
		WHERE c.tab = _rekey_sample.tab
		LIMIT 1)
	INTO STRICT sample;
	FOR parent IN
		SELECT confrelid::regclass AS tab, string_agg(format('%I = %L', p.attname,
			sample.values ->> c.attname), ' AND ') AS condition
		FROM pg_constraint
		CROSS JOIN LATERAL unnest(conkey, confkey) columns(of_child, of_parent)
		JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = of_child
		JOIN pg_attribute p ON p.attrelid = confrelid AND p.attnum = of_parent
		WHERE sample.is_new AND contype = 'f' AND conrelid = _rekey_sample.tab
			AND confrelid IN (SELECT k.tab FROM uuidnew_tables._rekey_columns(root) k)
		GROUP BY pg_constraint.oid
		HAVING bool_and(sample.values ->> c.attname IS NOT NULL)
	LOOP
		PERFORM uuidnew_tables._rekey_sample(root, parent.tab, parent.condition, depth - 1);
	END LOOP;
END
$$;
