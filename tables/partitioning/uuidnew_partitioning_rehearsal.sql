-- Plays the plan, there and back and to its end, on empty copies, and rolls it all back: the first
-- error, or what would be lost, a line each.  Undone, a copy is exactly as it was; finished, but
-- for what uuidnew_partitioning_lost leaves out.
CREATE FUNCTION uuidnew_partitioning_rehearsal(tab regclass, width text, time_zone text,
	layout text)
RETURNS SETOF text
LANGUAGE plpgsql VOLATILE
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	own CONSTANT text := @own@;
	definition CONSTANT text := format(
		'SELECT %s.uuidnew_snapshot($1)', own);
	name text;
	before jsonb;
	after jsonb;
	phase text;
	step record;
	problems text[];
	detail text;
BEGIN
	EXECUTE format('SELECT (%s.uuidnew_copy_tables($1, true))[1]', own) INTO name
		USING ARRAY[tab] || ARRAY(
		SELECT DISTINCT coalesce(relid, conrelid)
		FROM pg_constraint
			LEFT JOIN pg_partition_tree(coalesce(pg_partition_root(conrelid), conrelid)) ON true
		WHERE confrelid = tab AND contype = 'f' AND conrelid <> tab);
	-- it may be prepared already, and prepare validates constraints for good
	FOREACH phase IN ARRAY
		'{undo,prepare,undo,as it is,prepare,swap,undo,undo,as before,prepare,swap,finish}'::text[]
	LOOP
		IF phase = 'as it is' THEN
			EXECUTE definition INTO before USING name::regclass;
		ELSIF phase = 'as before' THEN
			EXECUTE definition INTO after USING name::regclass;
			EXECUTE format('SELECT array_agg(l) FROM (SELECT %1$s.uuidnew_lost($1, $2)
				UNION SELECT %1$s.uuidnew_lost($2,
					$1)) x(l)', own) INTO problems USING before, after;
			EXIT WHEN problems IS NOT NULL;
		END IF;
		FOR step IN EXECUTE format('SELECT * FROM %s.uuidnew_partitioning_plan($1, $2, $3, $4) '
			'WHERE phase = $5 AND NOT done AND lock <> ''see there'' ORDER BY step', own)
			USING name::regclass, width, time_zone, layout, phase
		LOOP
			EXECUTE step.statement;
		END LOOP;
	END LOOP;
	IF problems IS NULL THEN
		EXECUTE format('SELECT array_agg(l) FROM %s.uuidnew_partitioning_lost($1, $2, ''{}'') l',
			own)
			INTO problems USING before, name::regclass;
	END IF;
	RAISE SQLSTATE 'UNDO1';
EXCEPTION
	WHEN SQLSTATE 'UNDO1' THEN
		RETURN QUERY SELECT unnest(problems);
	WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
		-- what would be lost
		RETURN QUERY SELECT unnest(CASE WHEN SQLSTATE = '55000' AND detail <> ''
			THEN string_to_array(detail, E'\n')
			ELSE ARRAY[concat(phase || ': ', SQLERRM, ' (' || nullif(detail, '') || ')')] END);
END
$$;
COMMENT ON FUNCTION uuidnew_partitioning_rehearsal(regclass, text, text, text) IS
'plays the plan on empty copies; for uuid_partitioning_check';
