-- Creates one partition, as PARTITION OF would, and moves rows of its range out of the default
-- partition (moving), after ATTACH, so that publications carry them. ACCESS EXCLUSIVE on the
-- default partition, which is read; on the table, SHARE UPDATE EXCLUSIVE, or ACCESS EXCLUSIVE to
-- move rows; SHARE ROW EXCLUSIVE on tables that foreign keys join with it.
CREATE FUNCTION uuidnew_tables._add_partition(parent regclass, key name, rest regclass, lower uuid,
	upper uuid, suffix text, moving boolean, period text)
RETURNS text
LANGUAGE plpgsql
AS $$
DECLARE
	locks CONSTANT record := uuidnew_tables._locks(parent, rest, 'SHARE ROW EXCLUSIVE'::text,
		CASE WHEN moving THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE UPDATE EXCLUSIVE' END);
	columns text;
	partition regclass;
	moved text;
BEGIN
	CALL uuidnew_tables._briefly(locks.tables, locks.statements);
	PERFORM uuidnew_tables._refuse('its rows cannot be moved'::text, ARRAY(
		SELECT uuidnew_tables._referring(parent, rest)
		UNION ALL
		SELECT format('trigger %I of table %s is disabled, ALWAYS or REPLICA: enable or drop it',
			tgname, tgrelid::regclass)
		FROM pg_trigger
		WHERE tgenabled <> 'O' AND NOT tgisinternal
			AND tgrelid IN (SELECT parent UNION SELECT relid FROM pg_partition_tree(rest))
		ORDER BY 1 LIMIT 1))
	WHERE moving;
	partition := uuidnew_tables._create_like(parent, suffix,
		'EXCLUDING COMMENTS EXCLUDING IDENTITY EXCLUDING INDEXES'::text, ''::text);
	EXECUTE concat(string_agg(format('ALTER TABLE %s REPLICA IDENTITY %s', partition,
			CASE relreplident WHEN 'n' THEN 'NOTHING' ELSE 'FULL' END), ''))
	FROM pg_class
	WHERE oid = parent AND relreplident <> 'd';
	IF moving THEN
		SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) INTO columns
		FROM pg_attribute
		WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '';
		EXECUTE format('ALTER TABLE %1$s DISABLE TRIGGER USER; '
			'CREATE TEMPORARY TABLE uuidnew_late ON COMMIT DROP AS WITH late AS ('
				'DELETE FROM %1$s WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING %5$s) '
			'SELECT * FROM late; ALTER TABLE %1$s ENABLE TRIGGER USER', rest, key, lower, upper,
			columns);
	END IF;
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent,
		partition, lower, upper);
	IF moving THEN
		SET CONSTRAINTS ALL IMMEDIATE;
		EXECUTE format('ALTER TABLE %1$s DISABLE TRIGGER USER; INSERT INTO %1$s (%2$s) '
			'OVERRIDING SYSTEM VALUE TABLE pg_temp.uuidnew_late; '
			'ALTER TABLE %1$s ENABLE TRIGGER USER', partition, columns);
		SELECT format(', with %s from the default partition',
			uuidnew_tables._counted(count(*), 'row'::text)) INTO moved FROM pg_temp.uuidnew_late;
		EXECUTE format('DROP TABLE pg_temp.uuidnew_late; ANALYZE %s', partition);
	END IF;
	RETURN format('%s: %s%s', partition, period, moved);
EXCEPTION
	WHEN invalid_object_definition THEN
		PERFORM FROM uuidnew_tables._partition_bounds(parent) b
		WHERE b.lower < _add_partition.upper AND b.upper > _add_partition.lower;
		IF NOT FOUND THEN
			RAISE;
		END IF;
		RETURN NULL;	-- another session has just created it
END
$$;
