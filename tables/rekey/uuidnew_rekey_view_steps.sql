-- What becomes of views upon the key and what refers to it: they follow columns, not names, and so
-- are made again, each after those that it reads.  The statements, by rank and turn.
CREATE FUNCTION uuidnew_rekey_view_steps(root regclass)
RETURNS TABLE (rank int, turn bigint, tabs regclass[], statement text, why text, done boolean)
LANGUAGE plpgsql VOLATILE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
	RETURN QUERY EXECUTE replace($query$
	WITH RECURSIVE upon(oid, num, depth) AS (
		SELECT tab::oid, num::int, 0
		FROM OWN.uuidnew_rekey_columns($1)
		UNION
		SELECT rule.ev_class, NULL, upon.depth + 1
		FROM upon
			JOIN pg_depend ON refclassid = 'pg_class'::regclass AND refobjid = upon.oid
				AND refobjsubid = coalesce(upon.num, refobjsubid)
					AND classid = 'pg_rewrite'::regclass
			JOIN pg_rewrite rule ON rule.oid = objid AND rule.ev_class <> upon.oid
	), views AS (
		SELECT max(upon.depth)::bigint AS depth, jsonb_build_object(
			'view', format('%I.%I', CASE n.oid WHEN pg_my_temp_schema() THEN 'pg_temp'
				ELSE n.nspname END,
				c.relname),
			'owner', c.relowner::regrole, 'query', pg_get_viewdef(c.oid),
			'options', ' WITH (' || array_to_string(c.reloptions, ', ') || ')',
			'belongings', (SELECT string_agg(format(E';\n%s', statement), '')
				FROM OWN.uuidnew_belongings(c.oid))) AS places
		FROM upon
			JOIN pg_class c ON c.oid = upon.oid
			JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE upon.depth > 0
		GROUP BY c.oid, n.oid
	)
	SELECT s.rank, s.sign * v.depth, NULL::regclass[], OWN.uuidnew_fill(s.template, v.places), NULL,
		false
	FROM views v
	CROSS JOIN (VALUES
		(200, -1, 'DROP VIEW {view}'),
		(290, 1, E'CREATE VIEW {view}{options} AS\n{query}\n'
			'ALTER VIEW {view} OWNER TO {owner}{belongings}')
	) s(rank, sign, template)
	$query$, 'OWN.', @own@ || '.') USING root;
END
$$;
COMMENT ON FUNCTION uuidnew_rekey_view_steps IS 'what becomes of views; for uuid_rekey_steps';
