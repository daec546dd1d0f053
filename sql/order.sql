\set ECHO none
--
-- uuidnew.order_scope: calls that are rejected.  test/t/order_crash.pl tests calls that succeed.
--
\pset format unaligned
\pset tuples_only
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions
LOAD 'uuidnew';
SHOW uuidnew.order_scope;
SET uuidnew.order_scope = server;
ALTER ROLE CURRENT_USER SET uuidnew.order_scope = server;

\echo '-- horizons require order_scope = server'
SELECT DISTINCT e.* FROM unnest(ARRAY['uuid_v6_horizon()', 'uuid_v7_horizon()', 'uuidv7_horizon()',
	$$uuid_v8_horizon('unix48', '2020-01-01')$$]) call, error_of('SELECT ' || call) e;
\set VERBOSITY terse
SELECT uuid_v7_horizon('unix48');
SELECT uuid_v7_horizon(NULL) IS NULL AS null_layout;
SELECT scope, layout, last_time, ahead, held_by_pid FROM uuidnew_order();

-- Only pg_monitor may read the state.
CREATE ROLE regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT * FROM uuidnew_order();
RESET ROLE;
GRANT pg_monitor TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT scope FROM uuidnew_order();
RESET ROLE;
DROP ROLE regress_uuidnew_reader;
