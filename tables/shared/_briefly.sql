-- Runs statements that need strong locks, and holds others up for half a second at most, in all.
--
-- First SHARE UPDATE EXCLUSIVE on all of the tables, which blocks neither reads nor writes;
-- autovacuum yields after deadlock_timeout and then stays out. Then the statements, one after the
-- other, whose waits for locks add up to half a second at most; 55P03 after that, and nothing is
-- done. REPEATABLE READ is refused, because its snapshot is older than the locks.
CREATE PROCEDURE uuidnew_tables._briefly(tables regclass[], statements text[])
LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
	patience CONSTANT interval := current_setting('deadlock_timeout')::interval + '2 s';
	tab regclass;
	deadline timestamptz;
	statement text;
BEGIN
	IF current_setting('transaction_isolation') IN ('repeatable read', 'serializable') THEN
		RAISE active_sql_transaction USING
			MESSAGE = 'tables are changed in READ COMMITTED transactions only';
	END IF;
	PERFORM set_config('lock_timeout', (extract(epoch FROM patience) * 1000)::int::text, true);
	FOREACH tab IN ARRAY tables LOOP
		EXECUTE format('LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE', tab);
	END LOOP;

	deadline := clock_timestamp() + '500 ms';
	FOREACH statement IN ARRAY statements LOOP
		PERFORM set_config('lock_timeout', greatest(1,
			extract(epoch FROM deadline - clock_timestamp()) * 1000)::int::text, true);
		EXECUTE statement;
	END LOOP;
END
$$;
