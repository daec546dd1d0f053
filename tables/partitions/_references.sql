-- How many rows of another table refer to keys of a range, in words; NULL if none does. The first
-- table that has such rows, be it a child of this one or of one that this is a partition of.
--
-- ACCESS SHARE on these tables, where the keys are counted by index.
CREATE FUNCTION uuidnew_tables._references(parent regclass, key name, lower uuid, upper uuid)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	child regclass;
	col name;
	referring bigint;
BEGIN
	FOR child, col IN
		SELECT conrelid, of_child.attname
		FROM pg_constraint
		JOIN pg_attribute of_parent ON of_parent.attrelid = confrelid AND of_parent.attname = key
		JOIN pg_attribute of_child ON of_child.attrelid = conrelid
			AND of_child.attnum = conkey[array_position(confkey, of_parent.attnum)]
		WHERE confrelid = parent AND contype = 'f'
		ORDER BY conrelid::regclass::text
	LOOP
		EXECUTE format('SELECT count(*) FROM %s WHERE %I >= $1 AND %I < $2', child, col, col)
			INTO referring USING lower, upper;
		IF referring > 0 THEN
			RETURN format('%s of %s %s to it',
				uuidnew_tables._counted(referring, 'row'::text), child,
				CASE referring WHEN 1 THEN 'refers' ELSE 'refer' END);
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
