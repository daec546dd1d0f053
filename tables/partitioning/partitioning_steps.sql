-- The statements that partition a table in use, which becomes the partition until a time, and
-- whether each is done: to be run one by one, phase by phase, prepare, swap, finish. 2BP01 at the
-- start if partitioning_check finds an obstacle.
--
-- The first waits for ACCESS EXCLUSIVE on the table for half a second at most; the second and those
-- of finish read a table under SHARE UPDATE EXCLUSIVE, beside readers and writers.
CREATE FUNCTION uuidnew_tables.partitioning_steps(tab regclass,
	until timestamptz DEFAULT
		date_trunc('month', now() AT TIME ZONE 'UTC' + interval '2 months') AT TIME ZONE 'UTC',
	layout text DEFAULT NULL)
RETURNS TABLE (step int, phase text, statement text, done boolean)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	border record;
	obstacles text;
BEGIN
	IF tab IN (SELECT partrelid FROM pg_partitioned_table) THEN
		RETURN QUERY
		SELECT 4, 'finish', format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass,
			conname), false
		FROM uuidnew_tables._foreign_keys(tab)
		WHERE confrelid = tab AND NOT convalidated
			AND pg_get_constraintdef(oid) !~ 'NOT ENFORCED$';
		RETURN;
	END IF;
	border := uuidnew_tables._partitioning_border(tab, until, layout);
	IF border.is_valid IS NULL THEN
		SELECT string_agg(obstacle, E'\n') INTO obstacles
		FROM uuidnew_tables.partitioning_check(tab, until, layout);
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot partition table %s', tab), DETAIL = obstacles,
			HINT = 'Drop these, or change them.  Create them again after the swap.';
	END IF;

	RETURN QUERY
	VALUES (1, 'prepare', format('CALL uuidnew_tables._briefly(%L::pg_catalog.regclass[], '
			'ARRAY[%L])', ARRAY[tab], format(
			'ALTER TABLE %s ADD CONSTRAINT uuid_partitioning CHECK (%I < %L) NOT VALID',
			tab, border.key, border.upper)), border.is_valid IS NOT NULL),
		(2, 'prepare', format('ALTER TABLE %s VALIDATE CONSTRAINT uuid_partitioning', tab),
			border.is_valid IS TRUE),
		(3, 'swap', format('CALL uuidnew_tables._partitioning_exchange(%L::pg_catalog.regclass)',
			tab), false);
END
$$;
COMMENT ON FUNCTION uuidnew_tables.partitioning_steps IS 'statements that partition a table in use';
