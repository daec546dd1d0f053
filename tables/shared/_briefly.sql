-- Runs statements that need strong locks. 55P03 names the one that had no lock in time. Writers may
-- lock the tables in another order, and wait for this session while it waits for them: so it waits
-- for 2 ms, up to 1,000 times, and then for half a second. First SHARE UPDATE EXCLUSIVE on tables,
-- to which autovacuum yields after deadlock_timeout. REPEATABLE READ has a snapshot from before.
CREATE PROCEDURE uuidnew_tables._briefly(tables regclass[], statements text[])
LANGUAGE plpgsql
AS $$
DECLARE
	deadline timestamptz;
	statement text;
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE 'tables are changed in READ COMMITTED transactions only' USING ERRCODE = '25001';
	END IF;
	PERFORM set_config('lock_timeout', (extract(epoch FROM '2 s'
		+ current_setting('deadlock_timeout')::interval) * 1000)::int::text, true);
	FOR statement IN
		SELECT format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', tab) FROM unnest(tables) tab
	LOOP
		EXECUTE statement;
	END LOOP;
	FOR try IN 0 .. 1000 LOOP
		deadline := clock_timestamp() + CASE try WHEN 1000 THEN '500 ms' ELSE '2 ms' END::interval;
		BEGIN
			FOREACH statement IN ARRAY statements LOOP
				PERFORM set_config('lock_timeout', greatest(1,
					extract(epoch FROM deadline - clock_timestamp()) * 1000)::int::text, true);
				EXECUTE statement;
			END LOOP;
			PERFORM pg_catalog.set_config('lock_timeout', '500ms', true);	-- path may have changed
			RETURN;
		EXCEPTION
			WHEN lock_not_available OR deadlock_detected THEN
				IF try = 1000 THEN
					RAISE;
				END IF;
		END;
		PERFORM pg_sleep(0.002 * random());
	END LOOP;
EXCEPTION
	WHEN lock_not_available THEN
		RAISE lock_not_available USING MESSAGE = concat('canceling statement due to lock timeout: ',
			(regexp_match(statement, '[^\n;]*\S[^\n;]*'))[1]);
END
$$;
