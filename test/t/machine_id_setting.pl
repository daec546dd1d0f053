# The machine id: from each place where settings come from, in each order of its
# two settings, by those who may, and in every UUID.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;
use Session;
use Layouts;

my $node = start_server("max_logical_replication_workers = 0\ninclude_if_exists = 'machine.conf'");
my $conf = $node->data_dir . '/machine.conf';

ask("CREATE EXTENSION uuidnew; $layout_functions");
ask(<<~'SQL');
	CREATE ROLE plain LOGIN;
	CREATE ROLE boss LOGIN SUPERUSER;
	GRANT SELECT ON layouts TO plain;

	CREATE FUNCTION machine_id(layout text, id uuid, bits int) RETURNS bigint
	RETURN CASE left(layout, 2)
		WHEN 'v6' THEN uuid_machine_id(id, bits)
		ELSE uuid_machine_id(id, bits, substr(layout, 4)) END;

	-- "bits: ids", the ids being those found in UUIDs of all layouts
	CREATE FUNCTION found() RETURNS text
	RETURN current_setting('uuidnew.machine_id_bits', true) || ': ' ||
		(SELECT string_agg(DISTINCT machine_id(layout, id,
								current_setting('uuidnew.machine_id_bits', true)::int)::text, ', ')
		 FROM (SELECT layout, generate(layout) AS id FROM layouts
			   UNION ALL SELECT layout, generate_at(layout) FROM layouts) made);

	-- The SQLSTATE that a command ends with
	CREATE FUNCTION try(command text) RETURNS text
	LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE command;
		RETURN 'success';
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;

	CREATE FUNCTION own_pid() RETURNS int LANGUAGE internal PARALLEL SAFE AS 'pg_backend_pid';
	CREATE TABLE source AS SELECT FROM generate_series(1, 10000);
	ALTER TABLE source SET (parallel_workers = 2);
	ANALYZE source;
	SQL

# The first call loads the library; settings that came before wait for it.
my $load = q{DO 'BEGIN PERFORM uuid_generate_v6(); END';};

sub settings
{
	my ($order, $id, $bits) = @_;
	my @settings = ("uuidnew.machine_id = $id", "uuidnew.machine_id_bits = $bits");
	return $order eq 'id first' ? @settings : reverse @settings;
}
my @orders = ('id first', 'bits first');

# Changes the configuration file, and waits until the session has read it.
sub reconfigure
{
	my ($session, @settings) = @_;
	my $load_time = 'SELECT pg_conf_load_time()';
	my $before = $session->query($load_time);
	unlink $conf;
	append_to_file($conf, join "\n", @settings, '');
	$node->reload;
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return if $session->query($load_time) ne $before;
		select undef, undef, undef, 0.1;
	}
	die 'the session does not read the configuration';
}

sub found_in_session
{
	my ($before, @parameters) = @_;
	my (undef, $stdout, $stderr) =
	  $node->psql('postgres', "$before $load SELECT found();", extra_params => \@parameters);
	return ($stdout, $stderr);
}

# What does not fit together is refused when a UUID is made, and nowhere else: not
# when the library is loaded after it was set, nor in a parallel worker.
$node->psql(
	'postgres',
	'SET uuidnew.machine_id_bits = 8; SET uuidnew.machine_id = 300;'
	  . q{SELECT try('SELECT uuid_generate_v7()'), current_setting('uuidnew.machine_id')},
	stdout => \my $too_large);
is($too_large, '22023|300', 'set before the library is loaded, too large: refused');
is( ask(<<~'SQL'),
	LOAD 'uuidnew';
	SET uuidnew.machine_id_bits = 8;
	BEGIN;
	SET LOCAL uuidnew.machine_id_bits = 16;
	SET uuidnew.machine_id = 40000;
	COMMIT;
	SET max_parallel_workers_per_gather = 2;
	SET parallel_setup_cost = 0;
	SET parallel_tuple_cost = 0;
	SET min_parallel_table_scan_size = 0;
	SET parallel_leader_participation = off;
	CREATE TEMP TABLE pids AS SELECT own_pid() AS pid FROM source;
	SELECT bool_and(pid <> pg_backend_pid()), count(*) FROM pids;
	SELECT try('SELECT uuid_generate_v7()')
	SQL
	"t|10000\n22023",
	'too large: parallel queries work that make no UUID');

my @five = ('uuidnew.machine_id = 5', 'uuidnew.machine_id_bits = 8');
for my $library ('uuidnew', '')
{
	my $when = $library ? 'library preloaded' : 'library loaded when needed';

	# The configuration file, read at the start, and read again by sessions that have the library: to more
	# bits, and to less.
	for my $order (@orders)
	{
		unlink $conf;
		append_to_file($conf, "$_\n")
		  for settings($order, 40000, 16), "shared_preload_libraries = '$library'";
		$node->restart;
		is(join('', found_in_session('')), '16: 40000', "$when, file, $order");
		my $session = Session->new($node);
		my @found;
		foreach my $new (\@five, [ settings($order, 40000, 16) ], [ settings($order, 7, 8) ])
		{
			reconfigure($session, @$new);
			push @found, $session->query("$load SELECT found()");
		}
		$session->quit;
		is("@found", '8: 5 16: 40000 8: 7', "$when, file read again, $order");
	}

	# Settings of a role, that differ from the file's.
	my $admin = Session->new($node);
	reconfigure($admin, @five);
	for my $order (@orders)
	{
		$admin->query("ALTER ROLE boss SET $_") for settings($order, 40000, 16);
		is(join('', found_in_session('', '-U', 'boss')), '16: 40000', "$when, role, $order");
		$admin->query('ALTER ROLE boss RESET ALL');
	}
	$admin->quit;

	# A plain user may not, neither before nor after the library is there.
	my ($found, $warning) = found_in_session('SELECT try($$SET uuidnew.machine_id = 6$$);', '-U', 'plain');
	is($found, $library ? "42501\n8: 5" : "success\n8: 5", "$when, set by a plain user: not in UUIDs");
	like(
		$warning,
		$library
		? qr/^$/
		: qr/WARNING:  permission denied to set parameter "uuidnew.machine_id"/,
		"$when, set by a plain user: warning if that could not be told before");
	{
		local $ENV{PGOPTIONS} = '-c uuidnew.machine_id=6';
		($found, $warning) = found_in_session('', '-U', 'plain');
	}
	unlike($found // '', qr/: 6/, "$when, option of a plain user: not in UUIDs");
	is( $node->safe_psql('postgres', $load . <<~'SQL', extra_params => [ '-U', 'plain' ]),
		SELECT try('SET uuidnew.machine_id = 6');
		SELECT try('SET uuidnew.machine_id_bits = 0');
		SELECT try('ALTER ROLE plain SET uuidnew.machine_id = 6');
		SELECT try('ALTER ROLE plain SET uuidnew.machine_id_bits = 0');
		SELECT found();
		SQL
		"42501\n42501\n42501\n42501\n8: 5",
		"$when, a plain user is refused");
}

# A number drawn at random, and the query that counts the servers, as
# doc/distributed.md has them.
my ($draw, $count) = slurp_file("$FindBin::RealBin/../../doc/distributed.md") =~
  /^### A number drawn once\n.*?^```text\n(.*?)^```\n.*?^```text\n(.*?)^```\n/ms;
unlink $conf;
my $admin = Session->new($node);
$admin->query('CREATE TABLE orders (id uuid DEFAULT public.uuidv7())');
my %drawn;
for my $server (1 .. 3)
{
	$admin->query($draw);
	# in a new session
	my $machine = $admin->query(
		"\\c\nINSERT INTO orders SELECT FROM generate_series(1, 10 * $server); SHOW uuidnew.machine_id");
	$drawn{$machine} += 10 * $server;
}
cmp_ok(scalar(grep { $_ < 1 || $_ > 65535 } keys %drawn),
	'==', 0, 'a number that was drawn fits and is not 0');
is($admin->query('SHOW uuidnew.machine_id_bits'), '16', 'a number that was drawn has 16 bits');
is( $admin->query("SELECT machine, keys, first <= last FROM (" . ($count =~ s/;\s*$//r) . ') machines'),
	join("\n", map { "$_|$drawn{$_}|t" } sort { $a <=> $b } keys %drawn),
	'the numbers in a table are those of its servers');
cmp_ok(scalar(keys %drawn), '>', 1, 'numbers are drawn at random');

is($admin->errors, '', 'the session of the administrator has no error');
$admin->quit;
done_testing();
