# A function is what its C function is, for the guard and in plans, and an operator its function.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use GuardWorld;

start_world();

#
# A function is what its C function is, whatever its owner makes of it.
#

$node->safe_psql('postgres', <<~'SQL');
	SET search_path = rfc9562, public;
	CREATE SCHEMA elsewhere;
	CREATE TABLE altered (id uuid PRIMARY KEY, n int);
	INSERT INTO altered
	SELECT id, n
	FROM generate_series(1, 9) n, make_timestamptz(2026, 1, n, 0, 0, 0, 'UTC') ts,
		LATERAL (VALUES (uuid_generate_v6_at(ts)), (uuid_generate_v7_at(ts)), (uuidv7_at(ts)),
			(uuid_generate_v8_at(ts)), (gen_random_uuid())) keys(id);
	SQL
my $two = q{'2026-01-03 00:00+00', '2026-01-06 00:00+00'};
my $one = q{'2026-01-04 00:00+00'};
my @functions = (
	# the function, its arguments after the key, the other kind's, a condition on its result
	[ 'uuid_v6_between(uuid, timestamptz, timestamptz)', $two ],
	[ 'uuid_v7_between(uuid, timestamptz, timestamptz)', $two, 'rfc9562', 'uuidv7_between' ],
	[ 'uuid_v7_between(uuid, timestamptz, timestamptz, text)', "$two, 'draft'", 'rfc9562', 'uuidv7_between' ],
	[ 'uuidv7_between(uuid, timestamptz, timestamptz)', $two, 'draft', 'uuid_v7_between' ],
	[
		'uuid_v8_between(uuid, timestamptz, timestamptz, text, timestamptz)',
		"$two, 'unix64', '1970-01-01 00:00+00'"
	],
	[ 'uuid_v7_before(uuid, timestamptz)', $one, 'rfc9562', 'uuidv7_before' ],
	[ 'uuid_v7_from(uuid, timestamptz)', $one, 'rfc9562', 'uuidv7_from' ],
	[ 'uuidv7_before(uuid, timestamptz)', $one, 'draft', 'uuid_v7_before' ],
	[ 'uuidv7_from(uuid, timestamptz)', $one, 'draft', 'uuid_v7_from' ],
	[ 'uuidv7_upto(uuid, timestamptz)', $one, 'draft', 'uuid_v7_between' ],
	[ 'uuidv7_after(uuid, timestamptz)', $one, 'draft', 'uuid_v7_between' ],
	[ 'uuid_v7_timestamp(uuid)', '', 'rfc9562', 'uuidv7_timestamp', "< $one" ],
	[ 'uuid_v7_timestamp(uuid, text)', q{'nanosecond'}, 'rfc9562', 'uuidv7_timestamp', "< $one" ],
	[ 'uuidv7_timestamp(uuid)', '', 'draft', 'uuid_v7_timestamp', "< $one" ],
	[ 'uuidv7_timestamp_micros(uuid)', '', 'draft', 'uuid_v7_timestamp', "< $one" ],
	[ 'uuid_v7_fields(uuid)', '', 'rfc9562', 'uuidv7_fields', 'IS NOT NULL' ],
	[ 'uuid_v7_fields(uuid, text)', q{'draft'}, 'rfc9562', 'uuidv7_fields', 'IS NOT NULL' ],
	[ 'uuidv7_fields(uuid)', '', 'draft', 'uuid_v7_fields', 'IS NOT NULL' ],
	map({ [ $_, undef ] } 'uuidv7()',
		'uuid_generate_v7()', 'uuid_generate_v7(text)',
		'uuid_generate_v6()', 'uuid_generate_v8(text, bytea, timestamptz)',
		'uuid_generate_v1_random()', 'uuid_generate_vb(text, macaddr)'));
foreach my $case (@functions)
{
	my ($function, $arguments, $holds, $right, $condition) = @$case;
	my ($name) = $function =~ /^(\w+)/;
	# what it finds, by index and by what removes rows; of a generator, whether its UUIDs differ
	my $try = sub {
		my ($called, $key) = (@_, 'id');
		my $call = "$called(" . join(', ', $key, $arguments || ()) . ')' . ($condition ? " $condition" : '');
		my $layout = $function =~ /v7\(text/ ? q{'draft'} : '';

		return "SELECT count(DISTINCT $called($layout)) FROM generate_series(1, 9)" if !defined $arguments;
		return
			"SELECT array_agg(n ORDER BY n) FROM altered WHERE $call; "
		  . "WITH gone AS (DELETE FROM altered WHERE $call RETURNING n) SELECT array_agg(n ORDER BY n) "
		  . "FROM gone";
	};
	my $expected = psql('BEGIN; SET LOCAL enable_seqscan = off; ' . $try->($name) . '; ROLLBACK');

	like(
		$expected,
		$arguments && !$condition ? qr/^\{[\d,]{3,}\}\n/ : qr/^(\{|9$)/,
		"$function finds something");
	foreach my $alter (
		[ 'SET search_path = pg_catalog', $name ],
		[ 'SECURITY DEFINER', $name ],
		[ 'RENAME TO other_name', 'other_name' ],
		[ 'SET SCHEMA elsewhere', "elsewhere.$name" ])
	{
		my ($what, $called) = @$alter;
		my $altered = "BEGIN; ALTER FUNCTION public.$function $what; SET LOCAL enable_seqscan = off;";

		is(psql("$altered " . $try->($called) . '; ROLLBACK'), $expected, "... and the same after $what");
		next if !$holds;
		like(
			psql("$altered " . $try->($called) =~ s/\baltered\b/$holds.plain/gr . '; ROLLBACK'),
			qr/^ERROR:  \w+\(\) reads layout .* holds layout "$holds".*^HINT:  Use $right\(\)\./ms,
			"... refused where it is the wrong one");
	}
	like(
		psql(
			<<~SQL
				BEGIN;
				ALTER FUNCTION public.$function SET search_path = '';
				SET LOCAL enable_seqscan = off;
				EXPLAIN
				SQL
			  . $try->($name) =~ s/;.*//r
			  . '; ROLLBACK'),
		qr/Index Cond: /,
		"... and is still planned by its bounds") if $arguments && !$condition;
}

# Operators are their functions.
my %of_operator = ('<' => 'before', '<=' => 'upto', '>=' => 'from', '>' => 'after');
foreach my $operator (sort keys %of_operator)
{
	foreach my $statement (
		'SELECT count(*) FROM TABLE WHERE id OP now()',
		'SELECT count(*) FILTER (WHERE id OP now()) FROM TABLE',
		'DELETE FROM TABLE WHERE id OP now()',
		'DELETE FROM TABLE WHERE n IN (SELECT k FROM keep) RETURNING id OP now()',
		'UPDATE TABLE SET n = n WHERE NOT id OP now() AND EXISTS (SELECT FROM keep)',
		'SELECT count(*) FROM keep WHERE EXISTS (SELECT FROM TABLE WHERE n = k AND id OP cutoff)',
		'SELECT (SELECT TABLE.id OP cutoff FROM keep WHERE k = 1) FROM TABLE',
		"PREPARE q(timestamptz) AS SELECT count(*) FROM TABLE WHERE id OP \$1; EXECUTE q('2026-01-01')",
		"PREPARE q(date) AS SELECT count(*) FROM TABLE WHERE id OP \$1; EXECUTE q('2026-01-01')")
	{
		my $sql = $statement =~ s/OP/$operator/gr =~ s/TABLE/plain/gr;

		like(
			psql("BEGIN; SET search_path = draft, public; $sql; ROLLBACK"),
			qr/ERROR:  uuidv7_$of_operator{$operator}\(\) reads layout "rfc9562", but column "id" of table "plain" holds layout "draft"/,
			"refused: $sql");
		unlike(psql("BEGIN; $sql; ROLLBACK; DEALLOCATE ALL"), qr/ERROR/, '... not of RFC 9562');
	}
}

#
# As strangers tried it
#

# 1. Retention with the wrong reader empties a table
foreach my $make ('uuidv7()', q{uuid_generate_v7('rfc9562')})
{
	$node->safe_psql('postgres', <<~SQL);
		DROP TABLE IF EXISTS ev;
		CREATE TABLE ev (id uuid PRIMARY KEY DEFAULT $make
			CHECK (uuid_v7_layout(id) = 'rfc9562'), what text);
		INSERT INTO ev (what) SELECT 'event ' || i FROM generate_series(1, 1000) i;
		ANALYZE ev
		SQL
	my ($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		DELETE FROM ev WHERE uuid_v7_between(id, NULL, now() - interval '90 days')
		SQL

	like(
		$stderr,
		qr/ERROR:  uuid_v7_between\(\) reads layout "draft", but column "id" of table "ev" holds layout "rfc9562"/,
		"users 1: the retention job with the wrong reader is refused, DEFAULT $make");
	is( $node->safe_psql('postgres',
			<<~'SQL'), 1000, 'users 1: with the right one it deletes nothing that is new');
				DELETE FROM ev WHERE uuidv7_between(id, NULL, now() - interval '90 days');
				SELECT count(*) FROM ev
				SQL
	is($node->safe_psql('postgres', <<~'SQL'), 1000, 'users 1: without a guard it deletes nothing');
		ALTER TABLE ev DROP CONSTRAINT ev_id_check;
		DELETE FROM ev WHERE uuid_v7_between(id, NULL, now() - interval '90 days');
		SELECT count(*) FROM ev
		SQL
	($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		SELECT uuid_v7_convert(id, 'draft', 'rfc9562') FROM ev LIMIT 1
		SQL
	like(
		$stderr,
		qr/ERROR:  UUID \S+ is not of layout "microsecond"/,
		'users 1: a key is not converted twice');
}

# 2. A dump of pg_uuidv7: the default has the same name, and means the draft's here
{
	my ($status, $stdout, $stderr) = $node->psql('postgres', <<~'SQL', on_error_stop => 0);
		CREATE TABLE from_pg_uuidv7 (id uuid DEFAULT public.uuid_generate_v7() NOT NULL, n int);
		COPY from_pg_uuidv7 (id, n) FROM stdin;
		018fc251-b1b5-7a21-9d31-d1f1ae1b8b0c	1
		018fc251-b1b6-7a21-9d31-d1f1ae1b8b0d	2
		\.
		ALTER TABLE from_pg_uuidv7 ADD CONSTRAINT of_rfc9562 CHECK (uuid_v7_layout(id) = 'rfc9562');
		INSERT INTO from_pg_uuidv7 (n) VALUES (3);
		SQL
	like(
		$stderr,
		qr/ERROR:  new row for relation "from_pg_uuidv7" violates check constraint "of_rfc9562"/,
		'users 2: a guarded column of pg_uuidv7 takes no key of the draft');
	is($node->safe_psql('postgres', <<~'SQL'), '3|t', 'users 2: with another default it does');
		ALTER TABLE from_pg_uuidv7 ALTER id SET DEFAULT uuidv7(); INSERT INTO from_pg_uuidv7 (n) VALUES (3);
		SELECT count(*), bool_and(uuidv7_timestamp(id) BETWEEN '2024-05-01' AND clock_timestamp())
		FROM from_pg_uuidv7
		SQL
}

# 8. Mistakes: names in another case are taken, the rest is an error, never silent
is( $node->safe_psql('postgres', <<~'SQL'),
	SELECT uuid_v7_layout(uuid_generate_v7('draft')), uuid_v7_layout(uuid_generate_v7('RFC9562')),
		uuid_v7_layout(uuid_generate_v7('Rfc9562'))
	SQL
	'draft|rfc9562|rfc9562', q{users 8: 'draft' and 'RFC9562' are layouts});
foreach my $mistake (
	[ 'a text parameter for the key', q{PREPARE q(text) AS SELECT uuid_v7_timestamp($1)}, '42883' ],
	[ 'a text column', q{SELECT uuid_v7_timestamp(id::text) FROM ev}, '42883' ],
	[ 'a window without ends', q{SELECT count(*) FROM ev WHERE uuid_v7_between(id)}, '42883' ],
	[ 'a window without an end', q{SELECT count(*) FROM ev WHERE uuidv7_between(id, now())}, '42883' ],
	[
		'tstzrange',
		q{SELECT count(*) FROM ev WHERE uuidv7_between(id, tstzrange(now() - interval '1 day', } . q{now()))},
		'42883'
	],
	[
		'a layout for uuidv7_between',
		q{SELECT count(*) FROM ev WHERE uuidv7_between(id, NULL, now(), } . q{'rfc9562')}, '42883'
	],
	[
		'a layout that is none',
		q{SELECT count(*) FROM ev WHERE uuid_v7_between(id, NULL, now(), } . q{'rfc')}, '22023'
	])
{
	my ($name, $sql, $state) = @$mistake;
	my ($status, $stdout, $stderr) =
	  $node->psql('postgres', "\\set VERBOSITY verbose\n$sql", on_error_stop => 0);

	like($stderr, qr/ERROR:  $state:/, "users 8: $name is an error");
}


$node->stop;
done_testing();
