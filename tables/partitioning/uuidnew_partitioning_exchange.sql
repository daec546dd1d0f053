-- The swap: the table becomes the first partition of a new one of its name; or, when it is, the way
-- back, as long as there are no other partitions. Refused if anything would be lost: so, on the way
-- back, if anything has changed since. Reads no row.
--
-- ACCESS EXCLUSIVE on the table, its partition, and what refers to it, SHARE ROW EXCLUSIVE on what
-- it refers to, within half a second in all. REPEATABLE READ, whose snapshot is older, is refused.
CREATE PROCEDURE uuidnew_partitioning_exchange(tab regclass)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	keys_of CONSTANT text := format('SELECT * FROM %s.uuidnew_partitioning_keys($1)', own);
	keys record;
	border record;
	twin regclass;
	found text;
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE active_sql_transaction USING
			MESSAGE = 'tables are partitioned in READ COMMITTED transactions only';
	END IF;
	EXECUTE keys_of INTO keys USING tab;
	EXECUTE format('CALL %s.uuidnew_briefly($1, VARIADIC $2)', own) USING tab || keys.children,
		format('LOCK TABLE %s IN ACCESS EXCLUSIVE MODE', tab) || keys.locks;
	EXECUTE keys_of INTO keys USING tab;
	EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_border($1, NULL, NULL)', own)
		INTO border USING tab;
	twin := border.first;
	IF twin = tab THEN
		EXECUTE format('SELECT %s.uuidnew_partitioning_twin($1, $2)', own)
			INTO twin USING tab, border.key;
	END IF;
	EXECUTE format('SELECT string_agg(o, E''\n'') '
		'FROM %s.uuidnew_partitioning_obstacles($1, $2) o', own) INTO found USING tab, twin;
	IF found IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('table %s would not be as before', tab), DETAIL = found;
	END IF;

	EXECUTE keys.drop_all;
	IF twin <> border.first THEN
		EXECUTE concat(string_agg(format('DROP TRIGGER %I ON %s', tgname, tab), '; '))
		FROM pg_trigger
		WHERE tgrelid = tab AND NOT tgisinternal;
		EXECUTE format('ALTER TABLE %s DROP CONSTRAINT uuid_partitioning; '
			'ALTER TABLE %1$s ATTACH PARTITION %s FOR VALUES FROM (MINVALUE) TO (%L)',
			twin, tab, border.upper);
	END IF;
	EXECUTE string_agg(format('ALTER TABLE %1$s.%2$I RENAME TO uuidnew_exchanged; '
			'ALTER TABLE %1$s.%3$I RENAME TO %2$I; '
			'ALTER TABLE %1$s.uuidnew_exchanged RENAME TO %3$I',
			border.schema, one.relname, other.relname), '; ')
	FROM pg_inherits
	JOIN pg_class one ON one.oid = inhrelid
	JOIN pg_class other ON other.oid = inhparent
	WHERE inhrelid = border.first
		OR inhrelid IN (SELECT indexrelid FROM pg_index WHERE indrelid = border.first);
	IF twin = border.first THEN
		EXECUTE format('ALTER TABLE %s DETACH PARTITION %s', tab, twin);
		EXECUTE format('SELECT %s.uuidnew_partitioning_twin($1, $2, $3)', own)
			USING tab, border.key, twin;
		EXECUTE format('DROP TABLE %s', tab);
	END IF;
	EXECUTE keys.make_all;
END
$$;
