--
-- What holds for every ID of every other system: as a UUID it has the same time,
-- the same place in the order and the same bits, and it comes back as it was.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SET jit = off;

-- Numbers of any size, their bits, and their digits in a base.  All of these, and
-- the UUIDs expected below, are made from the numbers alone.
CREATE FUNCTION two(n int) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$ SELECT round(2::numeric ^ n) $$;
CREATE FUNCTION part(n numeric, low int, width int) RETURNS numeric LANGUAGE sql IMMUTABLE AS
$$ SELECT mod(div(n, round(2::numeric ^ low)), round(2::numeric ^ width)) $$;
CREATE FUNCTION hex(n numeric, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT right(lpad(to_hex(div(n, 340282366920938463463374607431768211456)::bigint), 8, '0')
			 || lpad(to_hex(mod(div(n, 79228162514264337593543950336), 4294967296)::bigint), 8, '0')
			 || lpad(to_hex(mod(div(n, 18446744073709551616), 4294967296)::bigint), 8, '0')
			 || lpad(to_hex(mod(div(n, 4294967296), 4294967296)::bigint), 8, '0')
			 || lpad(to_hex(mod(n, 4294967296)::bigint), 8, '0'), digits) $$;
CREATE FUNCTION octets(n numeric, len int) RETURNS bytea LANGUAGE sql IMMUTABLE AS
$$ SELECT decode(hex(n, 2 * len), 'hex') $$;
CREATE FUNCTION digits(n numeric, alphabet text, len int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
	base bigint := length(alphabet);
	nine bigint := (base::numeric ^ 9)::bigint;
	chunk bigint;
	result text := '';
BEGIN
	FOR i IN 0 .. len - 1 LOOP
		IF i % 9 = 0 THEN
			chunk := mod(n, nine);
			n := div(n, nine);
		END IF;
		result := substr(alphabet, (chunk % base)::int + 1, 1) || result;
		chunk := chunk / base;
	END LOOP;
	RETURN result;
END $$;
CREATE FUNCTION alphabet(base int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT left(CASE base WHEN 64 THEN '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~'
						 WHEN 62 THEN '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
						 ELSE '0123456789abcdefghijklmnopqrstuvwxyz' END, base) $$;

-- numbers that look random and are the same in every run: 0 <= x < below; given
-- fewer hexadecimal digits than 32 they are small
CREATE FUNCTION hashed(hex text, below numeric) RETURNS numeric LANGUAGE sql IMMUTABLE AS
$$ SELECT div((('x' || lpad(hex, 32, '0'))::bit(64)::bit(63)::bigint * 9223372036854775808
			  + ('x' || right(hex, 16))::bit(64)::bit(63)::bigint) * below, 85070591730234615865843651857942052864) $$;

--
-- The systems, some also with an epoch or unit that is not their own.  An ID is
-- time * place + rest, with time < times and rest < rests; from first to last a
-- UUID holds its time, which counts units of so many microseconds.
--
CREATE TEMP TABLE systems (system text, more text, bits int, times numeric, rest_bits int,
	epoch timestamptz, unit numeric, form text, fields text);
INSERT INTO systems VALUES
	('snowflake', '', 64, two(41), 22, '2010-11-04 01:42:54.657', 1000, 'v8',
		'part(rest, 17, 5)::int, part(rest, 12, 5)::int, part(rest, 0, 12)::int'),
	('snowflake', ', ''2015-01-01''', 64, two(41), 22, '2015-01-01', 1000, 'v8',
		'part(rest, 17, 5)::int, part(rest, 12, 5)::int, part(rest, 0, 12)::int'),
	('snowflake', ', ''1960-01-01''', 64, two(41), 22, '1960-01-01', 1000, 'v8',
		'part(rest, 17, 5)::int, part(rest, 12, 5)::int, part(rest, 0, 12)::int'),
	('shardingid', '', 64, two(41), 23, '2011-08-24 21:07:01.721', 1000, 'v8',
		'part(rest, 10, 13)::int, part(rest, 0, 10)::int'),
	('shardingid', ', ''2020-02-29 12:34:56.789''', 64, two(41), 23, '2020-02-29 12:34:56.789', 1000, 'v8',
		'part(rest, 10, 13)::int, part(rest, 0, 10)::int'),
	('flakeid', '', 64, two(42), 22, '1970-01-01', 1000, 'v8',
		'part(rest, 17, 5)::int, part(rest, 12, 5)::int, part(rest, 0, 12)::int'),
	('flakeid', ', ''2011-03-13 07:06:40''', 64, two(42), 22, '2011-03-13 07:06:40', 1000, 'v8',
		'part(rest, 17, 5)::int, part(rest, 12, 5)::int, part(rest, 0, 12)::int'),
	('sonyflake', '', 64, two(39), 24, '2014-09-01', 10000, 'v8',
		'part(rest, 16, 8)::int, part(rest, 0, 16)::int'),
	('sonyflake', ', ''2025-01-01''', 64, two(39), 24, '2025-01-01', 10000, 'v8',
		'part(rest, 16, 8)::int, part(rest, 0, 16)::int'),
	('sonyflake', ', ''1970-01-01'', 1', 64, two(39), 24, '1970-01-01', 1000, 'v8',
		'part(rest, 16, 8)::int, part(rest, 0, 16)::int'),
	('sonyflake', ', ''2014-09-01'', 2147483647', 64, two(39), 24, '2014-09-01', 2147483647000, 'v8',
		'part(rest, 16, 8)::int, part(rest, 0, 16)::int'),
	('mastodon', '', 64, two(48), 16, '1970-01-01', 1000, 'v8',
		'rest::int'),
	('lexicaluuid', '', 128, two(63), 64, '1970-01-01', 1, 'v8',
		'octets(rest, 8)'),
	('elasticflake', '', 120, two(48), 72, '1970-01-01', 1000, 'v8',
		'octets(part(rest, 24, 48), 6), part(rest, 0, 24)::int'),
	('pushid', '', 120, two(48), 72, '1970-01-01', 1000, 'v8',
		'octets(rest, 9)'),
	('xid', '', 96, two(32), 64, '1970-01-01', 1000000, 'v8',
		'octets(part(rest, 40, 24), 3), part(rest, 24, 16)::int, part(rest, 0, 24)::int'),
	('objectid', '', 96, two(32), 64, '1970-01-01', 1000000, 'v8',
		'octets(part(rest, 24, 40), 5), part(rest, 0, 24)::int'),
	('flake', '', 128, two(64), 64, '1970-01-01', 1000, 'raw',
		'hex(part(rest, 16, 48), 12)::macaddr, part(rest, 0, 16)::int'),
	('ulid', '', 128, two(48), 80, '1970-01-01', 1000, 'raw',
		'octets(rest, 10)'),
	('sid', '', 128, two(63), 64, '1970-01-01', 0.001, 'raw',
		'time::bigint, rest::bigint'),
	('cuid', '', 128, 36::numeric ^ 8, NULL, '1970-01-01', 1000, 'raw',
		'div(rest, 36::numeric ^ 12)::int, digits(div(rest, 36::numeric ^ 8), alphabet(36), 4), digits(rest, alphabet(36), 8)'),
	('ksuid', '', 160, two(32), 128, '2014-05-13 16:53:20', 1000000, 'lossy',
		'octets(rest, 16)');
ALTER TABLE systems ADD place numeric, ADD rests numeric, ADD spare numeric, ADD first numeric, ADD last numeric;
UPDATE systems SET place = CASE system WHEN 'cuid' THEN round(36::numeric ^ 16) ELSE two(rest_bits) END,
	times = round(times), first = 0, last = round(times) - 1;
UPDATE systems SET rests = CASE system WHEN 'sid' THEN two(63) ELSE place END;

-- version 8 has 48 bits of milliseconds, and a one after the rest where that is
-- shorter than 74 bits, with its 10 bits below the millisecond
UPDATE systems SET first = greatest(0, ceil(-extract(epoch FROM epoch) * 1000000 / unit)),
	last = least(last, div(two(48) * 1000 - 1 - extract(epoch FROM epoch) * 1000000, unit)),
	spare = CASE WHEN unit >= 1000 THEN two(73 - rest_bits) END
WHERE form = 'v8';
SELECT system, more, bits, first, last FROM systems WHERE first > 0 OR last <> times - 1 ORDER BY 1, 2;

-- The types of its values: how the number of an ID is one, what makes it from a
-- UUID, and whether text in the order of "C" is in that of the numbers.
CREATE TEMP TABLE types (system text, type text, value text, back text, sorts bool);
INSERT INTO types VALUES
	('snowflake',   'bigint', '(''x'' || hex)::bit(64)::bigint', 'uuid_to_snowflake(id%s)', false),
	('shardingid',  'bigint', '(''x'' || hex)::bit(64)::bigint', 'uuid_to_shardingid(id%s)', false),
	('flakeid',     'bigint', '(''x'' || hex)::bit(64)::bigint', 'uuid_to_flakeid(id%s)', false),
	('flakeid',     'bytea',  'decode(hex, ''hex'')', 'int8send(uuid_to_flakeid(id%s))', true),
	('sonyflake',   'bigint', '(''x'' || hex)::bit(64)::bigint', 'uuid_to_sonyflake(id%s)', false),
	('mastodon',    'bigint', '(''x'' || hex)::bit(64)::bigint', 'uuid_to_mastodon(id%s)', false),
	('lexicaluuid', 'text',   'regexp_replace(hex, ''^(.{8})(.{4})(.{4})'', ''\1-\2-\3-'')', 'uuid_to_lexicaluuid(id%s)', true),
	('lexicaluuid', 'uuid',   'hex::uuid', 'uuid_to_lexicaluuid(id%s)::uuid', true),
	('elasticflake', 'text',  'translate(encode(octets(n, 15), ''base64''), ''+/'', ''-_'')', 'uuid_to_elasticflake(id%s)', false),
	('pushid',      'text',   'digits(n, ''-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'', 20)', 'uuid_to_pushid(id%s)', true),
	('xid',         'text',   'digits(n * 16, alphabet(32), 20)', 'uuid_to_xid(id%s)', true),
	('objectid',    'text',   'hex', 'uuid_to_objectid(id%s)', true),
	('objectid',    'bytea',  'decode(hex, ''hex'')', 'decode(uuid_to_objectid(id%s), ''hex'')', true),
	('flake',       'text',   'regexp_replace(digits(n, alphabet(62), 22), ''^0+(?=.)'', '''')', 'uuid_to_flake(id%s)', false),
	('flake',       'bytea',  'decode(hex, ''hex'')', 'uuid_send(flake_to_uuid(uuid_to_flake(id%s)))', true),
	('ulid',        'text',   'digits(n, ''0123456789ABCDEFGHJKMNPQRSTVWXYZ'', 26)', 'uuid_to_ulid(id%s)', true),
	('sid',         'decimal', 'time || ''-'' || lpad(rest::text, 19, ''0'')', 'uuid_to_sid(id%s)', false),
	('sid',         'hex',    'substr(hex, 1, 16) || ''-'' || substr(hex, 17)', 'uuid_to_sid(id%s, ''hex'')', true),
	('sid',         'base32', 'digits(time, alphabet(32), 13) || ''-'' || digits(rest, alphabet(32), 13)', 'uuid_to_sid(id%s, ''base32'')', true),
	('sid',         'base64', 'digits(time, alphabet(64), 11) || ''-'' || digits(rest, alphabet(64), 11)', 'uuid_to_sid(id%s, ''base64'')', true),
	('cuid',        'text',   '''c'' || digits(n, alphabet(36), 24)', 'uuid_to_cuid(id%s)', true),
	('ksuid',       'text',   'digits(n, alphabet(62), 27)', 'bytea_to_ksuid(ksuid_to_bytea(v%s))', true),
	('ksuid',       'bytea',  'decode(hex, ''hex'')', 'ksuid_to_bytea(bytea_to_ksuid(v%s))', true);

--
-- 10,000 IDs of each system: all pairs of extremes, then any numbers, small ones
-- and large ones.  us: microseconds since 1970; expected: the UUID.
--
CREATE TEMP TABLE ids AS
WITH random AS MATERIALIZED (
	SELECT *, right(md5(concat(i, system, more, 'time')), CASE i % 3 WHEN 0 THEN 32 ELSE 16 + i % 16 END) AS t,
			  right(md5(concat(i, system, more, 'rest')), CASE i / 3 % 3 WHEN 0 THEN 32 ELSE 1 + i % 32 END) AS r
	FROM systems, generate_series(0, CASE more WHEN '' THEN 2999 ELSE 799 END) i),
small AS MATERIALIZED (
	SELECT *, CASE WHEN i < 9 THEN 0 ELSE hashed(t, last - first + 1) END AS a,
			  CASE WHEN i < 9 THEN 0 ELSE hashed(r, rests) END AS b FROM random),
numbers AS MATERIALIZED (
	SELECT *, CASE i % 3 WHEN 1 THEN last - a ELSE first + a END AS time,
			  CASE i / 3 % 3 WHEN 1 THEN rests - 1 - b ELSE b END AS rest FROM small),
timed AS MATERIALIZED (
	SELECT *, time * place + rest AS n, extract(epoch FROM epoch) * 1000000 + trunc(time * unit) AS us FROM numbers),
payloads AS MATERIALIZED (
	SELECT *, div(us, 1000) * two(74) + CASE WHEN form = 'lossy' THEN mod(rest, two(74))
											 WHEN spare IS NULL THEN mod(us, 1000) * two(64) + rest
											 ELSE (2 * rest + 1) * spare END AS payload
	FROM timed),
uuids AS MATERIALIZED (
	SELECT *, CASE form WHEN 'raw' THEN n ELSE div(payload, two(74)) * two(80) + 8 * two(76) + part(payload, 62, 12) * two(64)
											   + two(63) + part(payload, 0, 62) END AS u FROM payloads)
SELECT system, more, i, time, rest, n, hex(n, bits / 4) AS hex, us, hex(u, 32)::uuid AS expected FROM uuids;

-- all of them
CREATE TEMP TABLE made (system text, more text, type text, n numeric, us numeric, expected uuid, value text,
	id uuid, back text, ts timestamptz, id_ts timestamptz, fields text, id_fields text, expected_fields text);
DO $$
DECLARE
	s record;
	holds text := 'us < 9224318016000000000';	-- timestamptz, at most
BEGIN
	FOR s IN SELECT * FROM systems NATURAL JOIN types LOOP
		EXECUTE format('INSERT INTO made SELECT system, more, %L, n, us, expected, v::text, id, (%s)::text, ts,
				CASE WHEN %s THEN %s END, CASE WHEN %s THEN %s_fields(v%s)::text END,
				CASE WHEN %s THEN %s END, ROW(ts, %s)::text
			FROM (SELECT *, %s_to_uuid%s(v%s) AS id, CASE WHEN %s THEN %s_timestamp(v%s) END AS ts
				  FROM (SELECT *, %s AS v FROM ids WHERE system = %L AND more = %L OFFSET 0) a OFFSET 0) b',
			s.type, format(s.back, s.more),
			holds, CASE s.form WHEN 'raw' THEN s.system || '_timestamp(id)' ELSE 'uuid_v8_timestamp(id, ''unix48'')' END,
			holds, s.system, s.more,
			holds, CASE s.form WHEN 'raw' THEN s.system || '_fields(id)::text' ELSE 'NULL' END, s.fields,
			s.system, CASE s.form WHEN 'lossy' THEN '_lossy' ELSE '' END, s.more, holds, s.system, s.more,
			s.value, s.system, s.more);
	END LOOP;
END $$;
SELECT system, more, type, count(*), count(DISTINCT value) > count(*) / 2 AS different, count(ts) > count(*) / 5 AS times
FROM made GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

\echo '-- the time that an ID says, read of it and of the UUID, to the millisecond in'
\echo '-- version 8; and what else it says'
SELECT system, more, type, value, us, ts FROM made
WHERE (us < 9224318016000000000) <> (ts IS NOT NULL) OR extract(epoch FROM ts) * 1000000 <> us LIMIT 5;
SELECT system, more, type, value, id, ts, id_ts FROM made m JOIN systems s USING (system, more)
WHERE CASE form WHEN 'raw' THEN ts ELSE date_trunc('milliseconds', ts) END IS DISTINCT FROM id_ts LIMIT 5;
SELECT system, more, type, value, fields, expected_fields FROM made WHERE ts IS NOT NULL AND fields IS DISTINCT FROM expected_fields LIMIT 5;
SELECT system, more, type, value, id, id_fields, expected_fields FROM made m JOIN systems s USING (system, more)
WHERE ts IS NOT NULL AND form = 'raw' AND id_fields IS DISTINCT FROM expected_fields LIMIT 5;

\echo '-- bit by bit'
SELECT system, more, type, value, id, expected FROM made WHERE id IS DISTINCT FROM expected LIMIT 5;

\echo '-- and back'
SELECT system, more, type, value, id, back FROM made WHERE back IS DISTINCT FROM value LIMIT 5;

\echo '-- in the same order'
SELECT system, more, type, count(*) FROM
	(SELECT system, more, type, rank() OVER (w ORDER BY n) AS by_number, rank() OVER (w ORDER BY id) AS by_uuid,
			CASE WHEN sorts THEN rank() OVER (w ORDER BY m.value COLLATE "C") END AS by_text
	 FROM made m JOIN types USING (system, type) WHERE system <> 'ksuid' WINDOW w AS (PARTITION BY system, more, type)) o
WHERE by_number <> by_uuid OR by_number <> by_text GROUP BY 1, 2, 3;

\echo '-- those of version 8 in that of time, whichever system they come from'
SELECT count(*) FILTER (WHERE ms < lag) AS wrong, count(*) FILTER (WHERE system <> lag_system) > 15000 AS mixed FROM
	(SELECT div(us, 1000) AS ms, lag(div(us, 1000)) OVER w AS lag, system, lag(system) OVER w AS lag_system
	 FROM made m JOIN systems s USING (system, more) WHERE form <> 'raw' WINDOW w AS (ORDER BY id)) o;

--
-- UUIDs that a system can have made, and others: each of its own with one bit
-- changed, those of the other systems, and any.
--
CREATE FUNCTION result_of(statement text, id uuid) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
	result text;
BEGIN
	EXECUTE statement INTO result USING id;
	RETURN result;
EXCEPTION WHEN OTHERS THEN
	RETURN SQLSTATE;
END $$;

CREATE TEMP TABLE uuids AS
SELECT system, more, encode(set_bit(o, bit, 1 - get_bit(o, bit)), 'hex') AS hex
FROM (SELECT system, more, uuid_send(expected) AS o FROM ids WHERE i IN (0, 100, 101, 102)) o, generate_series(0, 127) bit
UNION
SELECT s.system, s.more, hex
FROM systems s, (SELECT replace(expected::text, '-', '') FROM ids WHERE i IN (0, 4, 200)
	UNION ALL SELECT overlay(overlay(md5(i::text) PLACING to_hex(i % 16) FROM 13 FOR 1) PLACING to_hex(i / 16) FROM 17 FOR 1)
			  FROM generate_series(0, 255) i) u(hex);

CREATE TEMP TABLE tried AS
SELECT system, more, hex::uuid AS id,
	   result_of(format('SELECT %s_to_uuid(%s%s)', system, replace(format(back, more), '(id', '($1'), more), hex::uuid) AS result,
	   CASE form WHEN 'raw' THEN div(n, place) < times AND mod(n, place) < rests
				 ELSE part(n, 76, 4) = 8 AND part(n, 62, 2) = 2 AND us >= 0 AND mod(us, unit) = 0 AND div(us, unit) < times
					 AND CASE WHEN spare IS NULL THEN sub < 1000 ELSE mod(rest, 2 * spare) = spare END END AS valid
FROM (SELECT *, div(n, two(80)) * 1000 + CASE WHEN spare IS NULL THEN sub ELSE 0 END - extract(epoch FROM epoch) * 1000000 AS us
	  FROM (SELECT *, div(rest, two(64)) AS sub
			FROM (SELECT *, part(n, 64, 12) * two(62) + part(n, 0, 62) AS rest
				  FROM (SELECT *, ('x' || substr(hex, 1, 8))::bit(32)::bigint * two(96) + ('x' || substr(hex, 9, 8))::bit(32)::bigint * two(64)
								+ ('x' || substr(hex, 17, 8))::bit(32)::bigint * two(32) + ('x' || substr(hex, 25))::bit(32)::bigint AS n
						FROM uuids JOIN systems USING (system, more) WHERE form <> 'lossy' OFFSET 0) a OFFSET 0) b OFFSET 0) c OFFSET 0) d
	JOIN (SELECT DISTINCT ON (system) * FROM types ORDER BY system, type) t USING (system);

\echo '-- what no ID can have become is refused; all others become one, and it them'
SELECT system, more, id, result, valid FROM tried
WHERE result IS DISTINCT FROM CASE WHEN valid THEN id::text ELSE '22023' END ORDER BY 1, 2, 3 LIMIT 10;
SELECT system, more, valid, count(*) FROM tried GROUP BY 1, 2, 3 ORDER BY 1, 2, 3;

\echo '-- Times that version 8 does not hold, one unit before the first and after the'
\echo '-- last: no UUID, but read all the same.'
SELECT system, more, type, time,
	   result_of(format('SELECT %s_to_uuid(%s%s)', system, expression, more), NULL) AS to_uuid,
	   result_of(format('SELECT extract(epoch FROM %s_timestamp(%s%s)) * 1000000 = %s', system, expression, more, us), NULL) AS read
FROM (SELECT *, extract(epoch FROM epoch) * 1000000 + time * unit AS us,
			 replace(replace(value, 'hex', quote_literal(hex(time * place, bits / 4))), '''''', '''') AS expression
	  FROM systems JOIN types USING (system), LATERAL (VALUES (first - 1), (last + 1)) v(time)
	  WHERE form = 'v8' AND time BETWEEN 0 AND times - 1) v
ORDER BY 1, 2, 3, 4;

\echo '-- A key of a KSUID that has lost bits: KSUIDs of one sequence, which differ in'
\echo '-- their last 16 bits, have different keys in the same order.'
SELECT count(DISTINCT key), count(*) FILTER (WHERE key <= lag) AS wrong FROM
	(SELECT key, lag(key) OVER (ORDER BY id) FROM
		(SELECT id, ksuid_to_uuid_lossy(id) AS key
		 FROM (SELECT decode('0669f7efb5a1cd34b5f99d1154fb6853345c' || lpad(to_hex(i), 4, '0'), 'hex') AS id
			   FROM generate_series(0, 65535) i) i) k) o;

DROP FUNCTION two, part, hex(numeric, int), octets, digits, alphabet, hashed(text, numeric), result_of(text, uuid);
