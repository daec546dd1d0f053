--
-- uuid_info: what any UUID is.
--
SET TimeZone = 'UTC';
\x
-- a time of each version
SELECT * FROM uuid_info('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT * FROM uuid_info('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
SELECT * FROM uuid_info('017f22e2-79b0-7cc3-98c4-dc0c0c07398f');
-- the draft's: written by PyPI's uuid7
SELECT * FROM uuid_info('061cb26a-54b8-7a52-8000-2124e7041024');
-- version 8: unix48, of which a Snowflake ID was made
SELECT * FROM uuid_info('0181ab11-8149-85e8-8008-000000000000');

-- no time
SELECT * FROM uuid_info('5df41881-3aed-3515-88a7-2f4a814cf09e');
SELECT * FROM uuid_info('919108f7-52d1-4320-9bac-f847db4148a8');
SELECT * FROM uuid_info('00000000-0000-0000-0000-000000000000');
SELECT * FROM uuid_info('ffffffff-ffff-ffff-ffff-ffffffffffff');

-- other systems: ULID, COMB GUID, version b
SELECT * FROM uuid_info(ulid_to_uuid('01ARYZ6S41TSV4RRFFQ69G5FAV'));
SELECT * FROM uuid_info('018e5f3b-ff48-4ba5-b01a-d01c25cc63a7');
SELECT * FROM uuid_info('20be0ffc-314a-bd53-7a50-013a65ca76d2');
\x

-- each layout is told from the others by a time of now, but unix32 from unix64, and the draft's three
SELECT made.layout, i.version,
	   CASE WHEN made.layout IN ('unix32', 'unix64') THEN i.layout IN ('unix32', 'unix64') ELSE i.layout IS NOT DISTINCT FROM made.told END AS is_told,
	   abs(extract(epoch FROM i."timestamp" - now())) < 60 AS now
FROM (SELECT 'v6' AS layout, NULL AS told, uuid_generate_v6() AS id
	  UNION ALL SELECT layout, CASE layout WHEN 'rfc9562' THEN layout ELSE 'microsecond' END, uuid_generate_v7(layout)
	  FROM (VALUES ('millisecond'), ('microsecond'), ('nanosecond'), ('rfc9562')) l(layout)
	  UNION ALL SELECT layout, layout, uuid_generate_v8(layout)
	  FROM (VALUES ('unix32'), ('unix48'), ('unix64'), ('ntp64'), ('gregorian60'), ('iso8601')) l(layout)) made, uuid_info(id) i;

-- it says what the readers of the versions say
SELECT count(*) FROM
	(SELECT uuid_generate_v7_at('2001-01-01'::timestamptz + i * interval '1 week') AS id FROM generate_series(0, 999) i) made, uuid_info(id) i
WHERE i."timestamp" = uuid_v7_timestamp(id) AND i.node = decode(right(id::text, 12), 'hex')
  AND i.sequence = ('x' || substr(id::text, 20, 4))::bit(16)::int & 16383;

-- every layout of the version is read, whatever the bits are
SELECT version, array_agg(DISTINCT length(regexp_replace(readings, '[^\n]', '', 'g')) + 1) AS readings
FROM (SELECT i.version, regexp_replace(i.readings, '\n[A-Z][^\n]*', '', 'g') AS readings
	  FROM generate_series(1, 2000) n, LATERAL (SELECT overlay(overlay(md5(n::text) PLACING (6 + n % 3)::text FROM 13) PLACING 'a' FROM 17)::uuid AS id) u, uuid_info(id) i) r
GROUP BY version ORDER BY version;

-- machine id, by the setting
SET uuidnew.machine_id_bits = 10;
SET uuidnew.machine_id = 517;
SELECT made.layout, i.machine_id
FROM (SELECT 'v6' AS layout, uuid_generate_v6() AS id
	  UNION ALL SELECT layout, uuid_generate_v7(layout) FROM (VALUES ('microsecond'), ('rfc9562')) l(layout)
	  UNION ALL SELECT layout, uuid_generate_v8(layout) FROM (VALUES ('unix48'), ('ntp64')) l(layout)
	  UNION ALL SELECT 'v4', gen_random_uuid()) made, uuid_info(id) i;
RESET uuidnew.machine_id;
RESET uuidnew.machine_id_bits;

SELECT uuid_info(NULL) IS NULL;
