-- Runs statements that need strong locks, and blocks other sessions for half a second at most, in
-- all; 55P03 after that names the statement. First SHARE UPDATE EXCLUSIVE on the tables, to which
-- autovacuum yields after deadlock_timeout. REPEATABLE READ has a snapshot from before the locks.
CREATE PROCEDURE uuidnew_tables._briefly(tables regclass[], statements text[])
LANGUAGE plpgsql
AS $$
DECLARE
	deadline timestamptz;
	statement text;
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE active_sql_transaction USING
			MESSAGE = 'tables are changed in READ COMMITTED transactions only';
	END IF;
	PERFORM set_config('lock_timeout', (extract(epoch FROM '2 s'
		+ current_setting('deadlock_timeout')::interval) * 1000)::int::text, true);
	FOR statement IN
		SELECT format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', tab) FROM unnest(tables) tab
	LOOP
		EXECUTE statement;
	END LOOP;
	deadline := clock_timestamp() + '500 ms';
	FOREACH statement IN ARRAY statements LOOP
		PERFORM set_config('lock_timeout', greatest(1,
			extract(epoch FROM deadline - clock_timestamp()) * 1000)::int::text, true);
		EXECUTE statement;
	END LOOP;
EXCEPTION
	WHEN lock_not_available THEN
		RAISE lock_not_available USING MESSAGE = concat('canceling statement due to lock timeout: ',
			(regexp_match(statement, '[^\n;]*\S[^\n;]*'))[1]);
END
$$;
