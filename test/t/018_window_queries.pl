# Whatever query a window of time stands in, and whatever the planner makes of
# it: the result is that of a function of which the planner knows nothing.  Tables
# that say which layout they hold are read as that, and no query is refused.
# Random queries; QUERY_SEED repeats a run.
use strict;
use warnings FATAL => 'all';

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{QUERY_SEED} // (time ^ $$);
my $queries = $ENV{UUIDNEW_SOAK} ? 20000 : $ENV{UUIDNEW_QUICK} ? 150 : 300;
note("QUERY_SEED=$seed");
srand($seed);

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf(
	'postgresql.conf', q{
autovacuum = off
jit = off
timezone = 'UTC'
});
$node->start;

# A planner that does not come to an end takes all memory first.
my ($postmaster) = slurp_file($node->data_dir . '/postmaster.pid') =~ /^(\d+)/;
system('prlimit', "--pid=$postmaster", '--as=4000000000') == 0
  or note('the memory of the server has no limit');

$node->safe_psql(
	'postgres', q{
CREATE EXTENSION uuidnew;
CREATE FUNCTION plain_uuid_v7_between(uuid, timestamptz, timestamptz) RETURNS boolean
AS '$libdir/uuidnew', 'uuid_v7_between' LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;
CREATE FUNCTION plain_uuid_v7_between(uuid, timestamptz, timestamptz, text) RETURNS boolean
AS '$libdir/uuidnew', 'uuid_v7_between' LANGUAGE C IMMUTABLE PARALLEL SAFE;
CREATE FUNCTION plain_uuidv7_between(uuid, timestamptz, timestamptz) RETURNS boolean
AS '$libdir/uuidnew', 'uuidv7_between' LANGUAGE C IMMUTABLE LEAKPROOF PARALLEL SAFE;

CREATE TABLE plain (id uuid PRIMARY KEY, n int, ts timestamptz);
CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuid_v7_timestamp(id) IS NOT NULL), n int, ts timestamptz);
CREATE TABLE mixed (id uuid, n int, ts timestamptz);
CREATE INDEX ON mixed (id);
CREATE TABLE parted (id uuid PRIMARY KEY, n int, ts timestamptz) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (uuid_v7_min('2026-01-01')) TO (uuid_v7_min('2026-01-04'));
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (uuid_v7_min('2026-01-04')) TO (uuid_v7_min('2026-01-06'))
	PARTITION BY HASH (id);
CREATE TABLE parted_2_0 PARTITION OF parted_2 FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parted_2_1 PARTITION OF parted_2 FOR VALUES WITH (MODULUS 2, REMAINDER 1);
CREATE TABLE parted_3 PARTITION OF parted DEFAULT;
CREATE TABLE secured (id uuid PRIMARY KEY, n int, ts timestamptz);
CREATE TABLE secured_parted (id uuid PRIMARY KEY, n int, ts timestamptz) PARTITION BY RANGE (id);
CREATE TABLE secured_parted_1 PARTITION OF secured_parted FOR VALUES FROM (MINVALUE) TO (uuid_v7_min('2026-01-05'));
CREATE TABLE secured_parted_2 PARTITION OF secured_parted FOR VALUES FROM (uuid_v7_min('2026-01-05')) TO (MAXVALUE);
CREATE TABLE parent (id uuid, n int, ts timestamptz);
CREATE TABLE child (PRIMARY KEY (id)) INHERITS (parent);

-- guards, said in different ways; columns in another order, too
CREATE TABLE draft (id uuid PRIMARY KEY CHECK (uuid_v7_layout(id) = 'draft'), n int, ts timestamptz);
CREATE TABLE rfc9562 (id uuid PRIMARY KEY CHECK (uuid_v7_layout(id) = 'rfc9562'), n int, ts timestamptz);
CREATE TABLE draft_moved (gone int, n int CHECK (n < 1000), id uuid, ts timestamptz,
	CHECK (uuid_v7_between(id, '2020-01-01', NULL)), CHECK (uuid_v7_timestamp(id) IS NOT NULL));
ALTER TABLE draft_moved DROP gone;
CREATE INDEX ON draft_moved (id);
CREATE TABLE rfc9562_parted (id uuid PRIMARY KEY CONSTRAINT keys CHECK (uuid_v7_layout(id) = 'rfc9562'), n int, ts timestamptz,
	CONSTRAINT version CHECK (uuid_v7_timestamp(id) IS NOT NULL)) PARTITION BY RANGE (id);
CREATE TABLE rfc9562_parted_1 PARTITION OF rfc9562_parted FOR VALUES FROM (MINVALUE) TO (uuidv7_min('2026-01-05'));
CREATE TABLE rfc9562_parted_2 (ts timestamptz, n int, id uuid NOT NULL,
	CONSTRAINT keys CHECK (uuid_v7_layout(id) = 'rfc9562'), CONSTRAINT version CHECK (uuid_v7_timestamp(id) IS NOT NULL));
ALTER TABLE rfc9562_parted ATTACH PARTITION rfc9562_parted_2 FOR VALUES FROM (uuidv7_min('2026-01-05')) TO (MAXVALUE);
CREATE TABLE rfc9562_secured (n int, id uuid CHECK ('rfc9562' = uuid_v7_layout(id)), ts timestamptz);
CREATE TABLE draft_parent (id uuid CHECK (uuid_v7_layout(id) = 'draft'), n int, ts timestamptz);
CREATE TABLE draft_child () INHERITS (draft_parent);

CREATE TABLE source AS
SELECT uuid_generate_v7_at(ts, layout) AS id, (random() * 20)::int AS n, ts
FROM generate_series(timestamptz '2026-01-01', '2026-01-09 23:00', '5 hours') ts, unnest(ARRAY['microsecond', 'rfc9562']) layout;
INSERT INTO plain SELECT * FROM source UNION ALL SELECT gen_random_uuid(), 3, now() FROM generate_series(1, 3);
INSERT INTO checked SELECT * FROM source;
INSERT INTO mixed SELECT * FROM plain UNION ALL SELECT NULL, 4, NULL UNION ALL SELECT uuid_generate_v6_at('2026-01-03'), 5, NULL;
INSERT INTO parted SELECT * FROM plain;
INSERT INTO secured SELECT * FROM source;
INSERT INTO secured_parted SELECT * FROM source;
INSERT INTO parent SELECT * FROM mixed WHERE n % 2 = 0;
INSERT INTO child SELECT * FROM source WHERE n % 2 = 1;
INSERT INTO draft SELECT * FROM source WHERE uuid_v7_layout(id) = 'draft';
INSERT INTO rfc9562 SELECT * FROM source WHERE uuid_v7_layout(id) = 'rfc9562';
INSERT INTO draft_moved SELECT n, id, ts FROM draft;
INSERT INTO rfc9562_parted SELECT * FROM rfc9562;
INSERT INTO rfc9562_secured SELECT n, id, ts FROM rfc9562 UNION ALL SELECT 7, NULL, '2026-01-03';
INSERT INTO draft_parent SELECT * FROM draft WHERE n % 2 = 0;
INSERT INTO draft_child SELECT * FROM draft WHERE n % 2 = 1;
CREATE VIEW draft_view AS SELECT * FROM draft WHERE n <> 7;
CREATE VIEW rfc9562_barrier WITH (security_barrier) AS SELECT * FROM rfc9562 WHERE n <> 8;
CREATE VIEW draft_united AS SELECT id, n, ts FROM draft UNION ALL SELECT id, n, ts FROM draft_moved;
CREATE VIEW rfc9562_distinct AS SELECT DISTINCT id, n, ts FROM rfc9562_parted;
CREATE STATISTICS draft_time ON (uuid_v7_timestamp(id)) FROM draft;
CREATE VIEW a_view AS SELECT * FROM parted WHERE n <> 7;
CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM parted WHERE n <> 8;
CREATE VIEW united AS SELECT * FROM parted UNION ALL SELECT * FROM plain;

ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON secured USING (n <> 9);
ALTER TABLE secured_parted ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON secured_parted
	USING (n <> 10 AND (id IS NULL OR uuid_v7_between(id, '2026-01-02', NULL)));
ALTER TABLE rfc9562_secured ENABLE ROW LEVEL SECURITY;
CREATE POLICY visible ON rfc9562_secured USING (n <> 9 AND uuidv7_between(id, '2026-01-02', NULL));
CREATE ROLE reader;
GRANT SELECT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO reader;
ANALYZE;
});

my @tables = (
	qw(plain checked mixed parted parted parted secured secured_parted parent a_view barrier united),
	qw(draft draft_moved draft_parent draft_view draft_united),
	qw(rfc9562 rfc9562_parted rfc9562_secured rfc9562_barrier rfc9562_distinct));

# The layout that a name in a query holds: "draft", "rfc9562", or "" for both
my %layout;

sub layout_of
{
	my ($table) = @_;
	return $table =~ /^(draft|rfc9562)/ ? $1 : '';
}

sub any { return $_[ rand @_ ] }

# A day of the tables, sometimes a later or an earlier one
sub literal
{
	return sprintf "'2026-01-%02d %02d:00'::timestamptz", 1 + rand 10, rand 24;
}

# The end of a window, as far as the names in scope allow
sub end
{
	my ($depth, @scope) = @_;
	my $other = any(@scope);

	return any(
		\&literal, \&literal, \&literal,
		sub { 'NULL' },
		sub { q{now() - (now() - } . literal() . ')' },
		sub { "$other.ts" },
		sub { "$other.ts - interval '1 day'" },
		sub { "(SELECT max(ts) FROM plain WHERE n < 5)" },
		sub { $depth > 0 ? "(SELECT min(s.ts) FROM checked s WHERE s.n = $other.n)" : literal() })->();
}

sub window
{
	my ($depth, @scope) = @_;
	my @ends = map { end($depth, @scope) } 1 .. 2;

	# ends in order are found more
	@ends = sort @ends if "@ends" !~ /[.N]|now/ && rand() < 0.8;
	my $name = any(@scope);
	my @readers = (
		$layout{$name} eq 'rfc9562' ? () : ([ '@uuid_v7', '' ], [ '@uuid_v7', q{, 'microsecond'} ], [ '@uuid_v7', q{, 'DRAFT'} ]),
		$layout{$name} eq 'draft' ? () : ([ '@uuidv7', '' ], [ '@uuid_v7', q{, 'rfc9562'} ]));
	my ($reader, $layout) = @{ any(@readers) };

	return sprintf '%s_between(%s.id, %s%s)', $reader, $name, join(', ', @ends), $layout;
}

my $names = 0;

sub condition
{
	my ($depth, @scope) = @_;
	my ($one, $two) = (any(@scope), any(@scope));
	my $below = sub { return condition($depth - 1, @scope) };
	my $query = sub { my ($text) = query($depth - 1, @scope); return $text };

	return any(
		sub { window(0, @scope) },
		sub { "$one.n " . any('<', '>', '<>') . ' ' . int(rand 20) },
		sub { "$one.id IS NOT NULL" },
		sub { "$one.id >= uuid_v7_min(" . literal() . ')' },
		sub { "$one.id = $two.id" })->()
	  if $depth <= 0;
	return any(
		sub { window($depth, @scope) },
		sub { window($depth, @scope) },
		sub { join ' AND ', map { $below->() } 0 .. 1 + rand 2 },
		sub { '(' . join(' OR ', map { $below->() } 0 .. 1 + rand 2) . ')' },
		sub { 'NOT (' . $below->() . ')' },
		sub { '(' . $below->() . ') ' . any('IS TRUE', 'IS NOT TRUE', 'IS FALSE', 'IS NOT NULL') },
		sub { 'CASE WHEN ' . $below->() . ' THEN ' . $below->() . ' ELSE ' . $below->() . ' END' },
		sub { any('', 'NOT ') . 'EXISTS (SELECT ' . $query->() . ')' },
		sub { my ($text, $name) = query($depth - 1, @scope); "$one.id IN (SELECT $name.id $text)" },
		sub { "$one.n > (SELECT count(*) " . $query->() . ')' })->();
}

# A table, or a join of several; and its names
sub join_tree
{
	my ($depth, $count) = @_;

	if ($count == 1)
	{
		my $name = 't' . $names++;
		my $table = any(@tables);

		$layout{$name} = $layout{s} = layout_of($table);
		$table = "(SELECT * FROM $table s WHERE " . condition(0, 's') . any('', ' OFFSET 0', ' ORDER BY id LIMIT 30') . ')'
		  if rand() < 0.2;
		return ("$table $name", $name);
	}
	my ($left, @left) = join_tree($depth, 1);
	my ($right, @right) = join_tree($depth, $count - 1);

	return (
		"($left " . any('', '', 'LEFT ') . "JOIN $right ON $left[0].n = $right[0].n AND "
		  . condition($depth - 1, @left, @right) . ')',
		@left, @right);
}

# FROM and WHERE of a query, which sees what the outer ones do; and the names of
# its tables
sub query
{
	my ($depth, @outer) = @_;
	my ($first, @names) = join_tree($depth, any(1, 1, 2));
	my ($second, @more) = rand() < 0.3 ? join_tree($depth, any(1, 1, 2)) : ();

	$first .= ", $second" if $second;
	push @names, @more;
	return ("FROM $first WHERE " . condition($depth, @names, @names, @outer), @names);
}

my @settings = (
	'', '', 'SET enable_seqscan = off;',
	'SET enable_seqscan = off; SET enable_bitmapscan = off;',
	'SET enable_hashjoin = off; SET enable_mergejoin = off;',
	'SET enable_partitionwise_join = on; SET enable_partitionwise_aggregate = on;',
	'SET plan_cache_mode = force_generic_plan;',
	'SET constraint_exclusion = on;');

# What a query gives, with one of the two functions
sub result
{
	my ($prefix, $timeout, $statements) = @_;
	my ($status, $stdout, $stderr) = $node->psql(
		'postgres',
		"SET statement_timeout = '$timeout';" . $statements =~ s/@/$prefix/gr,
		on_error_stop => 1);

	return $status == 0 ? $stdout : $stderr =~ s/^psql:\S* //mgr;
}

my ($rows, $slow, $errors, $wrong) = (0, 0, 0, 0);
for (1 .. $queries)
{
	my $role = any('', 'SET ROLE reader;');
	my $depth = any(1, 2, 2, 3);
	my $table = any(grep { $_ !~ /united|barrier|distinct/ } @tables);
	my ($query, $t) = query($depth);

	$layout{t} = $layout{$t};
	$layout{u} = layout_of($table);
	my $statement = any(
		sub { "SELECT count(*), sum($t.n), md5(string_agg($t.id::text, ',' ORDER BY $t.id)) $query" },
		sub { 'SELECT count(*), count(*) FILTER (WHERE ' . condition($depth, $t) . ") $query" },
		sub { "SELECT $t.n, count(*) $query GROUP BY 1 HAVING bool_or(" . condition(1, $t) . ') ORDER BY 1' },
		sub { 'WITH t AS ' . any('', 'MATERIALIZED ') . "(SELECT $t.* $query) SELECT count(*), sum(t.n) FROM t WHERE " . condition(1, 't') },
		sub { "PREPARE q AS SELECT count(*), sum($t.n) $query; EXECUTE q" },
		sub { "BEGIN; WITH t AS (UPDATE $table u SET n = n + 1 WHERE " . condition($depth, 'u') . ' RETURNING u.id, u.n) SELECT count(*), sum(n) FROM t; ROLLBACK' },
		sub { "BEGIN; WITH t AS (DELETE FROM $table u WHERE " . condition($depth, 'u') . ' RETURNING u.n) SELECT count(*), sum(n) FROM t; ROLLBACK' })->();
	my $settings = any(@settings) . $role;

	# what takes long anyway is left out, so that no result depends on the time
	my $unknown = result('plain_', '3 s', $settings . $statement);
	if ($unknown =~ /statement timeout/)
	{
		$slow++;
		next;
	}
	my $known = result('', '120 s', $settings . $statement);

	if ($unknown =~ /ERROR/)
	{
		$errors++;
		next if $known =~ /ERROR/ && $known !~ /memory|timeout|server|reads layout/;
	}
	$rows++ if $known =~ /^[1-9]/;
	next if $known eq $unknown;
	$wrong++;
	diag("$settings $statement\n$known\nwith plain functions:\n$unknown");
	last if $wrong > 5;
}
is($wrong, 0, "$queries queries give the same");
note("$rows with rows, $slow take long, $errors with errors");
cmp_ok($rows, '>', $queries / 3, 'many have rows');
cmp_ok($errors, '<', $queries / 20, 'few end in an error, with either function');

$node->stop;
done_testing();
