-- The statements that partition a table in use, which becomes the partition until a time. 2BP01 at
-- the start if partitioning_check finds an obstacle. The first waits half a second at most for
-- ACCESS EXCLUSIVE on the table; the second reads it under SHARE UPDATE EXCLUSIVE.
CREATE FUNCTION uuidnew_tables.partitioning_steps(tab regclass,
	until timestamptz DEFAULT date_trunc('month', now() + interval '2 months', 'UTC'))
RETURNS TABLE (step int, phase text, statement text, done boolean)
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
	border record;
BEGIN
	IF tab IN (SELECT partrelid FROM pg_partitioned_table) THEN
		RETURN;
	END IF;
	border := uuidnew_tables._partitioning_border(tab, until);
	PERFORM uuidnew_tables._refuse(format('cannot partition table %s', tab), ARRAY(
		SELECT obstacle FROM uuidnew_tables.partitioning_check(tab, until)
		WHERE border.is_valid IS NULL));
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
