\set ECHO none
--
-- Version b, Groupon's Locality UUID: generated in both modes, read, and converted to sort by time.
-- Vectors are in systems_vectors.sql.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

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
CREATE PROCEDURE make_vb(session int) LANGUAGE sql AS $$
	INSERT INTO made_vb (session, mode, mac, before, id, after)
	SELECT session, mode, mac, before, id, clock_timestamp()
	FROM (SELECT mode, mac, clock_timestamp() AS before, uuid_generate_vb(mode, mac) AS id
		FROM (SELECT CASE i % 3 WHEN 0 THEN 'sequential' ELSE 'variable' END AS mode,
				CASE i / 3 % 2 WHEN 0 THEN ('f8:12:c' || to_hex(i % 16) || ':45:67:89')::macaddr
				END AS mac
			FROM generate_series(1, 2000) i) calls
		OFFSET 0) g
$$;
\c -
SET TimeZone = 'UTC';
CALL make_vb(1);
SELECT bool_and(uuid_vb_process_id(id) = pg_backend_pid() % 65536) FROM made_vb WHERE session = 1;
\c -
SET TimeZone = 'UTC';
CALL make_vb(2);
SELECT session, mode, count(DISTINCT id), count(DISTINCT mac) FROM made_vb
GROUP BY 1, 2 ORDER BY 1, 2;

\echo '-- the version is b, the time is the clock''s, the MAC fragment has 28 bits of the address'
SELECT n, before, uuid_vb_timestamp(id), after, mac, uuid_vb_mac_fragment(id) FROM made_vb
WHERE id <> relabeled(id, 11, get_byte(uuid_send(id), 8) / 16)
	OR uuid_vb_timestamp(id) IS DISTINCT FROM date_trunc('milliseconds', uuid_vb_timestamp(id))
	OR NOT uuid_vb_timestamp(id) BETWEEN date_trunc('milliseconds', before) AND after
	OR encode(uuid_vb_mac_fragment(id), 'hex') <> '0' || right(replace(mac::text, ':', ''), 7)
LIMIT 5;
\echo '-- without an address, it is random in each session and mode, as their counters may meet'
SELECT count(DISTINCT (session, mode)), count(DISTINCT (session, mode, fragment)),
	count(DISTINCT fragment), bool_and(length(fragment) = 4 AND get_byte(fragment, 0) < 16)
FROM made_vb, uuid_vb_mac_fragment(id) fragment WHERE mac IS NULL;

\echo '-- each mode has one counter for all addresses, with steps modulo 2^32'
SELECT session, mode, step, count(*)
FROM (SELECT session, mode, (counter - lag(counter) OVER (PARTITION BY session, mode ORDER BY n)
		+ 4294967296) % 4294967296 AS step
	FROM made_vb, uuid_vb_counter(id, mode) counter) s
WHERE step IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

\echo '-- mode sequential starts at a hash of the time, mode variable at random'
SELECT session, mode, CASE mode
	WHEN 'sequential' THEN uuid_vb_counter(id, mode) IN (start_at(before), start_at(after))
	ELSE uuid_vb_counter(id) <> lag(uuid_vb_counter(id)) OVER (PARTITION BY mode ORDER BY n) END
FROM made_vb WHERE n IN (SELECT min(n) FROM made_vb GROUP BY session, mode) ORDER BY 1, 2;

\echo '-- defaults and NULL; a call with a NULL mode does not change the state'
SELECT (uuid_vb_counter(a) - uuid_vb_counter(b) + 4294967296) % 4294967296 AS step,
	uuid_vb_mac_fragment(a) = uuid_vb_mac_fragment(b) AS mac, n
FROM (SELECT uuid_generate_vb() AS b, uuid_generate_vb(NULL) AS n, uuid_generate_vb('variable') AS a
	FROM generate_series(1, 1) OFFSET 0) g;
SELECT uuid_generate_vb('sequential', NULL) IS NOT NULL AS mac,
	uuid_generate_vb(mac => '08:00:2b:01:02:03')::text ~ '^.{14}bb01-0203-' AS only_mac,
	uuid_generate_vb(NULL, '08:00:2b:01:02:03') AS null_mode;

--
-- Arbitrary fields.  systems_vectors.sql and test/unit test their positions.
--
CREATE TEMP TABLE vb AS
SELECT overlay(md5(i::text) PLACING 'b' FROM 13 FOR 1)::uuid AS id FROM generate_series(1, 2000) i;

\echo '-- vb_to_uuid moves the time to the front, and uuid_to_vb moves it back'
SELECT id, vb_to_uuid(id) FROM vb
WHERE replace(vb_to_uuid(id)::text, '-', '') <> right(id::text, 12)
		|| left(replace(id::text, '-', ''), 20)
	OR uuid_to_vb(vb_to_uuid(id)) IS DISTINCT FROM id LIMIT 5;
SELECT v FROM generate_series(0, 15) v,
	overlay('013a65ca-76d2-20be-0ffc-314a0d537a50' PLACING to_hex(v) FROM 29) uuid
WHERE (result_of('uuid_to_vb($1::uuid)', uuid) <> '22023') <> (v = 11);

\echo '-- vb_fields returns all fields'
SELECT id, mode FROM vb, unnest('{variable, sequential}'::text[]) mode, vb_fields(id, mode) f
WHERE f IS DISTINCT FROM ROW(uuid_vb_timestamp(id), uuid_vb_counter(id, mode),
	uuid_vb_process_id(id), uuid_vb_mac_fragment(id)) LIMIT 5;
SELECT vb_fields('20be0ffc-314a-bd53-7a50-013a65ca76d2', 'none');

--
-- Groupon's Java code loses four bits of a counter from 2^31 on: vectors from
-- test/vectors/vb_java.py.
--
\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/vb_java.tsv"`
SELECT count(*), count(uuid_vb_counter(id, mode)) AS with_counter,
	count(*) FILTER (WHERE (uuid_vb_process_id(id), uuid_vb_mac_fragment(id), uuid_vb_timestamp(id))
		IS DISTINCT FROM (f[3]::int, ('\x0' || f[4])::bytea, from_unix_us(f[5]::numeric * 1000))
		OR uuid_vb_counter(id, mode) IS DISTINCT FROM CASE
			WHEN mode = 'sequential' OR f[2]::bigint < 2147483648 THEN f[2]::bigint END
		OR (vb_fields(id, mode)).counter IS DISTINCT FROM uuid_vb_counter(id, mode)) AS wrong
FROM vectors_of(:'lines'), LATERAL (SELECT f[6]::uuid AS id,
	CASE f[1] WHEN 'variable' THEN 'java' ELSE 'sequential' END AS mode) u;
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
\echo '-- an invalid address is rejected, and the setting keeps its value'
SET uuidnew.vb_mac = '08:00:2b:01:02';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
\echo '-- after the setting is emptied or reset, the bits are the same random bits as before'
SET uuidnew.vb_mac = '';
SELECT uuid_vb_mac_fragment(uuid_generate_vb()) = variable
	AND uuid_vb_mac_fragment(uuid_generate_vb('sequential')) = sequential FROM random_fragments;
BEGIN;
SET LOCAL uuidnew.vb_mac = '08002b010203';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
ROLLBACK;
SELECT uuid_vb_mac_fragment(uuid_generate_vb()) = variable FROM random_fragments;

\echo '-- only a superuser may change the setting, which applies to all roles'
SET uuidnew.vb_mac = '08:00:2b:01:02:03';
CREATE ROLE regress_uuidnew_user;
SET ROLE regress_uuidnew_user;
SET uuidnew.vb_mac = '';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());
RESET ROLE;
DROP ROLE regress_uuidnew_user;
\echo '-- an invalid value set before the library is loaded is removed'
\c -
SET uuidnew.vb_mac = 'eth0';
SELECT uuid_vb_timestamp(uuid_generate_vb()) IS NOT NULL;
SHOW uuidnew.vb_mac;
\c -
SET uuidnew.vb_mac = '0a-1b-2c-3d-4e-5f';
SELECT uuid_vb_mac_fragment(uuid_generate_vb());

DROP FUNCTION start_at;
DROP PROCEDURE make_vb;
DROP TABLE made_vb;
