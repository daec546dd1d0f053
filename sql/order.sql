--
-- uuidnew.order_scope: what is refused. (test/t/order_crash.pl has what works.)
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
LOAD 'uuidnew';
SHOW uuidnew.order_scope;
SET uuidnew.order_scope = server;
ALTER ROLE CURRENT_USER SET uuidnew.order_scope = server;

\echo '-- there is no horizon in the order of a session'
SELECT uuid_v6_horizon();
SELECT uuid_v7_horizon();
SELECT uuidv7_horizon();
SELECT uuid_v8_horizon('unix48', '2020-01-01');
SELECT uuid_v7_horizon('unix48');
SELECT uuid_v7_horizon(NULL) IS NULL AS null_layout;
SELECT scope, layout, last_time, held_by_pid, shared_bytes FROM uuidnew_order();

-- nor in a statement that reads a table, whose snapshot is older: see test/t/order_attacks.pl
CREATE TABLE polled (id uuid);
SELECT * FROM polled WHERE id < uuid_v7_horizon();
SELECT * FROM polled WHERE id < (SELECT uuidv7_horizon());
-- (these are let through, to the error of the scope)
\set VERBOSITY terse
INSERT INTO polled SELECT uuid_v7_horizon();
SELECT uuid_v7_horizon() FROM generate_series(1, 2);
DROP TABLE polled;

-- who may see the state
CREATE ROLE regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT * FROM uuidnew_order();
RESET ROLE;
GRANT pg_monitor TO regress_uuidnew_reader;
SET ROLE regress_uuidnew_reader;
SELECT scope FROM uuidnew_order();
RESET ROLE;
DROP ROLE regress_uuidnew_reader;
