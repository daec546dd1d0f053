-- Where the first partition ends: what its constraint says (which is validated if checked, and
-- passed if less than a day is left before the swap), or else so late that there is a month for all
-- of this.  Also the key and its layout, and how far ahead partitions are to be created then.
--
-- Reads the catalogs, and the greatest key by its index, with the snapshot of the query.
CREATE FUNCTION uuidnew_partitioning_border(tab regclass, first regclass, width text,
	time_zone text, wanted text,
	OUT key name, OUT layout text, OUT upper uuid, OUT until timestamptz, OUT checked boolean,
		OUT passed boolean,
	OUT ahead interval)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off
AS $$
DECLARE
	own CONSTANT text := @own@;
	column_number CONSTANT int := (
		SELECT CASE count(*) WHEN 1 THEN min(attnum) END
		FROM pg_constraint JOIN pg_attribute ON attrelid = conrelid AND attnum = ANY (conkey)
		WHERE conrelid = tab AND contype = 'p' AND atttypid = 'uuid'::regtype);
	greatest_key uuid;
	latest record;
BEGIN
	IF time_zone IS NULL OR column_number IS NULL OR first IS NULL
		AND tab IN (SELECT partrelid FROM pg_partitioned_table) THEN
		RAISE invalid_parameter_value USING
			MESSAGE = format('cannot partition table %s by width "%s"', tab, width),
			HINT = 'A table that is not partitioned needs a primary key with one uuid column.';
	END IF;
	EXECUTE format('SELECT k.key, k.layout FROM %s.uuidnew_partition_key($1, $2, $3) k', own)
		INTO key, layout USING tab, wanted, column_number;
	SELECT (regexp_match(pg_get_constraintdef(oid), '''([-0-9a-f]{36})'''))[1], convalidated
		INTO upper, checked
	FROM pg_constraint
	WHERE conrelid = coalesce(first, tab) AND conname = 'uuid_partitioning';
	EXECUTE format('SELECT %s.uuid_v7_timestamp($1, $2)', own) INTO until USING upper, layout;
	passed := first IS NULL AND until < now() + interval '1 day';

	IF upper IS NULL OR passed THEN
		EXECUTE format('SELECT %I FROM %s ORDER BY 1 DESC LIMIT 1', key, tab) INTO greatest_key;
		EXECUTE format($query$
			SELECT greatest(now() + interval '1 month', %1$s.uuid_v7_timestamp($1, $2)) AS ts,
				%1$s.uuid_v7_layout($1) <> $2 AS wrong
			$query$, own) INTO latest USING greatest_key, layout;
		IF latest.wrong THEN
			RAISE object_not_in_prerequisite_state USING
				MESSAGE = format('the greatest key of table %s, %s, is not of layout "%s"', tab,
					greatest_key, layout),
				HINT = 'Give the table new keys with uuid_rekey_steps before.';
		END IF;
		EXECUTE format('SELECT p.until FROM %s.uuidnew_period($1, $2, $3) p', own)
			INTO until USING width, time_zone, latest.ts;
		EXECUTE format('SELECT %s.uuid_v7_min($1, $2)', own) INTO upper USING until, layout;
	END IF;
	EXECUTE format('SELECT p.until FROM %s.uuidnew_period($1, $2, $3) p', own)
		INTO latest USING width, time_zone, until;
	ahead := date_trunc('day', latest.until + (latest.until - until) - now()) + interval '1 day';
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_border(regclass, regclass, text, text, text) IS
'where the first partition ends; for uuid_partitioning_steps';
