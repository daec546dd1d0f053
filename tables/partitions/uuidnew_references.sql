-- How many rows of another table refer to keys of a range, in words; NULL if none does. The first
-- table that has such rows, be it a child of this one or of one that this is a partition of.
--
-- ACCESS SHARE on these tables, where the keys are counted by index, with the caller's snapshot.
CREATE FUNCTION uuidnew_references(parent regclass, key name, lower uuid, upper uuid)
RETURNS text
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	reference record;
	referring bigint;
BEGIN
	FOR reference IN
		SELECT keys.conrelid::regclass AS child,
			concat_ws(' AND ',
				format('%I >= %L', child_column.attname, coalesce(lower,
					'00000000-0000-0000-0000-000000000000')),
				format('%I < %L', child_column.attname, upper),
				-- with a NULL beside it a key refers to nothing
				(SELECT string_agg(format('%I IS NOT NULL', attname), ' AND ')
				FROM pg_attribute
				WHERE attrelid = keys.conrelid AND attnum = ANY (keys.conkey))) AS condition
		FROM pg_constraint keys
		LEFT JOIN pg_constraint above ON above.oid = keys.conparentid
		JOIN pg_attribute key_column ON key_column.attrelid = parent AND key_column.attname = key
		JOIN pg_attribute child_column ON child_column.attrelid = keys.conrelid
			AND child_column.attnum = keys.conkey[array_position(keys.confkey, key_column.attnum)]
		WHERE keys.confrelid = parent
			AND keys.contype = 'f'
			AND above.confrelid IS DISTINCT FROM parent
		ORDER BY keys.conrelid::regclass::text, keys.oid
	LOOP
		EXECUTE format('SELECT count(*) FROM %s WHERE %s', reference.child, reference.condition)
			INTO referring;
		IF referring > 0 THEN
			RETURN format('%s rows of %s refer to it', referring, reference.child);
		END IF;
	END LOOP;
	RETURN NULL;
END
$$;
COMMENT ON FUNCTION uuidnew_references(regclass, name, uuid, uuid) IS
'how many rows refer to keys of a range; for uuid_drop_partitions';
