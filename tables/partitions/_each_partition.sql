-- Runs each item's statement in a transaction, and reports. A failure for the future is an error.
CREATE PROCEDURE uuidnew_tables._each_partition(parent regclass, items jsonb, verb text, kept text)
LANGUAGE plpgsql
AS $$
DECLARE
	item pg_catalog.record;
	state pg_catalog.text;
	detail pg_catalog.text;
	done pg_catalog.int8 := 0;
BEGIN
	PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
	FOR item IN
		SELECT *
		FROM jsonb_to_recordset(items)
			i(name text, facts text, moving boolean, problem text, statement text)
	LOOP
		IF item.statement IS NOT NULL THEN
			COMMIT;	-- what is done, and so that nothing stays locked that has been read
			PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
			BEGIN
				EXECUTE item.statement INTO item.name;
			EXCEPTION
				WHEN OTHERS THEN
					GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
					state := SQLSTATE;
					item.problem := concat_ws(': ', SQLERRM, nullif(detail, ''));
			END;
		END IF;
		CONTINUE WHEN item.name IS NULL;	-- there is nothing to do any more
		IF item.problem IS NULL THEN
			RAISE NOTICE '% partition %', verb, concat(item.name, item.facts);
			done := done + 1;
		ELSIF item.moving IS FALSE OR state = '25001' THEN	-- not READ COMMITTED
			RAISE USING ERRCODE = state, MESSAGE = item.problem;
		ELSE
			RAISE WARNING '% partition %: %', kept, item.name, item.problem;
			EXIT WHEN state = '55P03'	-- they would all wait for the same
				AND strpos(item.problem, format(' TABLE %s IN ', item.name)) = 0;
		END IF;
	END LOOP;
	RAISE NOTICE '% % of %', verb, uuidnew_tables._counted(done, 'partition'::text), concat(parent,
		CASE kept WHEN 'kept' THEN ', kept ' || coalesce(jsonb_array_length(items), 0) - done END);
END
$$;
