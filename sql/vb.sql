\set ECHO none
--
-- Version b, Groupon's Locality UUID: generated in both modes, read, and converted to sort by time.
-- Vectors are in systems_vectors.sql.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

-- The start of mode sequential: four octets of an MD5, the lowest first
CREATE FUNCTION start_at(ts timestamptz) RETURNS bigint LANGUAGE sql STABLE AS
$$ SELECT ('x' || substr(h, 7, 2) || substr(h, 5, 2) || substr(h, 3, 2)
	|| substr(h, 1, 2))::bit(32)::bigint
   FROM md5(left(to_char(ts, 'YYYYMMDDHH24MI'), 11)) h $$;
SELECT start_at('2026-11-21 04:27:59') AS start, start_at('2026-11-21 04:20') AS same,
	start_at('2026-11-21 04:19:59') AS before;

CREATE TABLE made_vb (n serial, session int, mode text, mac macaddr, before timestamptz, id uuid,
	after timestamptz);

-- Two sessions alternate between modes and addresses.
CREATE VIEW calls AS
SELECT CASE i % 3 WHEN 0 THEN 'sequential' ELSE 'variable' END AS mode,
	   CASE i / 3 % 2 WHEN 0 THEN ('f8:12:c' || to_hex(i % 16) || ':45:67:89')::macaddr END AS mac
FROM generate_series(1, 2000) i;
CREATE PROCEDURE make_vb(session int) LANGUAGE sql AS $$
	INSERT INTO made_vb (session, mode, mac, before, id, after)
	SELECT session, mode, mac, before, id, clock_timestamp()
	FROM (SELECT mode, mac, clock_timestamp() AS before, uuid_generate_vb(mode, mac) AS id
		  FROM calls OFFSET 0) g
$$;
\c -
SET TimeZone = 'UTC';
CALL make_vb(1);
SELECT bool_and(uuid_vb_process_id(id) = pg_backend_pid() % 65536) FROM made_vb WHERE session = 1;
\c -
SET TimeZone = 'UTC';
CALL make_vb(2);
SELECT bool_and(uuid_vb_process_id(id) = pg_backend_pid() % 65536) FROM made_vb WHERE session = 2;
SELECT session, mode, count(DISTINCT id), count(DISTINCT mac) FROM made_vb
GROUP BY 1, 2 ORDER BY 1, 2;

\echo '-- the version is b, and the time is between the clock before and after, to the millisecond'
SELECT DISTINCT substr(id::text, 15, 1) AS version FROM made_vb;
SELECT n, before, uuid_vb_timestamp(id), after FROM made_vb
WHERE uuid_vb_timestamp(id) IS DISTINCT FROM date_trunc('milliseconds', uuid_vb_timestamp(id))
   OR NOT uuid_vb_timestamp(id) BETWEEN date_trunc('milliseconds', before) AND after LIMIT 5;

\echo '-- each mode has one counter for all addresses, with steps modulo 2^32'
SELECT session, mode, step, count(*) FROM
	(SELECT session, mode,
		(uuid_vb_counter(id, mode) - lag(uuid_vb_counter(id, mode)) OVER (PARTITION BY session, mode
		ORDER BY n)
							+ 4294967296) % 4294967296 AS step FROM made_vb) s
WHERE step IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

\echo '-- mode sequential starts at a hash of the time, mode variable at random'
SELECT session, uuid_vb_counter(id, 'sequential') IN (start_at(before), start_at(after)) AS start
FROM made_vb WHERE n IN (SELECT min(n) FROM made_vb WHERE mode = 'sequential' GROUP BY session)
	ORDER BY 1;
SELECT count(DISTINCT uuid_vb_counter(id)) FROM made_vb WHERE n
	IN (SELECT min(n) FROM made_vb WHERE mode = 'variable' GROUP BY session);

\echo '-- the first digit changes each time in mode variable, but not in mode sequential'
SELECT mode, count(*) > 600 AS another FROM
	(SELECT mode, left(id::text, 1) <> lag(left(id::text, 1)) OVER (PARTITION BY session, mode
		ORDER BY n) AS differs FROM made_vb) d
WHERE differs GROUP BY 1 ORDER BY 1;

\echo '-- the MAC fragment is the last 28 bits of the address; without an address, it is random'
\echo '-- in each session and mode, because the counters of the modes may meet'
SELECT n, mac, uuid_vb_mac_fragment(id) FROM made_vb
WHERE mac IS NOT NULL AND encode(uuid_vb_mac_fragment(id), 'hex') <> '0'
	|| right(replace(mac::text, ':', ''), 7) LIMIT 5;
SELECT session, mode, count(DISTINCT uuid_vb_mac_fragment(id)) FROM made_vb WHERE mac IS NULL
	GROUP BY 1, 2 ORDER BY 1, 2;
SELECT count(DISTINCT uuid_vb_mac_fragment(id)), bool_and(length(uuid_vb_mac_fragment(id)) = 4
	AND get_byte(uuid_vb_mac_fragment(id), 0) < 16)
FROM made_vb WHERE mac IS NULL;

\echo '-- defaults and NULL'
SELECT (uuid_vb_counter(a) - uuid_vb_counter(b) + 4294967296) % 4294967296 AS first,
	uuid_vb_mac_fragment(a) = uuid_vb_mac_fragment(b) AS mac
FROM (SELECT uuid_generate_vb() AS b, uuid_generate_vb('variable') AS a FROM generate_series(1, 1)
	OFFSET 0) g
WHERE uuid_vb_counter(a) IS NOT NULL;
SELECT uuid_generate_vb(NULL) IS NULL AS mode,
	uuid_generate_vb(NULL, '08:00:2b:01:02:03') IS NULL AS mode_mac,
	   uuid_generate_vb('sequential', NULL) IS NOT NULL AS mac,
		uuid_generate_vb(mac => '08:00:2b:01:02:03')::text ~ '^.{14}bb01-0203-' AS only_mac,
	   uuid_vb_counter(NULL) IS NULL AND uuid_vb_counter(NULL, 'variable') IS NULL
		AND uuid_vb_counter('20be0ffc-314a-bd53-7a50-013a65ca76d2', NULL) IS NULL AS counter;
\echo '-- a call with a NULL mode does not change the state'
SELECT count(*) FROM (SELECT uuid_generate_vb(CASE i % 2 WHEN 0 THEN 'variable' END) AS id
	FROM generate_series(1, 10) i) g WHERE id IS NULL;

--
-- Arbitrary fields.  systems_vectors.sql and test/unit test their positions.
--
CREATE TEMP TABLE vb AS
SELECT i, overlay(CASE i WHEN 0 THEN repeat('0', 32) WHEN 1 THEN repeat('f', 32)
	ELSE md5(i || 'vb') END PLACING 'b' FROM 13 FOR 1) AS hex
FROM generate_series(0, 9999) i;

\echo '-- vb_to_uuid moves the time to the front, and uuid_to_vb moves it back'
SELECT i, hex, vb_to_uuid(hex::uuid) FROM vb
WHERE vb_to_uuid(hex::uuid) IS DISTINCT FROM (right(hex, 12) || left(hex, 20))::uuid
   OR uuid_to_vb(vb_to_uuid(hex::uuid)) IS DISTINCT FROM hex::uuid LIMIT 5;

-- Other versions are rejected.
CREATE FUNCTION error_code(statement text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE statement;
	RETURN 'no error';
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;
SELECT * FROM (SELECT version, uuid_vb_timestamp(id), uuid_vb_counter(id),
	uuid_vb_counter(id, 'sequential'), uuid_vb_process_id(id), uuid_vb_mac_fragment(id),
	   error_code(format('SELECT vb_to_uuid(%L)', id)) AS to_uuid,
	   error_code(format('SELECT uuid_to_vb(%L)', overlay('013a65ca-76d2-20be-0ffc-314a0d537a50'
		PLACING version FROM 29 FOR 1))) AS from_uuid
FROM (SELECT to_hex(v) AS version, overlay('20be0ffc-314a-0d53-7a50-013a65ca76d2' PLACING to_hex(v)
	FROM 15 FOR 1)::uuid AS id
	  FROM generate_series(0, 15) v) u) r
WHERE r::text <> format('(%s,,,,,,22023,22023)', version);

\echo '-- vb_fields returns all fields, or NULL for another version'
SELECT * FROM vb_fields('20be0ffc-314a-bd53-7a50-013a65ca76d2');
SELECT * FROM vb_fields('20be0ffc-314a-bd53-7a50-013a65ca76d2', 'sequential');
SELECT i, hex FROM vb, LATERAL (SELECT hex::uuid AS id) u,
	unnest('{variable,sequential}'::text[]) mode, vb_fields(id, mode) f
WHERE f IS DISTINCT FROM ROW(uuid_vb_timestamp(id), uuid_vb_counter(id, mode),
	uuid_vb_process_id(id), uuid_vb_mac_fragment(id)) LIMIT 5;
SELECT count(*) FROM vb, vb_fields(overlay(hex PLACING '7' FROM 13)::uuid) f WHERE f IS NOT NULL;
SELECT vb_fields(NULL) IS NULL, vb_fields('20be0ffc-314a-bd53-7a50-013a65ca76d2', NULL) IS NULL;
SELECT vb_fields('20be0ffc-314a-bd53-7a50-013a65ca76d2', 'none');

--
-- Groupon's Java code loses four bits of a counter from 2^31 on.  test/unit tests its vectors.
--
\echo '-- examples of its README in mode variable: digit 7 is f if the Java code generated the UUID'
SELECT uuid_vb_counter(id, 'java') AS counter, to_hex(uuid_vb_counter(id)) AS with_f,
	(vb_fields(id, 'java')).counter
FROM unnest('{c8c9cef9-7a7f-bd53-7a50-013e4e2afbde, 6f5169fb-7a7f-bd53-7a50-013e4e2afbde,
	c8c9ce79-7a7f-bd53-7a50-013e4e2afbde, c8c9cef7-7a7f-bd53-7a50-013e4e2afbde,
	c8c9cef7-7a7f-4d53-7a50-013e4e2afbde}'::uuid[]) id;
SELECT uuid_vb_counter(uuid_generate_vb(), 'Java');
SELECT uuid_generate_vb('java');

--
-- The setting is the address for UUIDs generated without an address
--
CREATE TEMP TABLE random_fragments AS SELECT uuid_vb_mac_fragment(uuid_generate_vb()) AS variable,
	uuid_vb_mac_fragment(uuid_generate_vb('sequential')) AS sequential;
SHOW uuidnew.vb_mac;
SET uuidnew.vb_mac = '08:00:2b:01:02:03';
SELECT uuid_vb_mac_fragment(uuid_generate_vb()) AS variable,
	uuid_vb_mac_fragment(uuid_generate_vb('sequential')) AS sequential,
	   uuid_vb_mac_fragment(uuid_generate_vb(mac => NULL)) AS null,
		uuid_vb_mac_fragment(uuid_generate_vb(mac => 'ff:ff:ff:fa:bc:de')) AS argument;
-- An invalid address is rejected, and the setting keeps its value.
SET uuidnew.vb_mac = '08:00:2b:01:02:03';
SET uuidnew.vb_mac = '08:00:2b:01:02';
\set VERBOSITY terse
SET uuidnew.vb_mac = 'eth0';
\set VERBOSITY default
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
-- After the setting is emptied or reset, the bits are the same random bits as before.
SET uuidnew.vb_mac = '';
SELECT uuid_vb_mac_fragment(uuid_generate_vb()) = variable
	AND uuid_vb_mac_fragment(uuid_generate_vb('sequential')) = sequential FROM random_fragments;
BEGIN;
SET LOCAL uuidnew.vb_mac = '08002b010203';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
ROLLBACK;
SELECT uuid_vb_mac_fragment(uuid_generate_vb()) = variable FROM random_fragments;

-- A default without a literal address; the counter continues.
CREATE TEMP TABLE keyed (n int, id uuid DEFAULT uuid_generate_vb('sequential'));
INSERT INTO keyed (n) VALUES (1);
SET uuidnew.vb_mac = '08:00:2b:01:02:03';
INSERT INTO keyed (n) VALUES (2);
SELECT max(uuid_vb_counter(id, 'sequential')) - min(uuid_vb_counter(id, 'sequential')) AS step,
	   count(*) FILTER (WHERE uuid_vb_mac_fragment(id) = '\x0b010203') AS with_address FROM keyed;

-- Only a superuser may change the setting, which applies to all roles.
CREATE ROLE regress_uuidnew_user;
SET ROLE regress_uuidnew_user;
SET uuidnew.vb_mac = '';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
RESET ROLE;
DROP ROLE regress_uuidnew_user;
-- An invalid value set before the library is loaded is removed.
\c -
SET uuidnew.vb_mac = 'eth0';
SELECT uuid_vb_timestamp(uuid_generate_vb()) IS NOT NULL;
SHOW uuidnew.vb_mac;
\c -
SET uuidnew.vb_mac = '0a-1b-2c-3d-4e-5f';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
RESET uuidnew.vb_mac;

DROP FUNCTION start_at, error_code;
DROP PROCEDURE make_vb;
DROP VIEW calls;
DROP TABLE made_vb;
