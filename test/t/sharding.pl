# Tables in shards, as doc/distributed.md and doc/shards.sql have them: the examples
# that begin with "-- on" are run here, on three servers.  Then each of its claims: which server
# makes a key, what a foreign server is sent, which partitions are read.
use strict;
use warnings FATAL => 'all';

use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;

my $page = slurp_file("$FindBin::Bin/../../doc/distributed.md");
my @names = qw(coordinator shard1 shard2);
my %node;

# The examples of the file and of the page, in their order: where, and the lines.
my @examples;
for my $block (slurp_file("$FindBin::Bin/../../doc/shards.sql"), $page =~ /^```text\n(.*?)^```$/msg)
{
	my (undef, @parts) = split /^(#|--) on (.*)\n/m, $block;
	while (my ($comment, $where, $text) = splice @parts, 0, 3)
	{
		push @examples,
		  {
			kind => $comment eq '#' ? 'settings' : 'sql',
			nodes => [ split /, /, $where ],
			text => $text
		  };
	}
}
my @settings = grep { $_->{kind} eq 'settings' } @examples;
my @sql = grep { $_->{kind} eq 'sql' } @examples;

for my $name (@names)
{
	my $node = PostgreSQL::Test::Cluster->new($name);
	$node->init;
	$node->append_conf('postgresql.conf', $_->{text}) for grep { $_->{nodes}[0] eq $name } @settings;
	$node->append_conf('postgresql.conf',
		"jit = off\nautovacuum = off\nmax_logical_replication_workers = 0\nshared_buffers = 16MB");
	$node->start;
	$node->safe_psql('postgres', 'CREATE DATABASE app');
	$node{$name} = $node;
}

if ($node{coordinator}->psql('app', 'CREATE EXTENSION postgres_fdw') != 0)
{
	$_->stop for values %node;
	plan skip_all => 'postgres_fdw is not installed';
}
$node{coordinator}->safe_psql('app', 'DROP EXTENSION postgres_fdw');

is_deeply([ map { @{ $_->{nodes} } } @settings ], \@names, 'the page has settings for each server');
cmp_ok(scalar(@sql), '>=', 8, 'the page has examples');

sub on
{
	my ($name, $sql) = @_;
	return $node{$name}->safe_psql('app', $sql);
}

# A plan in one line
sub plan_of
{
	my ($query, $before) = @_;
	return on('coordinator', ($before // '') . "EXPLAIN (VERBOSE, COSTS off) $query") =~ s/\s+/ /gr;
}

for my $example (@sql)
{
	my $sql = $example->{text};
	for my $shard (@names[ 1, 2 ])
	{
		my ($host, $port) = ($node{$shard}->host, $node{$shard}->port);
		$sql =~ s/host '$shard'/host '$host', port '$port'/;
	}
	for my $name (@{ $example->{nodes} })
	{
		my ($status, undef, $stderr) =
		  $node{$name}->psql('app', $sql, on_error_stop => 1);
		is("$status$stderr", '0', "an example on $name")
		  or diag($sql);
	}
}

# Shards by hash.
is(on('coordinator', 'SELECT count(*), count(DISTINCT id) FROM events'),
	'1000|1000', 'hash: all rows are there');
my @spread = map { on("shard$_", "SELECT count(*) FROM events_$_") } 1, 2;
cmp_ok($_, '>', 400, 'hash: rows are spread evenly') for @spread;
is($spread[0] + $spread[1], 1000, 'hash: each row is on the shard of its hash');

my $id = on('shard2', 'SELECT id FROM events_2 ORDER BY 1 LIMIT 1');
my $plan = plan_of("SELECT * FROM events WHERE id = '$id'");
like($plan, qr/events_2.*Remote SQL: .*WHERE \(\(id = /, 'hash: a key is found by a window and itself');
unlike($plan, qr/events_1/, 'hash: one key asks one shard');
is(on('coordinator', "SELECT count(*) FROM events WHERE id = '$id'"), '1', 'hash: one key is found');

# Windows.  Rows of known times, from midnight on, an hour apart
on('coordinator', <<~'SQL');
	INSERT INTO events
	SELECT uuidv7_at('2025-02-03 00:00+00'::timestamptz + n * interval '1 minute'), 'known'
	FROM generate_series(0, 1439) n
	SQL
on("shard$_", "ANALYZE events_$_") for 1, 2;
my $window = q{'2025-02-03 06:00+00', '2025-02-03 07:00+00'};

my %query = (
	'constants, parent' => "SELECT * FROM events WHERE uuidv7_between(id, $window)",
	'constants, foreign table' => "SELECT * FROM events_1 WHERE uuidv7_between(id, $window)",
	'sub-select, parent' =>
	  q{SELECT * FROM events WHERE uuidv7_between(id, (SELECT now() - interval '1 hour'), NULL)},
	'sub-select, foreign table' =>
	  q{SELECT * FROM events_1 WHERE uuidv7_between(id, (SELECT now() - interval '1 hour'), NULL)},
	'now, parent' => q{SELECT * FROM events WHERE uuidv7_between(id, now() - interval '1 hour', NULL)},
	'now, foreign table' =>
	  q{SELECT * FROM events_1 WHERE uuidv7_between(id, now() - interval '1 hour', NULL)},
	'generic plan, parent' => "EXECUTE windowed($window)",
	'generic plan, foreign table' => "EXECUTE windowed_1($window)");
my $prepare = <<~'SQL';
	SET plan_cache_mode = force_generic_plan;
	PREPARE windowed(timestamptz, timestamptz) AS SELECT * FROM events WHERE uuidv7_between(id, $1, $2);
	PREPARE windowed_1(timestamptz, timestamptz) AS SELECT * FROM events_1 WHERE uuidv7_between(id, $1, $2);
	SQL

# A window without an upper bound ends where RFC 9562 keys do: a constant, which any server understands.
my %part = (
	border => qr/\(id < '03000000-0000-7000-8000-000000000000'/,
	filter => qr/\(public\.uuidv7_is\(id\)\)/,
	since => qr/\(id >= (?:'0194ca64-|public\.uuidv7_since\()/,
	until => qr/\(id < (?:'0194ca9b-|public\.uuidv7_until\()/);
my %sent = (
	1 => {
		'constants' => 'filter since until',
		'generic plan' => 'filter since until',
		'sub-select' => 'border filter since',
		'now' => 'border filter'
	},
	0 => {
		'constants' => 'since until',
		'generic plan' => '',
		'sub-select' => 'border',
		'now' => 'border'
	});

my %rows;
for my $declared (1, 0)
{
	on('coordinator', "ALTER SERVER $_ OPTIONS (DROP extensions)") for $declared ? () : @names[ 1, 2 ];
	my $when = $declared ? 'extension declared' : 'not declared';

	for my $form (sort keys %query)
	{
		my $plan = plan_of($query{$form}, $prepare);
		my @remote = $plan =~ /Remote SQL: (.*?)(?: ->|$)/g;
		is(scalar(@remote), $form =~ /parent/ ? 2 : 1, "$form: the right shards are asked");
		for my $remote (@remote)
		{
			my $sent = join ' ', grep { $remote =~ $part{$_} } sort keys %part;
			is( $sent,
				$sent{$declared}{ $form =~ s/,.*//r },
				"$form, $when: the window is sent as the page says") or diag($plan);
		}
		my $rows = on('coordinator', "$prepare $query{$form}");
		$rows = join("\n", sort split /\n/, $rows);
		if ($declared)
		{
			$rows{$form} = $rows;
		}
		else
		{
			is($rows, $rows{$form}, "$form: the rows are the same");
		}
	}
}
is(scalar(split /\n/, $rows{"$_, parent"}), 60, "$_: right rows") for 'constants', 'generic plan';
is(scalar(split /\n/, $rows{"$_, parent"}), 1000, "$_: right rows") for 'sub-select', 'now';
on('coordinator', "ALTER SERVER $_ OPTIONS (ADD extensions 'uuidnew')") for @names[ 1, 2 ];

like(
	plan_of("SELECT count(*) FROM events WHERE uuidv7_timestamp(id) > '2025-02-03'"),
	qr/Remote SQL: .*uuidv7_timestamp\(id\)/,
	'other functions are sent to the shards');

# The shard uses its index for what it is sent.
like(
	on('shard1', "EXPLAIN SELECT id, kind FROM public.events_1 WHERE (public.uuidv7_between(id, $window))"),
	qr{Index.* (?:using|on) events_1_pkey},
	'a shard uses its index');

# Which server makes the key
is( on('coordinator', <<~'SQL'),
	COPY events (kind) FROM PROGRAM 'echo copied; echo copied; echo copied';
	SELECT DISTINCT uuid_machine_id(id, 4, 'rfc9562') FROM events WHERE kind <> 'known';
	SQL
	'3',
	'INSERT and COPY: the coordinator makes the key');

on('coordinator', <<~'SQL');
	CREATE SCHEMA bare; CREATE SCHEMA full_of_defaults;
	IMPORT FOREIGN SCHEMA public LIMIT TO (events_1) FROM SERVER shard1 INTO bare;
	IMPORT FOREIGN SCHEMA public LIMIT TO (events_1) FROM SERVER shard1
		INTO full_of_defaults OPTIONS (import_default 'true');
	SQL
my ($status, undef, $stderr) =
  $node{coordinator}->psql('app', q{INSERT INTO bare.events_1 (kind) VALUES ('bare')});
like($stderr, qr/null value in column "id"/, 'foreign table without a default: NULL is sent');
is( on( 'coordinator', <<~'SQL'
	INSERT INTO full_of_defaults.events_1 (kind) VALUES ('imported')
	RETURNING uuid_machine_id(id, 4, 'rfc9562')
	SQL
	),
	'3',
	'foreign table with import_default: the coordinator makes the key');
on('coordinator', q{INSERT INTO events_1_insert VALUES ('theirs')});
is(on('shard1', q{SELECT uuid_machine_id(id, 4, 'rfc9562') FROM events_1 WHERE kind = 'theirs'}),
	'1', 'foreign table without the column: the shard makes the key');

# Shards by time
$plan = plan_of(q{SELECT * FROM log WHERE uuidv7_between(id, '2024-02-01 00:00+00', '2024-03-01 00:00+00')});
like($plan, qr/log_2024/, 'range: an old window asks the old server');
unlike($plan, qr/log_new/, 'range: an old window asks no other server');
is( on('coordinator', 'SELECT tableoid::regclass, line FROM log ORDER BY id'),
	"log_2024|an old line\nlog_new|a line of now",
	'range: rows go by their time');
is(on('shard1', 'SELECT line FROM log_2024'), 'an old line', 'range: the old row is on the shard');

my $own = $ENV{UUIDNEW_QUICK} ? 4_000 : 20_000;

# Shards that make their own rows, and all write at once: through the
# coordinator, into the foreign tables, and directly.
my @writers = map {
	my ($name, $n) = ($names[$_], $_);
	my $handle = IPC::Run::start(
		[
			'psql',
			'-XAtq',
			'-v',
			'ON_ERROR_STOP=1',
			'-d',
			$node{$name}->connstr('app'),
			map({ ('-c', "INSERT INTO made (item) SELECT 'of $name' FROM generate_series(1, $own)") } 1 .. 3)
		]);
	$handle
} 0 .. 2;
$_->finish or fail('a writer') for @writers;
is( on( 'coordinator', <<~'SQL'
	SELECT count(*), count(DISTINCT id) FROM made;
	SELECT item, uuid_machine_id(id, 4, 'rfc9562'), tableoid::regclass, count(*) FROM made GROUP BY 1, 2, 3
	ORDER BY 2;
	SQL
	),
	9 * $own . '|' . 9 * $own . "\n" . join("\n", map { "of $names[$_ % 3]|$_|made_$_|" . 3 * $own } 1 .. 3),
	'own rows: each server has its number, and no key comes twice');

$id = on('shard2', 'SELECT id FROM made ORDER BY 1 LIMIT 1');
unlike(
	plan_of(
			"SELECT * FROM made WHERE id = '$id' AND "
		  . "uuid_machine_id(id, 4, 'rfc9562') = uuid_machine_id('$id', 4, 'rfc9562')"),
	qr/made_[01]/,
	'own rows: the machine id asks one server');
like(
	plan_of("EXECUTE one('$id')", <<~'SQL'),
		SET plan_cache_mode = force_generic_plan;
		PREPARE one(uuid) AS SELECT * FROM made
			WHERE id = $1 AND uuid_machine_id(id, 4, 'rfc9562') = uuid_machine_id($1, 4, 'rfc9562');
		SQL
	qr/Subplans Removed: 2/,
	'own rows: the machine id asks one server when the plan does not know it, too');
is(scalar(() = plan_of("SELECT * FROM made WHERE id = '$id'") =~ /Scan/g),
	3, 'own rows: the key alone asks all');
($status, undef, $stderr) =
  $node{shard2}->psql('app', q{SET uuidnew.machine_id = 7; INSERT INTO made (item) VALUES ('wrong')});
like($stderr, qr/violates check constraint/, 'own rows: a key with another machine id is refused');

# A promoted server gets another number by a reload.
$node{shard2}->append_conf('postgresql.conf', 'uuidnew.machine_id = 9');
$node{shard2}->reload;
$node{shard2}->poll_query_until('app', q{SELECT uuid_machine_id(public.uuidv7(), 4, 'rfc9562') = 9})
  or fail('another number by a reload');

# The page's examples for one server, in another database
$node{shard1}->safe_psql('postgres', join("\n", $page =~ /^```sql\n(.*?)^```$/msg));
my $explain = sub {
	return $node{shard1}->safe_psql('postgres', "EXPLAIN (COSTS off) $_[0]");
};
my $one = $node{shard1}->safe_psql('postgres', 'SELECT id FROM clicks_0 ORDER BY 1 LIMIT 1');
unlike($explain->("SELECT * FROM clicks WHERE id = '$one'"),
	qr/clicks_1/, 'one server: one key is in one partition');
$plan =
  $explain->("SELECT * FROM clicks WHERE uuidv7_between(id, '2025-02-03 00:00+00', '2025-02-04 00:00+00')");
like($plan, qr/ on $_/, "one server: and asks $_ by its index") for qw(clicks_0 clicks_1);
unlike($plan, qr/Seq Scan/, 'one server: the partition is read by its index');

$_->stop('immediate') for values %node;
done_testing();
