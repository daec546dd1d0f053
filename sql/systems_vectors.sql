\set ECHO none
--
-- IDs of other systems and their fields, from the systems' own tests and documentation, or
-- computed from their layouts.
--
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\set functions `echo "${PG_ABS_SRCDIR:-.}/test/functions.sql"`
\i :functions

-- A time in the format of the file, to the microsecond
CREATE FUNCTION iso(ts timestamptz) RETURNS text LANGUAGE sql STABLE AS
$$ SELECT to_char(ts, 'YYYY-MM-DD"T"HH24:MI:SS.US') $$;
CREATE FUNCTION unix_ms(ts timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT (extract(epoch FROM ts) * 1000)::bigint $$;
CREATE FUNCTION hex(n bigint, digits int) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT lpad(to_hex(n), digits, '0') $$;

\set lines `cat "${PG_ABS_SRCDIR:-.}/test/vectors/systems.tsv"`
CREATE TEMP TABLE examples AS
SELECT n, f[1] AS system, f[2] AS id, f[3] AS field, f[4] AS expected FROM vectors_of(:'lines');

-- The functions of a system and the type of its IDs; "looks" distinguishes several types of IDs.
-- "more" has further arguments for systems with a scale or variants.
CREATE TEMP TABLE systems (system text, looks text, prefix text, id text, more text);
INSERT INTO systems VALUES
	('LexicalUUID',          '',          'lexicaluuid',  '%L::text', ''),
	('Snowflake',            '',          'snowflake',    '%L::bigint', ''),
	('Snowflake/discord',    '',          'snowflake',    '%L::bigint', ', ''2015-01-01'''),
	('Snowflake/mastodon',   '',          'mastodon',     '%L::bigint', ''),
	('Flake',                '.{32}',     'flake',        'decode(%L, ''hex'')', ''),
	('Flake',                '^.{18}$',   'flake',        '%L::text', ''),
	('ShardingID',           '',          'shardingid',   '%L::bigint', ''),
	('KSUID',                '',          'ksuid',        '%L::text', ''),
	('Elasticflake',         '',          'elasticflake', '%L', ''),
	('FlakeID',              '^0x',       'flakeid',      'decode(substr(%L, 3), ''hex'')', ''),
	('FlakeID',              '^[1-9]',    'flakeid',      '%L::bigint', ''),
	('FlakeID/epoch=1300000000000', '^0x', 'flakeid',     'decode(substr(%L, 3), ''hex'')',
		', to_timestamp(1300000000)'),
	('FlakeID/epoch=1300000000000', '^[1-9]', 'flakeid',  '%L::bigint',
		', to_timestamp(1300000000)'),
	('Sonyflake/v1',         '',          'sonyflake',    '%L::bigint', ''),
	('Sonyflake/v2',         '',          'sonyflake',    '%L::bigint', ', ''2025-01-01'''),
	('orderedUuid',          '',          'ordered_uuid', '%L', ''),
	('COMB/postgresql',      '',          'comb',         '%L', ', ''postgresql'''),
	('COMB/sql',             '',          'comb',         '%L', ', ''sql'''),
	('COMB/legacy',          '',          'comb',         '%L', ', ''legacy'''),
	('ULID',                 '',          'ulid',         '%L::text', ''),
	('SID',                  '',          'sid',          '%L::text', ''),
	('pushID',               '',          'pushid',       '%L', ''),
	('XID',                  '',          'xid',          '%L', ''),
	('ObjectID',             '',          'objectid',     '%L::text', ''),
	('CUID',                 '',          'cuid',         '%L::text', ''),
	('LocalityUUID',         '',          'uuid_vb',      '%L', ''),
	('LocalityUUID/sequential', '',       'uuid_vb',      '%L', ', ''sequential''');

-- The SQL expression for each field of an example, for one system or (NULL) for all others.
-- %1$s is the prefix, %2$s the ID, %3$s its bare text.
CREATE TEMP TABLE fields (system text, field text, expression text);
INSERT INTO fields VALUES
	(NULL, 'timestamp_utc_iso8601', 'iso(%1$s_timestamp(%2$s))'),
	(NULL, 'uuid_raw',           '%1$s_to_uuid(%2$s)'),
	(NULL, 'uuid_v8_ms48',       '%1$s_to_uuid(%2$s)'),
	(NULL, 'uuid_v8_relabel',    '%1$s_to_uuid(%2$s)'),
	(NULL, 'uuid_pg_order',      '%1$s_convert(%2$s, ''postgresql'')'),
	(NULL, 'uuid_pg_order_unix_ms', '%1$s_convert(%2$s, ''postgresql'')'),
	(NULL, 'datacenter',         '(%1$s_fields(%2$s)).datacenter'),
	(NULL, 'worker',             '(%1$s_fields(%2$s)).worker'),
	(NULL, 'machine',            '(%1$s_fields(%2$s)).machine'),
	(NULL, 'shard',              '(%1$s_fields(%2$s)).shard'),
	(NULL, 'sequence',           '(%1$s_fields(%2$s)).sequence'),
	(NULL, 'counter',            '(%1$s_fields(%2$s)).counter'),
	(NULL, 'pid',                '(%1$s_fields(%2$s)).pid'),
	(NULL, 'mac',                '(%1$s_fields(%2$s)).mac'),
	(NULL, 'fingerprint',        '(%1$s_fields(%2$s)).fingerprint'),
	(NULL, 'random',             '(%1$s_fields(%2$s)).random'),
	(NULL, 'random_hex',         'encode((%1$s_fields(%2$s)).random, ''hex'')'),
	(NULL, 'worker_hex',         'encode((%1$s_fields(%2$s)).worker, ''hex'')'),
	(NULL, 'machine_hex',        'encode((%1$s_fields(%2$s)).machine, ''hex'')'),
	(NULL, 'munged_mac_hex',     'encode((%1$s_fields(%2$s)).address, ''hex'')'),
	(NULL, 'payload_hex',        'upper(encode((%1$s_fields(%2$s)).payload, ''hex''))'),
	(NULL, 'timestamp_ns',       '(%1$s_fields(%2$s)).nanoseconds'),
	(NULL, 'invalid',            'CASE result_of(''%1$s_timestamp($1)'', %3$s)
			WHEN ''22P02'' THEN ''reject'' END'),
	-- Discord's names for the same bits; 10 bits that systems divide in several ways
	('Snowflake/discord', 'worker', '(%1$s_fields(%2$s)).datacenter'),
	('Snowflake/discord', 'process', '(%1$s_fields(%2$s)).worker'),
	('Snowflake', 'machine10',
		  '(%1$s_fields(%2$s)).datacenter * 32 + (%1$s_fields(%2$s)).worker'),
	-- numbers that times are computed from
	('LexicalUUID', 'timestamp_raw_us',
		'(extract(epoch FROM %1$s_timestamp(%2$s)) * 1000000)::bigint'),
	('FlakeID', 'timestamp_raw_ms_hex', '''0x'' || to_hex(unix_ms(%1$s_timestamp(%2$s)))'),
	('ShardingID', 'timestamp_raw', 'unix_ms(%1$s_timestamp(%2$s)) - 1314220021721'),
	('KSUID', 'timestamp_raw',   'unix_ms(%1$s_timestamp(%2$s)) / 1000 - 1400000000'),
	('orderedUuid', 'timestamp_raw_10us',
		'(extract(epoch FROM %1$s_timestamp(%2$s)) * 100000)::bigint'),
	('COMB/legacy', 'days_since_1900', '%1$s_timestamp(%2$s)::date - date ''1900-01-01'''),
	('COMB/legacy', 'ticks_300ths', 'ceil(unix_ms(%1$s_timestamp(%2$s)) %% 86400000 * 0.3)'),
	-- IDs as other text
	('Flake', 'base62',          'uuid_to_%1$s(%1$s_to_uuid(%2$s))'),
	('KSUID', 'raw_hex',         'upper(encode(%1$s_to_bytea(%2$s), ''hex''))'),
	('CUID', 'int128_hex',       'replace(%1$s_to_uuid(%2$s)::text, ''-'', '''')'),
	('XID', 'raw_hex',           'hex(unix_ms(%1$s_timestamp(%2$s)) / 1000, 8)
			|| encode((%1$s_fields(%2$s)).machine, ''hex'')
			|| hex((%1$s_fields(%2$s)).pid, 4) || hex((%1$s_fields(%2$s)).counter, 6)'),
	-- Flake IDs become UUIDs of the same bits, so version 8 is computed here
	('Flake', 'uuid_v8_ms48',
		'uuid_v8((''x'' || hex(unix_ms(%1$s_timestamp(%2$s)), 12))::bit(48) || b''0000''
									|| substring(rest FOR 12) || b''00'' || substring(rest FROM 13)
										|| b''1000000000'')
									FROM (SELECT (''x'' || substr(encode(%2$s, ''hex''),
										17))::bit(64)) r(rest)'),
	-- the text of a LexicalUUID is also valid for a UUID, in the same order
	('LexicalUUID', 'uuid_raw',
		 'CASE WHEN %1$s_to_uuid(%3$s::uuid) = %1$s_to_uuid(%2$s) THEN %3$s::uuid END'),
	-- readers that check the version
	('orderedUuid', 'version',
		  'CASE WHEN uuid_to_%1$s(%1$s_to_uuid(%2$s)) = %2$s THEN substr(%3$s, 15, 1) END'),
	('LocalityUUID', 'version',
		 'CASE WHEN %1$s_timestamp(%2$s) IS NOT NULL THEN substr(%3$s, 15, 1) END'),
	('LocalityUUID', 'counter',  '%1$s_counter(%2$s)'),
	('LocalityUUID', 'pid',      '%1$s_process_id(%2$s)'),
	('LocalityUUID', 'mac28_hex', 'right(encode(%1$s_mac_fragment(%2$s), ''hex''), 7)'),
	('LocalityUUID/sequential', 'counter', '%1$s_counter(%2$s)'),
	('LocalityUUID/sequential', 'pid', '%1$s_process_id(%3$s::uuid)'),
	('LocalityUUID/sequential', 'timestamp_utc_iso8601', 'iso(%1$s_timestamp(%3$s::uuid))');

-- uuid_v8 for bits instead of octets
CREATE FUNCTION uuid_v8(bits bit varying) RETURNS uuid LANGUAGE sql IMMUTABLE AS
$$ SELECT uuid_v8(decode(string_agg(to_hex(substring(bits FROM i FOR 4)::bit(4)::int), ''
	ORDER BY i), 'hex'))
   FROM generate_series(1, 125, 4) i $$;

CREATE TEMP TABLE readings AS
SELECT e.*, CASE WHEN prefix IS NOT NULL THEN format(expression, prefix, format(s.id, e.id) || more,
	quote_literal(e.id)) END AS expression
FROM examples e
	LEFT JOIN systems s ON e.system = s.system AND e.id ~ s.looks
	LEFT JOIN fields f ON e.field = f.field
		AND f.system IS NOT DISTINCT FROM (SELECT o.system FROM fields o
			WHERE (o.system, o.field) = (e.system, e.field));

\echo '-- each example has exactly one expression, and each expression is used'
SELECT n, system, id, field, count(expression) FROM readings GROUP BY 1, 2, 3, 4
HAVING count(expression) <> 1;
SELECT system, looks FROM systems s
WHERE NOT EXISTS (SELECT FROM examples e WHERE e.system = s.system AND e.id ~ looks);
SELECT system, field FROM fields f
WHERE NOT EXISTS (SELECT FROM examples e
	WHERE e.field = f.field AND e.system = coalesce(f.system, e.system));

-- A time in the file has the number of digits of its source.
UPDATE readings SET expected = left(rpad(concat(rtrim(expected, 'Z'),
	CASE WHEN expected !~ '\.' THEN '.' END), 26, '0'), 26)
WHERE field = 'timestamp_utc_iso8601';

SELECT count(DISTINCT system) AS systems, count(*) AS examples FROM readings;
SELECT n, system, id, field, expected, result_of(expression) FROM readings
WHERE result_of(expression) IS DISTINCT FROM expected ORDER BY n;

\echo '-- the nanoseconds of a time are exact'
SELECT count(*) FROM examples
WHERE system = 'SID' AND field = 'timestamp_utc_iso8601'
	AND right(rtrim(expected, 'Z'), 9)::bigint = (sid_fields(id)).nanoseconds % 1000000000;

\echo '-- an example that is converted to a UUID converts back, if the type is the same'
SELECT count(DISTINCT (system, e.id)) FROM examples e JOIN systems s USING (system)
WHERE e.id ~ looks AND expected <> 'reject'
	AND result_of(format('uuid_to_%s(%s_to_uuid(%s)%s)', prefix, prefix,
		format(s.id, e.id) || more, more)) = e.id;

--
-- COMB GUIDs in their variants, and Laravel's ordered UUIDs
--
\echo '-- one COMB GUID in each variant and as version 8; test/unit tests any COMB GUID'
SELECT variant, id, comb_timestamp(id, variant), comb_to_uuid(id, variant),
	uuid_to_comb(comb_to_uuid(id, variant), variant) = id AS comes_back,
	(SELECT count(*) FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) other
	 WHERE comb_convert(comb_convert(id, variant, other), other, variant) = id) AS by_others
FROM unnest('{postgresql,sql,legacy,oracle}'::text[]) variant,
	comb_convert('018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7', 'postgresql', variant) id;
SELECT comb_timestamp(id) IS NOT NULL AND uuid_to_comb(comb_to_uuid(id)) = id AS by_default
FROM (VALUES (uuid '018e5f3b-ff4a-47cc-b5ba-d01c25cc63a7')) v(id);

\echo '-- UUIDs of other versions and variants have no time and are not converted'
SELECT id, variant
FROM generate_series(0, 15) v, generate_series(0, 15) n,
	unnest('{postgresql, sql, legacy, oracle}'::text[]) variant,
	relabeled('018e5f3b-ff47-07cc-05ba-919001862cc4', v, n) id
WHERE (comb_timestamp(id, variant) IS NOT NULL,
		result_of(format('comb_convert($1::uuid, %L, %1$L)', variant), id::text) <> '22023',
		result_of(format('comb_to_uuid($1::uuid, %L)', variant), id::text) <> '22023',
		result_of(format('uuid_to_comb($1::uuid, %L)', variant), id::text) <> '22023')
	<> (v = 4 AND n BETWEEN 8 AND 11, v = 4 AND n BETWEEN 8 AND 11, v = 4 AND n BETWEEN 8 AND 11,
		v = 8 AND n BETWEEN 8 AND 11)
ORDER BY 1, 2 LIMIT 5;

--
-- Ordered UUIDs: 48 bits of 10 microseconds
--
SELECT ordered_uuid_timestamp(id), ordered_uuid_to_uuid(id),
	uuid_to_ordered_uuid(ordered_uuid_to_uuid(id)) = id AS comes_back
FROM unnest('{9009ebcc-cd99-4b5f-90cf-9155607d2de9, ffffffff-ffff-4fff-bfff-ffffffffffff}'::uuid[])
	id;
SELECT v, n FROM generate_series(0, 15) v, generate_series(0, 15) n,
	relabeled('9009ebcc-cd99-0b5f-00cf-9155607d2de9', v, n) id
WHERE (ordered_uuid_timestamp(id) IS NOT NULL,
		result_of('ordered_uuid_to_uuid($1::uuid)', id::text) <> '22023',
		result_of('uuid_to_ordered_uuid($1::uuid)', id::text) <> '22023')
	<> (v IN (4, 8) AND n BETWEEN 8 AND 11, v = 4 AND n BETWEEN 8 AND 11,
		v = 8 AND n BETWEEN 8 AND 11);

DROP FUNCTION iso, unix_ms, hex(bigint, int), uuid_v8(bit varying);
