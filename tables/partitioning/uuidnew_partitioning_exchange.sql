-- The swap or, if there is a first partition, the way back.  What the table has is read now, under
-- the locks of uuidnew_partitioning_call, and compared at the end: 55000 if anything would be lost,
-- and nothing is done.
--
-- Refuses REPEATABLE READ, whose snapshot may be older than the locks.
CREATE PROCEDURE uuidnew_partitioning_exchange(tab regclass)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
SET jit = off	-- compiling takes longer
AS $$
DECLARE
	own CONSTANT text := @own@;
	name CONSTANT text := tab;
	first CONSTANT regclass := (
		SELECT conrelid
		FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid
		WHERE inhparent = tab AND conname = 'uuid_partitioning');
	-- foreign keys that are on partitions meanwhile, and what only partitions have
	pending CONSTANT text[] := ARRAY(
		SELECT pg_describe_object('pg_constraint'::regclass, f.oid, 0)
		FROM pg_constraint f JOIN pg_class r ON r.oid = conrelid
		WHERE contype = 'f' AND (confrelid = tab
			AND (conrelid = tab OR relkind = 'p' OR relispartition)
			OR conrelid = tab AND conparentid <> 0)	-- from the table to its partitions
		UNION
		SELECT pg_describe_object('pg_attrdef'::regclass, d.oid, 0)
		FROM pg_attrdef d JOIN pg_inherits ON inhrelid = adrelid
		WHERE inhparent = tab);
	before jsonb;
	statements text[];
	statement text;
	lost text;
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE active_sql_transaction
			USING MESSAGE = 'tables are partitioned in READ COMMITTED transactions only';
	END IF;
	EXECUTE format('SELECT %s.uuidnew_snapshot($1)', own)
		INTO before USING tab;
	IF first IS NULL THEN
		EXECUTE format('SELECT %s.uuidnew_partitioning_swap($1)', own) INTO statements USING tab;
	ELSE
		EXECUTE format('SELECT %s.uuidnew_partitioning_undo($1, $2)', own) INTO statements
			USING tab, first;
	END IF;
	FOREACH statement IN ARRAY statements LOOP
		EXECUTE statement;
	END LOOP;

	EXECUTE format('SELECT string_agg(l, E''\n'') FROM %s.uuidnew_partitioning_lost($1, $2, $3) l',
		own)
		INTO lost USING before, name::regclass, pending;
	IF lost IS NOT NULL THEN
		RAISE object_not_in_prerequisite_state USING
			MESSAGE = format('table %s would not be as before', name), DETAIL = lost;
	END IF;
END
$$;
COMMENT ON PROCEDURE uuidnew_partitioning_exchange(regclass) IS
'the swap and the way back; for uuid_partitioning_steps';
