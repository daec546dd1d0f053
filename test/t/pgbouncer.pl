# PgBouncer in each of its modes: many clients share few connections.  Keys are
# distinct, and in order on each connection to the server, whoever uses it.  How long
# a superuser's setting lasts depends on the mode.
use strict;
use warnings FATAL => 'all';

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More tests => 17;

my $transactions = $ENV{UUIDNEW_QUICK} ? 50 : 200;
my $clients = 8;
my @modes = qw(session transaction statement);

# PgBouncer ends with the test, whatever happens.
my $pooler;

END
{
	local $?;
	$pooler->kill_kill if $pooler;
}

my ($bouncer) = grep { -x } map { "$_/pgbouncer" }
  split(/:/, $ENV{PATH}), '/usr/sbin', '/usr/local/sbin';
my ($version) =
  $bouncer ? (`$bouncer --version` =~ /PgBouncer (\d+\.\d+)/) : ();

SKIP:
{
	skip 'PgBouncer is not installed', 17 unless defined $version;
	note "PgBouncer $version";

	my $node = PostgreSQL::Test::Cluster->new('server');
	$node->init;
	$node->start;
	$node->safe_psql('postgres', <<~'SQL');
		CREATE EXTENSION uuidnew;
		CREATE TABLE orders (
			id uuid PRIMARY KEY DEFAULT uuid_generate_v7() CHECK (uuid_v7_layout(id) = 'draft'),
			made bigserial,
			pid int DEFAULT pg_backend_pid(),
			item text
		);
		SQL

	# A client connects to the database "session", "transaction" or "statement".
	my $dir = PostgreSQL::Test::Utils::tempdir_short();
	my $port = PostgreSQL::Test::Cluster::get_free_port();
	my ($host, $server_port) = ($node->host, $node->port);
	my $user = $node->connstr =~ /user=(\S+)/ ? $1 : getpwuid($<);
	my %pool = (session => $clients, transaction => 3, statement => 3);
	my $databases = join '', map {
			"$_ = host=$host port=$server_port dbname=postgres pool_mode=$_ pool_size=$pool{$_}\n"
		  . "one_$_ = host=$host port=$server_port dbname=postgres pool_mode=$_ pool_size=1\n"
	} @modes;
	append_to_file("$dir/users", qq{"$user" ""\n});
	append_to_file(
		"$dir/ini", qq{
[databases]
$databases
[pgbouncer]
listen_port = $port
unix_socket_dir = $dir
auth_type = trust
auth_file = $dir/users
admin_users = $user
});
	my $log = '';
	$pooler = IPC::Run::start([ $bouncer, "$dir/ini" ], '<', \undef, '>&', \$log);

	my $connection = sub { "host=$dir port=$port user=$user dbname=$_[0]" };

	# query(DATABASE, COMMAND...): standard output and error of one client
	my $query = sub {
		my ($database, @commands) = @_;
		my ($out, $err) = ('', '');
		IPC::Run::run(
			[
				'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d',
				$connection->($database),
				map { ('-c', $_) } @commands
			],
			'<',
			\undef,
			'>',
			\$out,
			'2>',
			\$err,
			IPC::Run::timeout($PostgreSQL::Test::Utils::timeout_default));
		chomp $out;
		note $err if $err ne '';
		return ($out, $err);
	};

	my ($up) = (0);
	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		($up) = $query->('session', 'SELECT 1');
		last if $up eq '1';
		select undef, undef, undef, 0.1;
	}
	BAIL_OUT("PgBouncer does not start:\n$log") if $up ne '1';

	# All clients insert rows, and ask for the last ones.
	append_to_file("$dir/insert.sql", <<~'SQL');
		\set n random(1, 100)
		INSERT INTO orders (item) VALUES ('item ' || :n);
		SELECT count(*) FROM orders
		WHERE uuid_v7_between(id, now() - make_interval(secs => :n), NULL) AND made < 10;
		SQL
	for my $mode (@modes)
	{
		$node->safe_psql('postgres', 'TRUNCATE orders');
		for my $protocol ('simple', 'extended')
		{
			$node->command_ok(
				[
					'pgbench', '-n', '-M', $protocol, '-c', $clients, '-t', $transactions,
					'-f', "$dir/insert.sql", $connection->($mode)
				],
				"$mode: $clients clients make keys by the $protocol protocol");
		}
		my ($rows, $disorder, $pids) = split /\|/, $node->safe_psql('postgres', <<~'SQL');
			SELECT count(*), count(*) FILTER (WHERE id <= before), count(DISTINCT pid)
			FROM (SELECT id, pid, lag(id) OVER (PARTITION BY pid ORDER BY made) AS before FROM orders) o
			SQL
		is( "$rows $disorder",
			2 * $clients * $transactions . ' 0',
			"$mode: keys of each connection to the server are in order");
		cmp_ok($pids, '<=', $pool{$mode}, "$mode: $clients clients share at most $pool{$mode} connections");
		note "$mode: $pids connections";
	}

	# What a superuser sets stays with the connection to the server: but for session mode,
	# the next client has it.
	my @set = ('SET uuidnew.machine_id_bits = 10', 'SET uuidnew.machine_id = 517');
	my $machine = 'SELECT uuid_machine_id(uuid_generate_v7(), 10) = 517';
	my ($own) = $query->('one_session', @set, $machine);
	my ($next) = $query->('one_session', "SELECT current_setting('uuidnew.machine_id_bits')");
	is("$own $next", 't 0', 'session: a machine id ends with its client');
	for my $mode (qw(transaction statement))
	{
		($own) = $query->("one_$mode", @set, $machine);
		($next) = $query->("one_$mode", $machine);
		is("$own $next", 't t', "$mode: a machine id of a SET is the next client's too");
		$query->("one_$mode", 'RESET uuidnew.machine_id', 'RESET uuidnew.machine_id_bits');
	}
	($own) = $query->('one_transaction', 'BEGIN', (map { s/SET/SET LOCAL/r } @set), $machine, 'COMMIT');
	($next) = $query->('one_transaction', "SELECT current_setting('uuidnew.machine_id_bits')");
	is("$own $next", 't 0', 'transaction: a machine id of SET LOCAL ends with the transaction');

	# The database's own setting is every client's.
	$node->safe_psql('postgres', $_)
	  foreach 'ALTER DATABASE postgres SET uuidnew.machine_id_bits = 10',
	  'ALTER DATABASE postgres SET uuidnew.machine_id = 517';
	$query->('pgbouncer', 'RECONNECT');
	my @all = map { ($query->($_, $machine))[0] } @modes;
	is("@all", 't t t', 'a machine id of the database is the same in each mode');

	unless (Test::More->builder->is_passing)
	{
		$pooler->pump_nb;
		diag("PgBouncer's log:\n$log");
	}
	$node->stop;
}
