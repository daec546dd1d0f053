-- The foreign keys that refer to a partitioned table: statements that drop one, add it again
-- without a look at rows, and validate it (NULL if it was not); and why that cannot be done
-- (obstacle).
--
-- What refers to the default partition itself, or to a table that this one is a partition of,
-- would take its rows for deleted when they move. Reads the catalogs only.
CREATE FUNCTION uuidnew_foreign_keys(parent regclass, rest regclass)
RETURNS TABLE (child regclass, drop_it text, add_it text, validate_it text, obstacle text)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	fill CONSTANT text := format('SELECT %s.uuidnew_fill($1, $2)', @own@);
	can_add CONSTANT boolean := current_setting('server_version_num')::int >= 180000;
	reference record;
	places jsonb;
BEGIN
	FOR reference IN
		SELECT keys.*, relkind,
			keys.confrelid = parent AND keys.conparentid = 0 AS is_own,
			obj_description(keys.oid, 'pg_constraint') AS comment
		FROM pg_constraint keys
		JOIN pg_class ON pg_class.oid = keys.conrelid
		LEFT JOIN pg_constraint above ON above.oid = keys.conparentid
		WHERE keys.contype = 'f' AND (
			keys.confrelid = parent AND above.confrelid IS DISTINCT FROM parent
			OR keys.confrelid IN (SELECT relid FROM pg_partition_tree(rest))
				AND keys.conparentid = 0)
		ORDER BY keys.oid
	LOOP
		child := reference.conrelid;
		obstacle := CASE
			WHEN NOT reference.is_own THEN format(
				'a foreign key of table %s refers to another table of the partition tree', child)
			WHEN reference.relkind = 'p' AND NOT can_add THEN format(
				'the foreign key of partitioned table %s cannot be added again NOT VALID '
				'before PostgreSQL 18', child) END;
		places := jsonb_build_object(
			'child', child,
			'name', quote_ident(reference.conname),
			'definition', pg_get_constraintdef(reference.oid),
			'not_valid', CASE WHEN reference.convalidated THEN 'NOT VALID' END,
			'comment', quote_nullable(reference.comment));
		EXECUTE fill INTO drop_it USING 'ALTER TABLE {child} DROP CONSTRAINT {name}', places;
		EXECUTE fill INTO add_it USING $sql$
			ALTER TABLE {child} ADD CONSTRAINT {name} {definition} {not_valid};
			COMMENT ON CONSTRAINT {name} ON {child} IS {comment}
			$sql$, places;
		validate_it := NULL;
		IF reference.convalidated THEN
			EXECUTE fill INTO validate_it
			USING 'ALTER TABLE {child} VALIDATE CONSTRAINT {name}', places;
		END IF;
		RETURN NEXT;
	END LOOP;
END
$$;
COMMENT ON FUNCTION uuidnew_foreign_keys(regclass, regclass) IS
'foreign keys that refer to a partitioned table; for uuid_create_partitions';
