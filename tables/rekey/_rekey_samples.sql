-- Copies a row of each table, and the rows to which these refer, into empty copies without foreign
-- keys, of the same names in pg_temp. Rows whose referred rows are too many are left out.
CREATE FUNCTION uuidnew_tables._rekey_samples(tables regclass[])
RETURNS void
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	tab regclass;
	key record;
	wanted text;
	added bigint;
	found bigint;
	fetching boolean := true;	-- or deleting
BEGIN
	FOREACH tab IN ARRAY tables LOOP
		PERFORM uuidnew_tables._rekey_sample(tab, 'true'::text);
	END LOOP;
	FOR turn IN 1 .. 30 LOOP
		found := 0;
		FOR key IN
			SELECT confrelid::regclass AS parent,
				uuidnew_tables._rekey_copy(conrelid::regclass) AS child,
				uuidnew_tables._rekey_copy(confrelid::regclass) AS copy,
				string_agg(format('format(''%%I = %%L'', %L, c.%I)', p.attname, o.attname),
					' || '' AND '' || ') AS one,
				string_agg(format('p.%I::text COLLATE "C" = c.%I::text', p.attname,
					o.attname), ' AND ') AS same,
				string_agg(format('c.%I IS NOT NULL', o.attname), ' AND ') AS refers
			FROM pg_constraint
			CROSS JOIN LATERAL unnest(conkey, confkey) columns(of_child, of_parent)
			JOIN pg_attribute o ON o.attrelid = conrelid AND o.attnum = of_child
			JOIN pg_attribute p ON p.attrelid = confrelid AND p.attnum = of_parent
			WHERE contype = 'f' AND conrelid = ANY (tables) AND confrelid = ANY (tables)
			GROUP BY pg_constraint.oid
		LOOP
			IF fetching THEN
				EXECUTE format('SELECT string_agg(%s, '' OR '') FROM %s c WHERE %s', key.one,
					key.child, key.refers) INTO wanted;
				added := uuidnew_tables._rekey_sample(key.parent, wanted);
			ELSE
				EXECUTE format('DELETE FROM %s c WHERE %s AND NOT EXISTS ('
					'SELECT FROM %s p WHERE %s)', key.child, key.refers, key.copy, key.same);
				GET DIAGNOSTICS added = ROW_COUNT;
			END IF;
			found := found + added;
		END LOOP;
		EXIT WHEN found = 0 AND NOT fetching;
		fetching := fetching AND found > 0 AND turn < 10;
	END LOOP;
END
$$;

-- Copies rows of a table of which a condition is true, one at most if that is true of all. Returns
-- how many the copy has not had.
CREATE FUNCTION uuidnew_tables._rekey_sample(tab regclass, condition text)
RETURNS bigint
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	added bigint;
BEGIN
	EXECUTE format('INSERT INTO %1$s (%2$s) OVERRIDING SYSTEM VALUE SELECT %2$s '
		'FROM ONLY %3$s uuidnew_row WHERE (%4$s) AND uuidnew_row::text NOT IN ('
		'SELECT uuidnew_row::text FROM %1$s uuidnew_row) %5$s', uuidnew_tables._rekey_copy(tab),
		uuidnew_tables._rekey_written_columns(tab), tab, coalesce(condition, 'false'),
		CASE condition WHEN 'true' THEN 'LIMIT 1' END);
	GET DIAGNOSTICS added = ROW_COUNT;
	RETURN added;
EXCEPTION
	WHEN unique_violation THEN	-- another transaction has changed a row in between
		RETURN 0;
END
$$;
