--
-- Version 1 with random bits in place of clock sequence and MAC address.
--
CREATE TEMP TABLE made AS
SELECT before, id, clock_timestamp() AS after
FROM (SELECT clock_timestamp() AS before, uuid_generate_v1_random() AS id FROM generate_series(1, 20000) OFFSET 0) g;
SELECT count(DISTINCT id) FROM made;

-- version and variant
SELECT DISTINCT substr(id::text, 15, 1) AS version, substr(id::text, 20, 1) IN ('8', '9', 'a', 'b') AS variant FROM made;

-- the time, to 100 ns, read of it and as version 6
SELECT count(*), min(before), min(uuid_v1_timestamp(id)), min(after) FROM made
WHERE NOT uuid_v1_timestamp(id) BETWEEN before AND after
   OR uuid_v6_timestamp(uuid_v1_to_v6(id)) IS DISTINCT FROM uuid_v1_timestamp(id)
   OR uuid_v6_to_v1(uuid_v1_to_v6(id)) IS DISTINCT FROM id
   OR substr(uuid_v1_to_v6(id)::text, 20) <> substr(id::text, 20);

-- 62 bits are random: each set in about half
SELECT bit, sum(set) FROM
	(SELECT bit, get_bit(('x' || replace(id::text, '-', ''))::bit(128), bit) AS set
	 FROM (SELECT id FROM made LIMIT 5000) m, generate_series(66, 127) bit) b
GROUP BY 1 HAVING sum(set) NOT BETWEEN 2250 AND 2750;

-- two in a row of a query
SELECT count(DISTINCT id) FROM (SELECT unnest(ARRAY[uuid_generate_v1_random(), uuid_generate_v1_random()]) AS id FROM generate_series(1, 3)) g;
