# Tables in shards, as doc/distributed.md and doc/shards.sql have them: the examples
# that begin with "-- on" are run here, on three servers.  Then each of its claims: which server
# makes a key, what a foreign server is sent, which partitions are read.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server qw(start_server);

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
	my $conf = join '', map { $_->{text} } grep { $_->{nodes}[0] eq $name } @settings;
	my $node = start_server($conf . "max_logical_replication_workers = 0\nshared_buffers = 16MB", $name);
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

my %window = (
	'constants' => $window,
	'sub-select' => q{(SELECT now() - interval '1 hour'), NULL},
	'now' => q{now() - interval '1 hour', NULL});
my %query = ('generic plan' => "EXECUTE windowed($window)");
$query{$_} = "SELECT * FROM events WHERE uuidv7_between(id, $window{$_})" foreach keys %window;
my $prepare = <<~'SQL';
	SET plan_cache_mode = force_generic_plan;
	PREPARE windowed(timestamptz, timestamptz) AS SELECT * FROM events WHERE uuidv7_between(id, $1, $2);
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
		is(scalar(@remote), 2, "$form: both shards are asked");
		for my $remote (@remote)
		{
			my $sent = join ' ', grep { $remote =~ $part{$_} } sort keys %part;
			is($sent, $sent{$declared}{$form}, "$form, $when: the window is sent as the page says")
			  or diag($plan);
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
is(scalar(split /\n/, $rows{$_}), 60, "$_: right rows") for 'constants', 'generic plan';
is(scalar(split /\n/, $rows{$_}), 1000, "$_: right rows") for 'sub-select', 'now';
on('coordinator', "ALTER SERVER $_ OPTIONS (ADD extensions 'uuidnew')") for @names[ 1, 2 ];

# Which server makes the key
is( on('coordinator', <<~'SQL'),
	COPY events (kind) FROM PROGRAM 'echo copied; echo copied; echo copied';
	SELECT DISTINCT uuid_machine_id(id, 4, 'rfc9562') FROM events WHERE kind <> 'known';
	SQL
	'3',
	'INSERT and COPY: the coordinator makes the key');

on('coordinator', q{INSERT INTO events_1_insert VALUES ('theirs')});
is(on('shard1', q{SELECT uuid_machine_id(id, 4, 'rfc9562') FROM events_1 WHERE kind = 'theirs'}),
	'1', 'foreign table without the column: the shard makes the key');

# Shards by time
$plan = plan_of(q{SELECT * FROM log WHERE uuidv7_between(id, '2024-02-01 00:00+00', '2024-03-01 00:00+00')});
like($plan, qr/log_2024/, 'range: an old window asks the old server');
unlike($plan, qr/log_new/, 'range: an old window asks no other server');

my $own = 10_000;

# Shards that make their own rows: through the coordinator, into the foreign tables, and directly
on($_, "INSERT INTO made (item) SELECT 'of $_' FROM generate_series(1, $own)") foreach @names;
is( on( 'coordinator', <<~'SQL'
	SELECT count(*), count(DISTINCT id) FROM made;
	SELECT item, uuid_machine_id(id, 4, 'rfc9562'), tableoid::regclass, count(*) FROM made GROUP BY 1, 2, 3
	ORDER BY 2;
	SQL
	),
	3 * $own . '|' . 3 * $own . "\n" . join("\n", map { "of $names[$_ % 3]|$_|made_$_|$own" } 1 .. 3),
	'own rows: each server has its number, and no key comes twice');

$id = on('shard2', 'SELECT id FROM made ORDER BY 1 LIMIT 1');
unlike(
	plan_of(
			"SELECT * FROM made WHERE id = '$id' AND "
		  . "uuid_machine_id(id, 4, 'rfc9562') = uuid_machine_id('$id', 4, 'rfc9562')"),
	qr/made_[01]/,
	'own rows: the machine id asks one server');
my (undef, undef, $stderr) =
  $node{shard2}->psql('app', q{SET uuidnew.machine_id = 7; INSERT INTO made (item) VALUES ('wrong')});
like($stderr, qr/violates check constraint/, 'own rows: a key with another machine id is refused');

$_->stop('immediate') for values %node;
done_testing();
