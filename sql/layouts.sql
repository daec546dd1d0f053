--
-- What every layout of every version keeps: time, bounds, randomness; order: test/t/001_order.pl.
--
\set ECHO errors
\pset format unaligned
\pset tuples_only
SET TimeZone = 'UTC';

-- first and last: the range; unit: of the time read; bits before the sequence, of
-- the sequence, and that the node lends.  Version and variant are not counted.
CREATE TEMP TABLE layouts (version int, layout text, first timestamptz, last timestamptz,
	unit interval, time_bits int, seq_bits int, overflow int);
INSERT INTO layouts VALUES
	(6, NULL,          '1582-10-15',    '5236-03-31 21:21:00.684697', '1 us',   60, 14, 8),
	(7, 'millisecond', '1970-01-01',    '4147-08-20 07:32:15.999999', '1 ms',   48, 12, 14),
	(7, 'microsecond', '1970-01-01',    '4147-08-20 07:32:15.999999', '1 us',   60, 14, 8),
	(7, 'nanosecond',  '1970-01-01',    '4147-08-20 07:32:15.999999', '1 us',   74, 8, 8),
	(7, 'rfc9562',     '1970-01-01',    '10889-08-02 05:31:50.655999', '1 ms',  60, 6, 8),
	(8, 'unix32',      '1970-01-01',    '2106-02-07 06:28:15.999999', '1 s',    48, 12, 24),
	(8, 'unix48',      '1970-01-01',    '10889-08-02 05:31:50.655999', '1 ms',  48, 12, 14),
	(8, 'gregorian60', '1582-10-15',    '5236-03-31 21:21:00.684697', '1 us',   60, 8, 8),
	(8, 'unix64',      '1970-01-01',    '2554-07-21 23:34:33.709551', '1 us',   60, 8, 8),
	(8, 'ntp64',       '1900-01-01',    '2036-02-07 06:28:15.999999', '1 us',   60, 8, 8),
	(8, 'iso8601',     '0001-01-01 BC', '9999-12-31 23:59:59.999999', '100 ms', 60, 8, 21),
	(8, 'julian64',    '4714-11-24 BC', '294276-12-31 23:59:59.999999', '1 us', 64, 8, 14);

-- each layout that the library knows has a row
CREATE FUNCTION known_layouts(version int) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	hint text;
BEGIN
	EXECUTE format('SELECT uuid_generate_v%s(%L)', version, '');
EXCEPTION WHEN invalid_parameter_value THEN
	GET STACKED DIAGNOSTICS hint = PG_EXCEPTION_HINT;
	RETURN QUERY SELECT m[1] FROM regexp_matches(hint, '(?:are|,) "([^"]+)"', 'g') m;
END $$;
SELECT version, known_layouts(version) AS without_a_row FROM unnest(ARRAY[7, 8]) version
EXCEPT SELECT version, layout FROM layouts;
SELECT count(*) > 9 AS enough FROM unnest(ARRAY[7, 8]) version, known_layouts(version);

-- the functions of a version under one name
CREATE FUNCTION generate(version int, layout text) RETURNS uuid LANGUAGE sql VOLATILE AS
$$ SELECT CASE version WHEN 6 THEN uuid_generate_v6()
					   WHEN 7 THEN uuid_generate_v7(layout)
					   ELSE uuid_generate_v8(layout) END $$;
CREATE FUNCTION generate_at(version int, layout text, ts timestamptz) RETURNS uuid
	LANGUAGE sql VOLATILE AS
$$ SELECT CASE version WHEN 6 THEN uuid_generate_v6_at(ts)
					   WHEN 7 THEN uuid_generate_v7_at(ts, layout)
					   ELSE uuid_generate_v8_at(ts, layout) END $$;
CREATE FUNCTION time_of(version int, layout text, id uuid) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE version WHEN 6 THEN uuid_v6_timestamp(id)
					   WHEN 7 THEN uuid_v7_timestamp(id, layout)
					   ELSE uuid_v8_timestamp(id, layout) END $$;
CREATE FUNCTION min_of(version int, layout text, ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE version WHEN 6 THEN uuid_v6_min(ts)
					   WHEN 7 THEN uuid_v7_min(ts, layout)
					   ELSE uuid_v8_min(ts, layout) END $$;
CREATE FUNCTION max_of(version int, layout text, ts timestamptz) RETURNS uuid
	LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE version WHEN 6 THEN uuid_v6_max(ts)
					   WHEN 7 THEN uuid_v7_max(ts, layout)
					   ELSE uuid_v8_max(ts, layout) END $$;

CREATE FUNCTION bits_of(id uuid) RETURNS bit(128) LANGUAGE sql IMMUTABLE AS
$$ SELECT ('x' || replace(id::text, '-', ''))::bit(128) $$;
-- all but version and variant
CREATE FUNCTION payload_of(bits bit(128)) RETURNS bit(122) LANGUAGE sql IMMUTABLE AS
$$ SELECT (substring(bits FROM 1 FOR 48) || substring(bits FROM 53 FOR 12)
	|| substring(bits FROM 67))::bit(122) $$;

-- truncated to a unit that divides a second; from the first day on, as older minor
-- versions of date_bin are one unit off before the origin
CREATE FUNCTION trunc_to(ts timestamptz, unit interval) RETURNS timestamptz
	LANGUAGE sql IMMUTABLE AS
$$ SELECT CASE WHEN unit = '1 us' THEN ts
	ELSE date_bin(unit, ts, '4714-11-24 00:00:00+00 BC') END $$;
-- numbers that look random and are the same in every run: 0 <= x < 2^52
CREATE FUNCTION hashed(i int, salt text) RETURNS bigint LANGUAGE sql IMMUTABLE AS
$$ SELECT ('x' || left(md5(i || salt), 13))::bit(52)::bigint $$;

\echo '-- the last 32 bits are random in every UUID: each set in about half of 4,000'
SELECT version, l.layout, bit, sum(get_bit(bits, bit))
FROM layouts l,
	LATERAL (SELECT bits_of(generate(version, l.layout)) AS bits FROM generate_series(1, 4000) n
			 WHERE n > version OFFSET 0) g,
	generate_series(96, 127) bit
GROUP BY 1, 2, 3 HAVING sum(get_bit(bits, bit)) NOT BETWEEN 1800 AND 2200;

\echo '-- also with a constant argument a call for each row, and each of a row its own'
SELECT count(DISTINCT id) FROM
	(SELECT unnest(ARRAY[uuid_generate_v7('rfc9562'), uuid_generate_v7('rfc9562'),
		uuid_generate_v8('unix48'),
		uuid_generate_v6_at('2026-01-01'), uuid_generate_v7_at('2026-01-01'),
			uuid_generate_v8_at('2026-01-01')]) AS id
	 FROM generate_series(1, 3)) g;

--
-- UUIDs for given times: edges, the microsecond before and after, and 2,000
-- that are spread over the layout's range.
--
CREATE TEMP TABLE times AS
SELECT version, layout, ts FROM layouts l,
	LATERAL (SELECT first UNION SELECT last
		UNION SELECT e + d * interval '1 us'
			  FROM unnest(ARRAY['1582-10-15', '1900-01-01', '1969-12-31 23:59:59', '1970-01-01',
				'1972-02-29',
				  '2000-01-01', '2000-02-29', '2026-06-30 12:34:56.789', '2038-01-19 03:14:08',
					'2100-02-28 23:59:59.5',
				  '2100-03-01', '2106-02-07 06:28:16', '2262-04-11 23:47:16.854776', '2400-02-29',
				  '4147-08-20 07:32:16', '9999-12-31 23:59:59.999']::timestamptz[]) e,
				   generate_series(-2, 2) d
		UNION SELECT first + (extract(epoch FROM least(last, '200000-01-01') - first)
			* hashed(i, 'ts') / (1::bigint << 52)) * interval '1 s'
					 + hashed(i, 'us') % 1000000 * interval '1 us'
			  FROM generate_series(1, 2000) i) t(ts)
WHERE ts BETWEEN first AND last;

\echo '-- come back to the layout''s unit: all random bits of 3 UUIDs make no difference'
SELECT version, layout, ts, time_of(version, layout, id), id FROM
	(SELECT t.*, unit, generate_at(version, t.layout, ts) AS id
	 FROM times t JOIN layouts l USING (version), generate_series(1, 3)
	 WHERE t.layout IS NOT DISTINCT FROM l.layout OFFSET 0) g
WHERE trunc_to(time_of(version, layout, id), unit) IS DISTINCT FROM trunc_to(ts, unit)
   OR NOT id BETWEEN min_of(version, layout, trunc_to(ts, unit))
	AND max_of(version, layout, trunc_to(ts, unit) + (unit - interval '1 us'))
ORDER BY 1, 2, 3 LIMIT 10;

\echo '-- sequence and node are random: 64 bits that are each set in about half'
SELECT version, layout, bit, sum(set) FROM
	(SELECT version, l.layout, bit, get_bit(payload, bit) AS set
	 FROM layouts l,
		  LATERAL (SELECT payload_of(bits_of(generate_at(version, l.layout, timestamptz '2026-01-01'
			+ i * interval '0'))) AS payload
				   FROM generate_series(1, 2000) i OFFSET 0) g,
		  generate_series(time_bits, 121) bit) b
GROUP BY 1, 2, 3 HAVING sum(set) NOT BETWEEN 850 AND 1150;

DROP FUNCTION known_layouts, generate, generate_at, time_of, min_of, max_of, bits_of, payload_of,
	trunc_to, hashed;
