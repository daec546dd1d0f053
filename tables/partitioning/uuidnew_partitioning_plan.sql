-- The steps of uuid_partitioning_steps, without a look whether something stands in the way.
--
-- The catalogs say how far it is: constraint uuid_partitioning is on the table while it is
-- prepared, and on its first partition while there is a way back.  A foreign key that is to be its
-- parent's has a comment that begins so.
--
-- Reads the catalogs, and the greatest key by its index, with the snapshot of the query.
CREATE FUNCTION uuidnew_partitioning_plan(tab regclass, width text, time_zone text, layout text)
RETURNS TABLE (step int, phase text, statement text, lock text, why text, done boolean)
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, pg_temp
SET row_security = off	-- no policy hides the greatest key
AS $$
DECLARE
	own CONSTANT text := @own@;
	mark CONSTANT text := 'uuid_partitioning';
	moment CONSTANT text := 'ACCESS EXCLUSIVE, for a moment';
	first CONSTANT regclass := (
		SELECT conrelid
		FROM pg_constraint JOIN pg_inherits ON inhrelid = conrelid
		WHERE inhparent = tab AND conname = mark);
	swapped CONSTANT boolean := first IS NOT NULL;
	border record;
	swap text;
	keys jsonb;
	brief text;
BEGIN
	EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_border($1, $2, $3, $4, $5)', own)
		INTO border USING tab, first, width, time_zone, layout;
	EXECUTE format('SELECT %s.uuidnew_partitioning_call($1, $2)', own) INTO swap USING tab, first;
	EXECUTE format('SELECT jsonb_agg(k) FROM %s.uuidnew_partitioning_keys($1, $2) k', own)
		INTO keys USING tab, swapped;
	brief := replace(format('CALL %s.uuidnew_briefly(%L, ', own, ARRAY[tab]), '%', '%%') || '%L)';
	RETURN QUERY
	SELECT row_number() OVER (ORDER BY s.number, s.phase, s.statement)::int, s.phase, s.statement,
		s.lock, s.why, s.done
	FROM (
		SELECT 1, 'prepare', format(brief, format(
				'ALTER TABLE %s %sADD CONSTRAINT %I CHECK (%I < %L) NOT VALID', tab,
				CASE WHEN border.checked IS NOT NULL THEN format('DROP CONSTRAINT %I, ', mark) END,
				mark, border.key, border.upper)),
			moment,
			format('the table is to be the partition until %s; until the swap, later keys are '
				'refused', border.until),
			border.checked IS NOT NULL AND NOT border.passed
		WHERE NOT swapped
		UNION ALL
		SELECT 2, 'prepare', format('ALTER TABLE %s VALIDATE CONSTRAINT %I', tab, mark),
			'SHARE UPDATE EXCLUSIVE: others read and write',
			'reads the table, so that the swap need not',
			coalesce(border.checked, false) AND NOT border.passed
		WHERE NOT swapped
		UNION ALL
		SELECT k.*, false
		FROM jsonb_to_recordset(keys) k(number int, phase text, statement text, lock text, why text)
		UNION ALL
		SELECT CASE WHEN swapped THEN 7 ELSE 4 END, CASE WHEN swapped THEN 'undo' ELSE 'swap' END,
			swap,
			'ACCESS EXCLUSIVE on the table, what refers to it, and views, for a moment',
			CASE WHEN swapped THEN 'the partition becomes the table'
				ELSE 'the table becomes a partition; reads no row' END,
			false
		UNION ALL
		SELECT 5, 'finish', format('CALL %s.uuid_create_partitions(%L, %L, %L, %L, %L)', own, tab,
				lower(width), border.ahead, time_zone, border.layout), 'see there',
			'partitions for what comes then: call it each night',
			EXISTS (SELECT FROM pg_inherits WHERE inhparent = tab AND inhrelid <> first)
		WHERE swapped
		UNION ALL
		SELECT 6, 'finish', format(brief, format('ALTER TABLE %s DROP CONSTRAINT %I', first, mark)),
			moment, 'no way leads back from here', false
		WHERE swapped
		UNION ALL
		SELECT 7, 'undo',
			format(brief, format('ALTER TABLE %s DROP CONSTRAINT IF EXISTS %I', tab, mark)),
			moment, 'the table is as before', border.checked IS NULL
		WHERE NOT swapped) s(number, phase, statement, lock, why, done);
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_plan(regclass, text, text, text) IS
'the steps of uuid_partitioning_steps';
