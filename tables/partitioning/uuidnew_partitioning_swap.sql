-- The statements of the swap, one after the other: the table is renamed …_first, and becomes the
-- first partition of a new one of its name, which gets all that it has, in the same words.  They
-- read no row.
CREATE FUNCTION uuidnew_partitioning_swap(tab regclass)
RETURNS text[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	places jsonb;
	create_parent text;
	statements text[];
BEGIN
	SELECT jsonb_build_object('table', tab, 'first', quote_ident(first), 'old',
		format('%I.%I', nspname, first),
		'schema', quote_ident(nspname), 'name', quote_ident(relname), 'owner', relowner::regrole,
			'key', quote_ident(attname),
		'border', (regexp_match(pg_get_constraintdef(c.oid), '''[-0-9a-f]{36}'''))[1])
	INTO places
	FROM pg_class t
		JOIN pg_namespace n ON n.oid = relnamespace
		JOIN pg_constraint c ON conrelid = t.oid AND conname = 'uuid_partitioning' AND convalidated
		JOIN pg_attribute ON attrelid = t.oid AND attnum = conkey[1]
		CROSS JOIN concat(left(relname, 57 - octet_length(relname) + length(relname)),
			'_first') first
	WHERE t.oid = tab AND NOT EXISTS (
		SELECT FROM pg_constraint u
		WHERE conrelid = tab AND contype IN ('c', 'f', 'n') AND NOT convalidated
			AND to_jsonb(u) ->> 'conenforced' IS DISTINCT FROM 'false');
	IF places IS NULL THEN
		RAISE object_not_in_prerequisite_state
			USING MESSAGE = 'run the steps of phase prepare before';
	END IF;
	EXECUTE format('SELECT %s.uuidnew_fill($1, $2)', own) INTO create_parent USING $sql$
		ALTER TABLE {table} RENAME TO {first};
		CREATE TABLE {schema}.{name} (LIKE {old} INCLUDING DEFAULTS INCLUDING CONSTRAINTS
			INCLUDING GENERATED INCLUDING STORAGE INCLUDING COMPRESSION) PARTITION BY RANGE ({key});
		ALTER TABLE {table} DROP CONSTRAINT uuid_partitioning;
		ALTER TABLE {table} OWNER TO {owner}
		$sql$, places;
	EXECUTE format($query$
		WITH reference AS (SELECT * FROM %1$s.uuidnew_partitioning_references($1, NULL, $2))
		SELECT ARRAY(SELECT drop_it FROM reference)
			|| ARRAY(
				SELECT format('DROP TRIGGER %%I ON %%s', tgname, $1)
				FROM pg_trigger
				WHERE tgrelid = $1 AND NOT tgisinternal)
			|| ARRAY(
				SELECT format('ALTER INDEX %%s RENAME TO %%I', indexrelid::regclass,
					CASE WHEN octet_length(relname::text) > 57 THEN md5(relname) ELSE relname END
						|| '_first')
				FROM pg_index JOIN pg_class ON oid = indexrelid
				WHERE indrelid = $1 AND indisvalid)
			|| $3
			|| ARRAY(
				SELECT statement
				FROM %1$s.uuidnew_constraints($1) WITH ORDINALITY
				WHERE kind IN ('key', 'setting', 'foreign')
				ORDER BY ordinality)
			|| %1$s.uuidnew_partitioning_moves($1, $2)
			|| ARRAY(SELECT statement FROM %1$s.uuidnew_belongings($1))
			|| format('ALTER TABLE %%s ATTACH PARTITION %%s FOR VALUES FROM (MINVALUE) TO (%%s)',
				$1, $2, $4)
			|| ARRAY(SELECT unnest(add_it) FROM reference)
		$query$, own)
	INTO statements USING tab, places ->> 'old', create_parent, places ->> 'border';
	RETURN statements;
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_swap(regclass) IS
'statements of the swap; for uuid_partitioning_steps';
