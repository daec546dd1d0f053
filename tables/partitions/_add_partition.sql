-- Creates one partition, as PARTITION OF would create it, with the table's replica identity, and
-- moves the rows of its range out of the default partition if asked to: what it has done, in words.
-- Rows are inserted after ATTACH, so that publications carry them. User triggers do not fire.
-- Foreign keys that refer to the table are dropped, and added again without reading rows.
--
-- SHARE UPDATE EXCLUSIVE on the table, ACCESS EXCLUSIVE on the default partition, which is read,
-- SHARE ROW EXCLUSIVE on tables that the table refers to, or that refer to it. To move rows, ACCESS
-- EXCLUSIVE on the table and those that refer to it.
CREATE FUNCTION uuidnew_tables._add_partition(parent regclass, key name, rest regclass, lower uuid,
	upper uuid, suffix text, moving boolean, period text)
RETURNS text
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	columns CONSTANT text := (
		SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum)
		FROM pg_attribute
		WHERE attrelid = parent AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
	partition regclass;
	drop_all text;
	add_all text;
	locks record;
	in_way text;
	moved text;
BEGIN
	-- one session at a time
	CALL uuidnew_tables._briefly('{}'::regclass[],
		ARRAY[format('LOCK TABLE ONLY %s IN SHARE UPDATE EXCLUSIVE MODE', parent)]);
	IF moving THEN
		SELECT min(o) INTO in_way
		FROM uuidnew_tables._fixed_foreign_keys(parent, rest, false) o;
		IF in_way IS NOT NULL THEN
			RAISE object_not_in_prerequisite_state USING MESSAGE = in_way;
		END IF;
		SELECT k.drop_all, k.add_all INTO drop_all, add_all
		FROM uuidnew_tables._renewed_foreign_keys(parent, false) k;
	END IF;
	partition := uuidnew_tables._create_like(parent, suffix,
		'EXCLUDING COMMENTS EXCLUDING IDENTITY EXCLUDING INDEXES'::text, ''::text);
	EXECUTE format('ALTER TABLE %s REPLICA IDENTITY %s', partition,
			CASE relreplident WHEN 'd' THEN 'DEFAULT' WHEN 'n' THEN 'NOTHING' ELSE 'FULL' END)
	FROM pg_class
	WHERE oid = parent;

	SELECT * INTO locks FROM uuidnew_tables._locks(parent, rest, 'SHARE ROW EXCLUSIVE'::text,
		CASE WHEN moving THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE UPDATE EXCLUSIVE' END,
		CASE WHEN moving THEN 'ACCESS EXCLUSIVE' ELSE 'SHARE ROW EXCLUSIVE' END);
	CALL uuidnew_tables._briefly(locks.tables, locks.statements || concat(drop_all));
	IF moving THEN
		CALL uuidnew_tables._without_triggers(rest, format(
			'CREATE TEMPORARY TABLE uuidnew_late ON COMMIT DROP AS WITH late AS ('
				'DELETE FROM %1$s WHERE %2$I >= %3$L AND %2$I < %4$L RETURNING %5$s) '
			'SELECT * FROM late', rest, key, lower, upper, columns));
	END IF;
	EXECUTE format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES FROM (%L) TO (%L)', parent,
		partition, lower, upper);
	IF moving THEN
		SET CONSTRAINTS ALL IMMEDIATE;
		CALL uuidnew_tables._without_triggers(partition, format('INSERT INTO %s (%s) '
			'OVERRIDING SYSTEM VALUE TABLE pg_temp.uuidnew_late', partition, columns));
		SELECT format(', with %s from the default partition',
			uuidnew_tables._counted(count(*), 'row'::text)) INTO moved FROM pg_temp.uuidnew_late;
		EXECUTE format('DROP TABLE pg_temp.uuidnew_late; ANALYZE %s; %s', partition, add_all);
	END IF;
	RETURN format('%s: %s%s', partition, period, moved);
END
$$;
