# Random values as text, for random_calls.pl: functions in SQL.
package RandomValues;

use strict;
use warnings FATAL => 'all';

use Exporter 'import';

our @EXPORT = qw($random_values);

our $random_values = <<~'SQL';
	-- One of the elements
	CREATE FUNCTION one_of(VARIADIC choice text[]) RETURNS text
	LANGUAGE sql VOLATILE RETURN choice[1 + trunc(random() * cardinality(choice))];

	CREATE FUNCTION digits(n int, base int) RETURNS text
	LANGUAGE sql VOLATILE RETURN (
		SELECT coalesce(string_agg(substr('0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-',
										  1 + trunc(random() * base)::int, 1), ''), '')
		FROM generate_series(1, n));

	CREATE FUNCTION random_uuid() RETURNS text
	LANGUAGE plpgsql VOLATILE AS $$
	DECLARE
		id text := digits(32, 16);
	BEGIN
		CASE trunc(random() * 8)
			WHEN 0 THEN id := digits(32, 10);	-- reads as a date, perhaps
			WHEN 1 THEN id := '20' || digits(2, 10) || '0' || digits(1, 10) || '1' || digits(25, 10);
			WHEN 2 THEN id := repeat(one_of('0', 'f', '9', '7', '8'), 32);
			WHEN 3 THEN id := repeat(one_of('0', 'f'), 1 + trunc(random() * 31)::int) || id;
			WHEN 4 THEN		-- where draft keys begin
				id := one_of('02ffffffffff7fffbfffffffffffffff', '03000000000070008000000000000000');
				id := left(id, 12 + trunc(random() * 20)::int) || digits(20, 16);
			ELSE NULL;
		END CASE;
		id := left(id, 32);
		IF random() < 0.9 THEN
			id := overlay(id PLACING one_of('1', '6', '7', '8', '7', '8', digits(1, 16)) FROM 13);
		END IF;
		IF random() < 0.9 THEN
			id := overlay(id PLACING one_of('8', '9', 'a', 'b') FROM 17);
		END IF;
		RETURN id;
	END $$;

	CREATE FUNCTION random_time() RETURNS text
	LANGUAGE plpgsql VOLATILE AS $$
	BEGIN
		CASE trunc(random() * 8)
			WHEN 0 THEN RETURN one_of('-infinity', 'infinity', '4714-11-24 00:00:00+00 BC',
									  '294276-12-31 23:59:59.999999+00');
			WHEN 1 THEN RETURN '1970-01-01 00:00:00+00';
			WHEN 2 THEN RETURN now() - random() * random() * interval '100 years';
			WHEN 3 THEN RETURN timestamptz '4714-11-24 00:00:00+00 BC' + random() * interval '298900 years';
			WHEN 4 THEN RETURN timestamptz '1500-01-01 00:00:00+00' + random() * interval '10000 years';
			ELSE RETURN one_of('0001-01-01 00:00:00+00 BC', '1582-10-15 00:00:00+00',
				'1900-01-01 00:00:00+00',
							   '1970-01-01 00:00:00+00', '1995-07-09 16:12:48+00', '2000-01-01 00:00:00+00',
							   '2036-02-07 06:28:16+00', '2038-01-19 03:14:08+00',
							   '2074-07-11 11:41:23.328+00', '2106-02-07 06:28:16+00',
							   '2554-07-21 23:34:33.709552+00',
							   '4147-08-20 07:32:16+00', '5236-03-31 21:21:00.684698+00',
							   '10000-01-01 00:00:00+00',
							   '10889-08-02 05:31:50.656+00')::timestamptz
				+ trunc(random() * 5 - 2) * one_of('1 us', '1 ms', '100 ms', '1 second', '1 day')::interval;
		END CASE;
	END $$;

	CREATE FUNCTION random_number(bits int) RETURNS text
	LANGUAGE sql VOLATILE RETURN CASE trunc(random() * 4)
		WHEN 0 THEN one_of('0', '1', '-1', '2', '7', '8', '16', '32', '33', '62', '64')
		WHEN 1 THEN one_of((2::numeric ^ (bits - 1) - 1)::bigint::text,
			(-(2::numeric ^ (bits - 1)))::bigint::text)
		WHEN 2 THEN trunc((random() - 0.5) * 2 ^ trunc(random() * bits))::bigint::text
		ELSE trunc(random() * 40)::text END;

	CREATE FUNCTION random_text() RETURNS text
	LANGUAGE sql VOLATILE RETURN CASE trunc(random() * 10)
		WHEN 0 THEN one_of('', ' ', '%s', '\', '''', '"', E'\n', 'null', '-', '{}', '00:00', 'now')
		WHEN 1 THEN one_of('é', '日本語', '😀', E'\u0301', repeat('ß', 20), repeat('ü', 1000))
		WHEN 2 THEN CASE WHEN random() < 0.1 THEN repeat(one_of('x', '0', 'unix32', 'é'), 30000)
			ELSE digits(200, 62) END
		WHEN 3 THEN random_uuid()
		WHEN 4 THEN random_uuid()::uuid::text
		WHEN 5 THEN random_time()
		WHEN 6 THEN random_number(64)
		WHEN 7 THEN format('custom(%s%s, %s, %s)', abs(random_number(31)::bigint), one_of('s', '/s'),
						   trunc(random() * 66), trunc(random() * 34))
		ELSE digits(trunc(random() * 40)::int, one_of('10', '16', '32', '36', '58', '62', '64')::int) END;
	SQL

1;
