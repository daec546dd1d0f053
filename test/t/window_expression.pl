# A window of time is one expression wherever it stands: its filter and its bounds.  These are evaluated as
# seldom as bounds by hand, and are the same in indexes and queries.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use WindowPlans;

start_plans();
make_tables('v7', 'uuid_generate_v7_at(at)');

# What a query is planned to do, after other statements
sub plan_of
{
	my ($sql, $condition) = @_;
	return ask(dated("$sql; EXPLAIN (COSTS OFF) SELECT * FROM events WHERE $condition"));
}

# The filter of a window is evaluated after bounds that are constants, and where no index finds these.
my $filter = qr/uuid_v7_is\(id\)/;
my $bounds = qr/\(id >= [^()]*\) AND \(id < [^()]*\)/;
foreach (
	[ 'sequential', qr/Filter: \($bounds AND $filter\)/ ],
	[ 'index', qr/Index Cond: \($bounds\)\n\s*Filter: $filter/ ],
	[ 'bitmap', qr/Filter: $filter\n.*\n\s*Index Cond: \($bounds\)/ ])
{
	my ($scan, $expected) = @$_;
	my $settings = join '; ', map { "SET enable_${_}scan = off" }
	  grep { index($_, $scan =~ /seq/ ? 'seq' : $scan) } qw(seq bitmap index indexonly);
	like(plan_of($settings, 'uuid_v7_between(id, <10>, <20>)'),
		$expected, "a $scan scan has the bounds, and then the filter");
	like(plan_of($settings, q{uuid_v7_between(id, NULL, <10>, 'DRAFT')}),
		$expected, "a $scan scan has both where an end is open");
}
my $by_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off';
is( plan_of($by_index, q{uuid_v7_between(id, <10>, now(), 'Microsecond')}),
	plan_of($by_index, q{uuid_v7_between(id, <10>, now())}),
	'a layout that is known is left out');
like(
	plan_of(
		"BEGIN; CREATE INDEX n_early ON events (n) WHERE uuid_v7_between(id, <5>, <15>); $by_index",
		q{n = 5 AND uuid_v7_between(id, <10>, <11>, 'draft')}),
	qr/Index Scan using n_early/,
	'a partial index of a window serves a window that is in it');

# What cannot stand in a query three times
ask(<<~'SQL');
	CREATE FUNCTION volatile_key(uuid) RETURNS uuid
		LANGUAGE plpgsql VOLATILE AS 'BEGIN RETURN $1; END';
	CREATE FUNCTION dear_key(uuid) RETURNS uuid
		LANGUAGE plpgsql IMMUTABLE COST 1000 AS 'BEGIN RETURN $1; END'
	SQL
foreach my $key (
	'volatile_key(id)', '(SELECT id)',
	'nullif(id, (SELECT max(id::text)::uuid FROM parted))', 'dear_key(id)')
{
	like(
		plan_of('', "uuid_v7_between($key, <10>, <15>)"),
		qr/Filter: uuid_v7_between\(.*, '[^']*[0-9]/,
		"a window of $key stays as it is");
}

# How often the planner evaluates an end
ask(<<~'SQL');
	CREATE SEQUENCE calls;
	CREATE FUNCTION counted(at timestamptz) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
	BEGIN
		PERFORM nextval('calls');
		RETURN at;
	END $$;
	CREATE FUNCTION calls_of(statement text) RETURNS bigint LANGUAGE plpgsql AS $$
	DECLARE
		plan json;
		before bigint := nextval('calls');
	BEGIN
		EXECUTE 'EXPLAIN (FORMAT JSON) SELECT * FROM ' || statement INTO plan;
		RETURN nextval('calls') - before - 1;
	END $$;
	CREATE TABLE many (id uuid) PARTITION BY RANGE (id);
	CALL split('many', '2020-01-01', 100, 'uuid_v7_min(%s)');
	ANALYZE many;
	SQL
foreach (
	[ '100 partitions', q[many WHERE {id; counted('2020-01-05'); counted('2020-03-01')}] ],
	[ 'partitions, since', 'parted WHERE {id; counted(<20>); NULL}' ],
	[ 'a table', 'events WHERE {id; counted(<20>); counted(<30>)}' ],
	[ 'two windows', 'events WHERE {id; counted(<20>); counted(<30>)} AND {id; counted(<25>); NULL}' ],
	[ 'OR', 'events WHERE {id; counted(<20>); counted(<30>)} OR {id; counted(<35>); counted(<40>)}' ],
	[ 'a join', 'events e JOIN parted USING (n) WHERE {e.id; counted(<20>); counted(<30>)}' ])
{
	my ($name, $query) = @$_;
	my @calls = map { "SELECT calls_of(${\ sql_literal($_)});" } as_call($query, 'v7'), by_hand($query, 'v7');
	my ($window, $twin) = split /\n/, ask("@calls");
	cmp_ok($twin, '>', 0, "$name: an end is evaluated");
	cmp_ok($window, '<=', $twin, "$name: no oftener than by hand");
}
is(ask(dated(<<~'SQL')), "1\nt\nt", 'ends are not evaluated for each row');
	SET enable_seqscan = off;
	SELECT setval('calls', 1);
	SELECT count(*) > 1000 FROM events WHERE uuid_v7_between(id, counted(<20>), counted(<30>));
	SELECT nextval('calls') < 20
	SQL

done_testing();
