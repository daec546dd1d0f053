-- The statements of the way back, one after the other: the first partition becomes the table again,
-- with what the partitioned one has by then.  Refused if there are rows in other partitions.
CREATE FUNCTION uuidnew_partitioning_undo(tab regclass, first regclass)
RETURNS text[]
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	places jsonb;
	exchange text;
	statements text[];
BEGIN
	SELECT jsonb_build_object('own', own, 'table', tab, 'first', first, 'literal',
		quote_literal(tab),
		'name', quote_ident(relname), 'parent', format('%I.uuid_partitioning', nspname), 'owner',
			relowner::regrole)
	INTO places
	FROM pg_class t JOIN pg_namespace n ON n.oid = relnamespace
	WHERE t.oid = tab;
	EXECUTE format('SELECT %s.uuidnew_fill($1, $2)', own) INTO exchange USING $sql$
		ALTER TABLE {table} DETACH PARTITION {first};
		SELECT {own}.uuidnew_partitioning_empty({literal});
		ALTER TABLE {table} RENAME TO uuid_partitioning;
		ALTER TABLE {first} RENAME TO {name};
		ALTER TABLE {table} OWNER TO {owner}
		$sql$, places;
	EXECUTE format($query$
		WITH reference AS (SELECT * FROM %1$s.uuidnew_partitioning_references($1, $2, $1::text))
		SELECT ARRAY(SELECT drop_it FROM reference)
			|| ARRAY(SELECT format('DROP POLICY %%I ON %%s', polname, $2) FROM pg_policy
				WHERE polrelid = $2)
			|| ARRAY(
				SELECT DISTINCT format('REVOKE ALL ON %%s FROM %%s CASCADE', $2,
					coalesce(nullif(grantee, 0)::regrole::text, 'PUBLIC'))
				FROM (
					SELECT relacl, relowner FROM pg_class WHERE oid = $2
					UNION ALL
					SELECT attacl, NULL FROM pg_attribute WHERE attrelid = $2) a(acl, owner),
						aclexplode(acl)
				WHERE grantee IS DISTINCT FROM owner)	-- who is to create triggers
			|| $3
			|| %1$s.uuidnew_partitioning_moves($1, $4)
			|| format('DROP TABLE %%s', $4)
			|| ARRAY(
				SELECT format('ALTER INDEX %%s RENAME TO %%I', indexrelid::regclass, p.relname)
				FROM pg_index
					JOIN pg_inherits ON inhrelid = indexrelid
					JOIN pg_class p ON p.oid = inhparent
				WHERE indrelid = $2)
			|| ARRAY(SELECT statement FROM %1$s.uuidnew_belongings($1))
			|| ARRAY(SELECT unnest(add_it) FROM reference)
		$query$, own)
	INTO statements USING tab, first, exchange, places ->> 'parent';
	RETURN statements;
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_undo(regclass, regclass) IS
'statements of the way back; for uuid_partitioning_steps';
