--
-- Versions 1 and 6: conversion both ways.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

\echo '-- exact inverses, also where sequence and node are at their ends'
SELECT v1, uuid_v1_to_v6(v1), uuid_v6_to_v1(uuid_v1_to_v6(v1)) = v1 AS inverse
FROM (VALUES ('c232ab00-9414-11ec-b3c8-9f6bdeced846'::uuid),
			 ('00000000-0000-1000-8000-000000000000'),
			 ('ffffffff-ffff-1fff-bfff-ffffffffffff'),
			 ('12345678-9abc-1def-8123-456789abcdef')) v(v1);

SELECT count(*) FROM
	(SELECT overlay(overlay(md5(i::text) PLACING '1' FROM 13 FOR 1)
					PLACING substr('89ab', 1 + i % 4, 1) FROM 17 FOR 1)::uuid AS v1
	 FROM generate_series(1, 10000) i) g
WHERE uuid_v6_to_v1(uuid_v1_to_v6(v1)) = v1
  AND uuid_v6_timestamp(uuid_v1_to_v6(v1)) = uuid_v1_timestamp(v1)
  AND right(uuid_v1_to_v6(v1)::text, 17) = right(v1::text, 17);

-- a column moves in place, and sorts by time afterwards
CREATE TABLE old_events (id uuid PRIMARY KEY, happened int);
INSERT INTO old_events
SELECT uuid_v6_to_v1(uuid_generate_v6_at(timestamptz '2015-03-01' + i
	* interval '3 days 5 hours 3 minutes')), i
FROM generate_series(1, 1000) i;
SELECT bool_and(happened > previous) AS in_order
FROM (SELECT happened, lag(happened) OVER (ORDER BY id) AS previous FROM old_events) o;
ALTER TABLE old_events ALTER COLUMN id TYPE uuid USING uuid_v1_to_v6(id);
SELECT bool_and(happened > previous) AS in_order
FROM (SELECT happened, lag(happened) OVER (ORDER BY id) AS previous FROM old_events) o;
SELECT uuid_v6_timestamp(id) FROM old_events WHERE happened = 1000;
DROP TABLE old_events;

\echo '-- only of the right version'
SELECT uuid_v1_to_v6(uuid_generate_v6());
SELECT uuid_v1_to_v6('5b6d6a9c-3c5e-4e5f-9d3c-2f1e0d9c8b7a');
SELECT uuid_v1_to_v6('00000000-0000-0000-0000-000000000000');
SELECT uuid_v1_to_v6('ffffffff-ffff-ffff-ffff-ffffffffffff');
SELECT uuid_v6_to_v1('c232ab00-9414-11ec-b3c8-9f6bdeced846');
SELECT uuid_v6_to_v1(NULL), uuid_v1_to_v6(NULL);
