-- The statements that partition a table in use, which becomes the first partition, and whether each
-- is done.  To be run one by one, phase by phase: prepare, swap, finish; or undo, until the last
-- step of finish.
--
-- 2BP01 as long as the swap is not done and something stands in the way: uuid_partitioning_check
-- says what.
CREATE FUNCTION uuid_partitioning_steps(tab regclass, width text, time_zone text DEFAULT 'UTC',
	layout text DEFAULT NULL)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
SET jit = off	-- compiling takes longer
AS $$
DECLARE
	own CONSTANT text := @own@;
	obstacles text;
BEGIN
	IF NOT EXISTS (
		SELECT FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid
		WHERE inhparent = tab AND conname = 'uuid_partitioning')
	THEN
		EXECUTE format($query$
			SELECT string_agg(o, E'\n')
			FROM %s.uuidnew_partitioning_obstacles($1, $2, $3, $4) o
			$query$, own)
			INTO obstacles USING tab, width, time_zone, layout;
	END IF;
	IF obstacles IS NOT NULL THEN
		RAISE dependent_objects_still_exist USING
			MESSAGE = format('cannot partition table %s', tab), DETAIL = obstacles,
			HINT = 'Change or drop these before; '
				'what depends on the table, create again afterwards.';
	END IF;
	RETURN QUERY EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_plan($1, $2, $3, $4)', own)
		USING tab, width, time_zone, layout;
END
$$;
COMMENT ON FUNCTION uuid_partitioning_steps(regclass, text, text, text) IS
'statements that partition a table in use, and whether each is done';
