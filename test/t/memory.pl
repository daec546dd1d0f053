# Calls leave nothing in memory, neither until the end of their query nor after
# it: 100,000 of each function, and many that end with an error; UUIDNEW_SOAK makes
# 5 million.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use Session;

plan skip_all => 'the memory of a process is read from /proc/self/status'
  if !-e '/proc/self/status';

my $calls = $ENV{UUIDNEW_SOAK} ? 5_000_000 : 100_000;
my $errors = $ENV{UUIDNEW_SOAK} ? 100_000 : 20_000;

# In octets: less than what is palloc'd for one of the calls, times them all.
my $limit = 1024 * 1024;

my $at = q{timestamptz '2021-06-15 12:00:00+00'};
my @expressions = (
	'uuid_v6_timestamp(uuid_generate_v6())',
	q{uuid_v7_timestamp(uuid_generate_v7())},
	q{uuid_v8_timestamp(uuid_generate_v8('iso8601'), 'iso8601')},
	q{uuid_v7_timestamp(uuid_generate_v7(substr('millisecond', 1, n - n + 11)))},
	q{uuid_machine_id(uuid_generate_v8('ntp64'), 32, 'ntp64')},
	qq{uuid_generate_v8_at($at, 'iso8601')},
	qq{uuid_v7_max($at + n * interval '1 us', 'rfc9562')},
	qq{uuid_v1_timestamp(uuid_v6_to_v1(uuid_generate_v6()))},
	q{uuid_v8(uuid_send(uuid_generate_v6()))},
	q{uuid_v7_layout(uuid_generate_v7())},
	q{uuid_v7_convert(uuid_generate_v7(), 'draft', 'rfc9562')},
	qq{uuid_v8_between(uuid_generate_v8('ntp64'), $at, NULL, 'ntp64')},
	q{(uuid_v8_fields(uuid_generate_v8('iso8601'), 'iso8601')).node},
	q{(uuid_info(uuid_generate_v7())).readings},
	qq{uuid_generate_v7_at($at, 'rfc9562', n % 1000)},
	q{uuid_v7_node(uuid_generate_v7('rfc9562', '\x010203'), 'rfc9562', 3)},
	q{uuid_generate_v8('custom(1000/s, 48, 12)')},
	q{uuid_v8_from_bits(uuid_v8_to_bits(uuid_generate_v8()))},
	q{uuidv7(interval '1 day')},
	q{ulid_timestamp(uuid_to_ulid(uuid_generate_v7()))},
	q{(ulid_fields(uuid_to_ulid(uuid_generate_v7()))).random},
	q{base58_to_uuid(uuid_to_base58(uuid_generate_v7()))},
	q{typeid_to_uuid(uuid_to_typeid(uuid_generate_v7(), 'order'), 'order')},
	q{uuid_time(uuidv47_decode(uuidv47_encode(uuidv7(), '\x000102030405060708090a0b0c0d0e0f'), }
	  . q{'\x000102030405060708090a0b0c0d0e0f'))},
	q{uuidv7_timestamp_micros(uuidv7())},
	q{uuid_vb_timestamp(uuid_generate_vb())});

my $node = start_server();
ask(<<~'SQL');
	CREATE EXTENSION uuidnew;

	-- What a session uses: as the server counts it, as the system does, and the
	-- most that it ever was.
	CREATE FUNCTION memory(OUT contexts bigint, OUT process bigint, OUT peak bigint)
	LANGUAGE sql AS $$
	SELECT (SELECT sum(total_bytes) FROM pg_backend_memory_contexts),
		   1024 * substring(status FROM 'RssAnon:\s*(\d+) kB')::bigint,
		   1024 * substring(status FROM 'VmHWM:\s*(\d+) kB')::bigint
	FROM pg_read_file('/proc/self/status') status;
	$$;

	CREATE FUNCTION call_in_vain(calls int) RETURNS int
	LANGUAGE plpgsql AS $$
	DECLARE
		errors int := 0;
	BEGIN
		FOR i IN 1 .. calls LOOP
			BEGIN
				CASE i % 10
					WHEN 0 THEN PERFORM uuid_generate_v7('no layout');
					WHEN 1 THEN PERFORM uuid_generate_v8('no layout');
					WHEN 2 THEN PERFORM uuid_machine_id(uuid_generate_v6(), 8, 'no layout');
					WHEN 3 THEN PERFORM uuid_generate_v6_at('infinity');
					WHEN 4 THEN PERFORM uuid_generate_v8_at('2040-01-01 00:00:00+00', 'ntp64');
					WHEN 5 THEN PERFORM uuid_generate_v8('unix64', '\x01020304050607');
					WHEN 6 THEN PERFORM uuid_v1_to_v6(uuid_generate_v6());
					WHEN 7 THEN PERFORM uuid_v8('\x01');
					WHEN 8 THEN PERFORM uuid_generate_v8('unix32', NULL, '2100-01-01 00:00:00+00');
					ELSE PERFORM uuid_v8_timestamp(uuid_generate_v8(), 'iso8601', 'infinity');
				END CASE;
			EXCEPTION WHEN OTHERS THEN
				errors := errors + 1;
			END;
		END LOOP;
		RETURN errors;
	END $$;
	SQL

# The result of a query in a new session, and whether its memory grew.  A short query
# comes first and fills the caches.
my $psql = Session->new($node);

sub growth
{
	my ($query, $count) = @_;
	my $short = $query =~ s/COUNT/1000/r;
	my $long = $query =~ s/COUNT/$count/r;

	return $psql->query(
		qq{\\c
SELECT 1 FROM memory() \\g /dev/null
$short \\g /dev/null
SELECT * FROM memory() \\gset before_
$long;
SELECT contexts - :before_contexts < $limit, process - :before_process < $limit,
	   peak - :before_peak < $limit
FROM memory();
});
}

for my $expression (@expressions)
{
	is( growth(
			"SELECT count(result) FROM (SELECT $expression AS result "
			  . "FROM (SELECT generate_series(1, COUNT) AS n) numbers OFFSET 0) calls",
			$calls),
		"$calls\nt|t|t",
		"$calls calls keep no memory: $expression");
}
is(growth('SELECT call_in_vain(COUNT)', $errors),
	"$errors\nt|t|t", "$errors calls that end with an error keep no memory");

# The memory for planning grows with the query. It would be 300 MB if each window of an OR listed all others,
# and 36 MB if each nested window simplified all that it contains.
ask('CREATE TABLE keys (id uuid, ts timestamptz, n int)');
my $window = 'uuidv7_between(id, ts, now())';
my $nested = $window;
$nested =~ s/ts/CASE WHEN $window THEN ts END/ for 1 .. 200;
for ([ 100, join ' OR ', map { "n = $_ OR $window" } 1 .. 2000 ], [ 20, $nested ])
{
	my ($megabytes, $condition) = @$_;

	is( $psql->query(
			qq{\\c
SELECT * FROM memory() \\gset before_
EXPLAIN SELECT FROM keys WHERE $condition \\g /dev/null
SELECT peak - :before_peak < $megabytes * $limit FROM memory();
}),
		't',
		"planning needs less than $megabytes MB: " . substr($condition, 0, 60));
}

# What the library keeps for itself, most of it never used
SKIP:
{
	my ($directory) = run_command([ 'pg_config', '--pkglibdir' ]);
	my $sizes = eval { (run_command([ 'size', glob "$directory/uuidnew.*" ]))[0] } // '';

	skip 'no size(1) here', 1 if $sizes !~ /^ *\d+\s+(\d+)\s+(\d+)/m;
	cmp_ok($1 + $2, '<', 64 * 1024, 'a session holds less than 64 kB');
}

$psql->quit;
done_testing();
