-- Runs a statement that may have to wait for locks, up to 20 times: its answer, or the error that
-- it ends with. What it has done and locked is undone before the next try.
CREATE FUNCTION uuidnew_tables._try(statement text,
	OUT answer text, OUT state text, OUT problem text)
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	detail text;
BEGIN
	FOR try IN 1 .. 20 LOOP
		BEGIN
			EXECUTE statement INTO answer;
			state := NULL;
		EXCEPTION
			WHEN active_sql_transaction THEN
				RAISE;
			WHEN OTHERS THEN
				GET STACKED DIAGNOSTICS
					state = RETURNED_SQLSTATE,
					problem = MESSAGE_TEXT,
					detail = PG_EXCEPTION_DETAIL;
		END;
		EXIT WHEN state IS NULL OR state NOT IN ('55P03', '40P01');
		PERFORM pg_sleep(0.5 * random());
	END LOOP;
	problem := CASE WHEN state IS NOT NULL THEN concat_ws(': ', problem, nullif(detail, '')) END;
END
$$;
