# A statement with the function of the wrong kind changes no row, however it is written.  What is negated,
# and bounds that are written by hand, match all keys of the other kind: so retention jobs say what they
# delete.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Kinds;

my $node = start_kinds();
my $version = ask('SHOW server_version_num');

# The tables in schemas rfc9562 and draft: a thousand keys, one each hour, half of them old
my %kind = (
	rfc9562 => {
		generator => 'uuidv7_at',
		window => 'uuidv7_between(%s, NULL, %s)',
		before => 'uuidv7_before(%s, %s)',
		time => 'uuidv7_timestamp(%s)',
		min => 'uuidv7_min'
	},
	draft => {
		generator => 'uuid_generate_v7_at',
		window => 'uuid_v7_between(%s, NULL, %s)',
		before => 'uuid_v7_before(%s, %s)',
		time => 'uuid_v7_timestamp(%s)',
		min => 'uuid_v7_min'
	});
my $middle = q{timestamptz '2026-01-21 20:00+00'};
foreach my $kind (sort keys %kind)
{
	ask(<<~SQL);
		CREATE SCHEMA $kind;
		SET search_path = $kind, public;
		CREATE TABLE keys (id uuid PRIMARY KEY, n int);
		INSERT INTO keys
		SELECT $kind{$kind}{generator}('2026-01-01 00:00+00'::timestamptz + n * interval '1 hour'), n
		FROM generate_series(0, 999) n;
		CREATE TABLE parted (LIKE keys INCLUDING ALL) PARTITION BY RANGE (id);
		CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO ($kind{$kind}{min}($middle));
		CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ($kind{$kind}{min}($middle)) TO (MAXVALUE);
		INSERT INTO parted TABLE keys;
		CREATE TABLE secured (LIKE keys INCLUDING ALL);
		INSERT INTO secured TABLE keys;
		ALTER TABLE secured ENABLE ROW LEVEL SECURITY;
		CREATE POLICY all_rows ON secured USING (n >= 0) WITH CHECK (true);
		CREATE VIEW plain_view AS SELECT * FROM keys;
		CREATE VIEW barrier WITH (security_barrier) AS SELECT * FROM keys WHERE n >= 0;
		CREATE TABLE accounts AS SELECT n FROM generate_series(0, 999) n;
		ANALYZE;
		SQL
}
ask(<<~'SQL');
	CREATE ROLE reader;
	GRANT USAGE ON SCHEMA rfc9562, draft TO reader;
	GRANT ALL ON ALL TABLES IN SCHEMA rfc9562, draft TO reader;
	SQL

# Statements on table TABLE: W{key} is a window up to the middle, B{key; time} the same of one end, T{key}
# the time of a key.  A row that is updated gets a negative n.  (Whatever a statement is, its windows match
# what their functions do: window_rows.)
my @statements = (
	'DELETE FROM TABLE WHERE W{id}',
	"DELETE FROM TABLE WHERE B{id; $middle}",
	"DELETE FROM TABLE WHERE T{id} < $middle",
	"DELETE FROM TABLE WHERE date_trunc('hour', T{id}) < $middle",
	"DELETE FROM TABLE WHERE T{id} BETWEEN '-infinity' AND $middle AND T{id} < $middle",
	'DELETE FROM TABLE USING accounts a WHERE a.n = TABLE.n AND W{TABLE.id}',
	'DELETE FROM TABLE WHERE EXISTS (SELECT FROM TABLE t WHERE t.id = TABLE.id AND W{t.id})',
	'WITH old AS MATERIALIZED (SELECT id, T{id} AS at FROM TABLE) DELETE FROM TABLE USING old '
	  . "WHERE old.id = TABLE.id AND at < $middle",
	"UPDATE TABLE SET n = CASE WHEN B{id; $middle} THEN -1 ELSE n END",
	"SET plan_cache_mode = force_generic_plan; PREPARE q(timestamptz) AS DELETE FROM TABLE WHERE B{id; \$1}; "
	  . "EXECUTE q($middle)",
	"DO \$\$ DECLARE day timestamptz := $middle; BEGIN DELETE FROM TABLE WHERE B{id; day}; END \$\$");
my @on_keys = (
	'INSERT INTO keys AS k SELECT id, n FROM parted ON CONFLICT (id) DO UPDATE SET n = -1 WHERE W{k.id}',
	$version < 150000
	? ()
	: 'MERGE INTO keys k USING accounts a ON a.n = k.n WHEN MATCHED AND W{k.id} THEN UPDATE SET n = -1',
	'SET ROLE reader; DELETE FROM secured WHERE W{id}',
	'DELETE FROM plain_view WHERE W{id}',
	'DELETE FROM barrier WHERE W{id}');

# A statement with the functions of a kind, or of both
sub filled
{
	my ($statement, $functions) = @_;
	return $statement =~ s/W\{(.*?)\}/sprintf $functions->{window}, $1, $middle/ger =~
	  s/B\{(.*?); (.*?)\}/sprintf $functions->{before}, $1, $2/ger =~
	  s/T\{(.*?)\}/sprintf $functions->{time}, $1/ger;
}

# So many rows of a kind's tables are changed by a statement, which is rolled back.
my $left = 'SELECT least('
  . join(', ', map { "(SELECT count(*) FROM $_ WHERE n >= 0)" } qw(keys parted secured)) . ')';

sub changed
{
	my ($kind, @statements) = @_;
	my $sql = "SET search_path = $kind, public;\n";
	foreach my $statement (@statements)
	{
		$sql .= "BEGIN;\n\\o /dev/null\n$statement;\n\\o\nRESET ROLE;\n"
		  . "SELECT 1000 - ($left);\nROLLBACK;\nRESET plan_cache_mode;\nDEALLOCATE ALL;\n";
	}
	return split /\n/, ask($sql);
}

sub is_changed
{
	my ($name, $kind, $expected, @statements) = @_;
	my @changed = changed($kind, @statements);
	my @wrong =
	  map { "$statements[$_]: $changed[$_] rows" } grep { $changed[$_] != $expected } 0 .. $#statements;
	is(scalar(@changed), scalar(@statements), "$name: all statements run");
	is(join("\n", @wrong), '', $name);
	return;
}

# On each kind: with its own functions, and with those of the other kind and of other versions
my @all = (
	@on_keys,
	map {
		my $table = $_;
		map { s/\bTABLE\b/$table/gr } @statements
	} qw(keys parted));
foreach my $kind (sort keys %kind)
{
	my $other = $kind eq 'draft' ? 'rfc9562' : 'draft';
	my $layout = $kind eq 'draft' ? 'rfc9562' : 'nanosecond';
	is_changed("$kind: its own functions change the old half",
		$kind, 500, map { filled($_, $kind{$kind}) } @all);
	my @others = (
		[ "the functions of kind $other", $kind{$other} ],
		[
			"the functions with layout '$layout'",
			{
				window => "uuid_v7_between(%s, NULL, %s, '$layout')",
				before => "uuid_v7_between(%s, '-infinity', %s, '$layout')",
				time => "uuid_v7_timestamp(%s, '$layout')"
			}
		]);
	push @others, [ 'operators', { %{ $kind{rfc9562} }, window => '%s < %s', before => '%s < %s' } ],
	  [
		'ranges',
		{ %{ $kind{rfc9562} }, window => '%s <@ tstzrange(NULL, %s)', before => '%s <@ tstzrange(NULL, %s)' }
	  ];
	# those are of RFC 9562
	foreach my $own ($kind eq 'rfc9562' ? splice @others, -2 : ())
	{
		is_changed("$kind: $own->[0] change the old half", $kind, 500, map { filled($_, $own->[1]) } @all);
	}
	foreach my $wrong (@others)
	{
		my ($name, $functions) = @$wrong;
		is_changed("$kind: $name change nothing", $kind, 0, map { filled($_, $functions) } @all);
	}
	is_changed(
		"$kind: a window of the other kind to infinity changes nothing",
		$kind,
		0,
		map { "DELETE FROM keys WHERE " . sprintf($kind{$other}{window} =~ s/NULL/%s/r, 'id', @$_) }
		  [ 'NULL', 'NULL' ],
		[ q{'-infinity'}, 'NULL' ],
		[ 'NULL', q{'infinity'} ],
		[ q{'-infinity'}, q{'infinity'} ]);
}

# The other half: what matches all keys of the other kind.  A reader, a window or an operator says nothing
# of them.
foreach my $kind (sort keys %kind)
{
	my $wrong = $kind{ $kind eq 'draft' ? 'rfc9562' : 'draft' };
	my $since = $wrong->{window} =~ s/NULL, %s/%s, NULL/r;
	my @negations = (
		"NOT ${\ sprintf $since, 'id', $middle}",
		"${\ sprintf $since, 'id', $middle} IS NOT TRUE",
		"${\ sprintf $since, 'id', $middle} IS FALSE",
		"id NOT IN (SELECT id FROM keys WHERE ${\ sprintf $since, 'id', $middle})",
		"NOT EXISTS (SELECT FROM keys k WHERE k.id = keys.id AND ${\ sprintf $since, 'k.id', $middle})",
		"coalesce(${\ sprintf $wrong->{time}, 'id'}, '-infinity') < $middle",
		"${\ sprintf $wrong->{time}, 'id'} IS NULL",
		$kind eq 'rfc9562' ? "id < uuid_v7_min($middle)" : "id >= uuidv7_min($middle)",
		$kind eq 'draft' ? ("NOT id >= $middle", "NOT id <@ tstzrange($middle, NULL)") : ());
	is_changed("$kind: what negates the other kind's window matches every key",
		$kind, 1000, map { "DELETE FROM keys WHERE $_" } @negations);
}
is(ask(<<~SQL), '1000|1000|0|0', 'NOT matches version 4, NOT BETWEEN does not');
	WITH random AS MATERIALIZED (SELECT gen_random_uuid() AS id FROM generate_series(1, 1000))
	SELECT count(*) FILTER (WHERE NOT id >= $middle),
		count(*) FILTER (WHERE NOT id <@ tstzrange($middle, NULL)),
		count(*) FILTER (WHERE id NOT BETWEEN $middle AND $middle),
		count(*) FILTER (WHERE id < $middle OR id >= $middle)
	FROM random
	SQL
$node->stop;
done_testing();
