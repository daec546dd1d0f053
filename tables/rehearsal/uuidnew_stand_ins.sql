-- Empty temporary tables that stand in for those that foreign keys of the given tables refer to,
-- with the columns that are referred to.  Gives the names of what they stand for (tables, and
-- indexes of keys), with theirs.
CREATE FUNCTION uuidnew_stand_ins(originals regclass[])
RETURNS jsonb
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	names jsonb := '{}';
	target record;
BEGIN
	FOR target IN
		WITH f AS (
			SELECT DISTINCT confrelid, conindid, confkey
			FROM pg_constraint
			WHERE contype = 'f' AND conparentid = 0 AND conrelid = ANY (originals)
				AND confrelid <> ALL (originals)),
		col AS (
			SELECT DISTINCT confrelid, attnum, quote_ident(attname) AS name,
				format('%I %s%s', attname,
				format_type(atttypid, atttypmod), ' COLLATE '
					|| nullif(attcollation, 0)::regcollation) AS definition
			FROM f JOIN pg_attribute ON attrelid = confrelid AND attnum = ANY (confkey))
		SELECT confrelid, string_agg(definition, ', ') AS columns,
			(SELECT string_agg(format(', CONSTRAINT uuidnew_%s UNIQUE (%s)', conindid,
				(SELECT string_agg(name, ', ' ORDER BY array_position(confkey, attnum)) FROM col
				WHERE col.confrelid = f.confrelid AND attnum = ANY (confkey))), '')
			FROM f
			WHERE f.confrelid = col.confrelid) AS keys,
			(SELECT jsonb_object_agg(format('%I.%I', nspname, relname),
				format('pg_temp.uuidnew_%s', c.oid))
			FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
			WHERE c.oid = confrelid OR c.oid IN (SELECT conindid FROM f
				WHERE f.confrelid = col.confrelid)) AS names
		FROM col
		GROUP BY confrelid
	LOOP
		EXECUTE format('CREATE TABLE pg_temp.uuidnew_%s (%s%s)', target.confrelid, target.columns,
			target.keys);
		names := names || target.names;
	END LOOP;
	RETURN names;
END
$$;
COMMENT ON FUNCTION uuidnew_stand_ins(regclass[]) IS
'stands for tables that foreign keys refer to; for uuidnew_copy_tables';
