-- Runs the statement of each item, if it has one, in a transaction, 20 times if it cannot get
-- locks, and reports the result. A failure is a WARNING, or an error for times to come.
CREATE PROCEDURE uuidnew_tables._each_partition(parent regclass, items jsonb, verb text, kept text)
LANGUAGE plpgsql
AS $$
DECLARE
	item pg_catalog.record;
	state pg_catalog.text;
	detail pg_catalog.text;
	counts pg_catalog.int8[] := '{0, 0}';
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	FOR item IN
		SELECT *
		FROM jsonb_to_recordset(items)
			i(name text, facts text, moving boolean, problem text, statement text)
	LOOP
		FOR try IN 1 .. 20 LOOP
			EXIT WHEN item.statement IS NULL;
			COMMIT;	-- what is done, and so that nothing stays locked that has been read
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			BEGIN
				item.problem := NULL;
				EXECUTE item.statement INTO item.name;
			EXCEPTION
				WHEN OTHERS THEN
					GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
					state := SQLSTATE;
					item.problem := concat_ws(': ', SQLERRM, nullif(detail, ''));
			END;
			EXIT WHEN item.problem IS NULL OR state NOT IN ('55P03', '40P01');
			PERFORM pg_sleep(0.5 * random());
		END LOOP;
		CONTINUE WHEN item.problem IS NOT NULL AND state = '42P17';	-- it has just been created
		IF item.problem IS NULL THEN
			RAISE NOTICE '% partition %', verb, concat(item.name, item.facts);
			counts[1] := counts[1] + 1;
		ELSIF item.moving IS FALSE OR state = '25001' THEN	-- not READ COMMITTED
			RAISE USING ERRCODE = state, MESSAGE = item.problem;
		ELSE
			RAISE WARNING '% partition %: %', kept, item.name, item.problem;
			counts[2] := counts[2] + 1;
			EXIT WHEN item.moving AND state = '55P03';	-- they would all wait for the same
		END IF;
	END LOOP;
	RAISE NOTICE '% % of %', verb, uuidnew_tables._counted(counts[1], 'partition'::text),
		concat(parent, CASE kept WHEN 'kept' THEN ', kept ' || counts[2] END);
END
$$;
