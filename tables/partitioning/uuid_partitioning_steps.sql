-- The statements that partition a table in use, which becomes the partition until a time, and
-- whether each is done: to be run one by one, phase by phase, prepare, swap, finish; or undo, until
-- the last step of finish. 2BP01 at the start if uuid_partitioning_check finds an obstacle.
CREATE FUNCTION uuid_partitioning_steps(tab regclass,
	until timestamptz DEFAULT date_trunc('month', now() + interval '2 months'),
	layout text DEFAULT NULL)
RETURNS TABLE (step int, phase text, statement text, done boolean)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	border record;
	last text;	-- the phase that leads to a table without a mark
	briefly text;
	obstacles text;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_border($1, $2, $3)', own)
		INTO border USING tab, until, layout;
	IF border.is_valid IS NULL THEN
		EXECUTE format('SELECT string_agg(finding, E''\n'') '
			'FROM %s.uuid_partitioning_check($1, $2, $3)', own)
			INTO obstacles USING tab, until, layout;
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot partition table %s', tab), DETAIL = obstacles,
			HINT = 'Drop these, or change them. What can be made again, make again after the swap.';
	END IF;

	last := CASE WHEN border.first <> tab THEN 'finish' ELSE 'undo' END;
	briefly := format('CALL %s.uuidnew_briefly(%L, ', own, ARRAY[border.first]);
	RETURN QUERY
	VALUES (1, 'prepare', briefly || quote_literal(format(
			'ALTER TABLE %s ADD CONSTRAINT uuid_partitioning CHECK (%I < %L) NOT VALID',
			tab, border.key, border.upper)) || ')', border.is_valid IS NOT NULL),
		(2, 'prepare', format('ALTER TABLE %s VALIDATE CONSTRAINT uuid_partitioning', tab),
			border.is_valid IS TRUE),
		(3, CASE last WHEN 'finish' THEN 'undo' ELSE 'swap' END,
			format('CALL %s.uuidnew_partitioning_exchange(%L)', own, tab), false)
	OFFSET CASE last WHEN 'finish' THEN 2 ELSE 0 END;
	RETURN QUERY
	SELECT 4, last, format('ALTER TABLE %s VALIDATE CONSTRAINT %I', conrelid::regclass, conname),
		false
	FROM pg_constraint
	WHERE confrelid = tab AND contype = 'f' AND conparentid = 0 AND NOT convalidated;
	RETURN QUERY
	SELECT 5, last, briefly || quote_literal(format(
		'ALTER TABLE %s DROP CONSTRAINT IF EXISTS uuid_partitioning', border.first)) || ')',
		border.is_valid IS NULL;
END
$$;
COMMENT ON FUNCTION uuid_partitioning_steps(regclass, timestamptz, text) IS
'statements that partition a table in use, and whether each is done';
