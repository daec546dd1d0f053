# Who sets uuidnew.order_scope: the server's configuration, and nobody else.  Absent, it is "session".
#
# Whatever a session, a role or a database sets, before or after the library is loaded, and
# whatever was in the file before, a session has the scope of the configuration; "server" without
# preloading is an error for each key, unless the connection brings a value of its own.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $setting = 'uuidnew.order_scope';
my $probe = 'SELECT uuid_generate_v7() IS NULL; SELECT scope FROM uuidnew_order();';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->append_conf('postgresql.conf', "jit = off\nautovacuum = off\nmax_logical_replication_workers = 0");

# What a session may do with a value, and what may follow
my @values = ('session', 'server', 'sever', '');
my @resets = ('', '; RESET ALL', '; DISCARD ALL', "; SET $setting TO DEFAULT");
my @ways = ('');
for my $value (@values)
{
	push @ways, map { "SET $setting = '$value'$_" } @resets;
}
for my $set (map { "SET LOCAL $setting = '$_'" } 'session', 'server')
{
	push @ways, "BEGIN; $set; ROLLBACK", "BEGIN; $set; COMMIT";
}

sub outcome
{
	my ($out, $err) = @_;
	return 'not preloaded' if $err =~ /ERROR:  "$setting" is "server", but "uuidnew" is not preloaded/;
	return $out =~ /(\w+)\s*\z/ ? $1 : "no scope: $err";
}

# What keys are made by in a new session that does something before
sub scope_after
{
	my ($before) = @_;
	my (undef, $out, $err) = $node->psql('postgres', "$before;\n\\o\n$probe", on_error_stop => 0);
	return outcome($out, $err);
}

sub every_way_gives
{
	my ($scope, $name) = @_;
	my @all = map { ($_, "LOAD 'uuidnew'; $_") } @ways;
	my @wrong = grep { !/ -> $scope$/ } map { "$_ -> " . scope_after($_) } @all;
	is(join("\n", @wrong), '', "$name, whatever a session sets");
	return;
}

# What a role, a database or a connection brings along: without preloading, it is known before the library is
sub connections_give
{
	my ($scope, $name) = @_;
	my @owners =
	  ('DATABASE postgres', map { "ROLE $_" } 'ALL', 'CURRENT_USER', 'CURRENT_USER IN DATABASE postgres');
	my @wrong;
	for my $value (@values)
	{
		local $ENV{PGOPTIONS} = "-c $setting=$value";
		push @wrong, "PGOPTIONS '$value'" if scope_after('') ne $scope;
		for my $owner (@owners)
		{
			delete local $ENV{PGOPTIONS};
			$node->safe_psql('postgres', "ALTER $owner SET $setting = '$value'");
			push @wrong, "ALTER $owner '$value'" if scope_after('') ne $scope;
			push @wrong, "ALTER $owner '$value'; DISCARD ALL" if scope_after('DISCARD ALL') ne $scope;
			$node->safe_psql('postgres', "ALTER $owner RESET $setting");
		}
	}
	is(join("\n", @wrong), '', "$name, whatever comes with a connection");
	return;
}

# A session that has loaded the library before
my $session;

sub open_session
{
	$session = Session->new($node);
	$session->query("LOAD 'uuidnew'");
	return;
}

# Waits until a reload has reached the session.
sub reload
{
	my ($number) = @_;
	$node->append_conf('postgresql.conf', "test.reload = $number");
	$node->reload;
	for (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		last if $session->query(q{SELECT current_setting('test.reload', true)}) eq $number;
		select undef, undef, undef, 0.1;
	}
	return;
}

sub all_give
{
	my ($scope, $name) = @_;
	is(scope_after(''), $scope, "$name: a new session");
	my $out = $session->query($probe);
	is(outcome($out, $session->errors), $scope, "$name: a session that has the library");
	$session->query('DISCARD ALL');
	return;
}

my $file = $node->data_dir . '/postgresql.conf';
my $without_line = slurp_file($file);

sub write_file
{
	my ($line) = @_;
	open my $out, '>', $file or die "$file: $!";
	print $out "$without_line\n$line\n";
	close $out or die "$file: $!";
	return;
}

# Not preloaded
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');
every_way_gives('session', 'not preloaded, without a line in the file: session');
connections_give('session', 'not preloaded, without a line in the file: session');

open_session();
my $reloads = 0;
for my $change (
	[ "$setting = 'session'", 'session', 'a line "session" gives keys' ],
	[ "$setting = 'server'", 'not preloaded', 'a line "server" stops keys' ],
	[ '', 'session', 'the removal of a wrong line lets keys go on' ],
	[ "$setting = 'sever'", 'session', 'a mistake is no scope' ],
	[ "$setting = 'server'", 'not preloaded', 'the correction of a wrong line to "server" stops keys' ],
	[ '', 'session', 'a session goes on through it all' ])
{
	my ($line, $scope, $name) = @$change;
	write_file($line);
	reload(++$reloads);
	all_give($scope, "not preloaded, $name");
	open_session() if $reloads % 3 == 0;
}
write_file("$setting = 'server'");
$node->restart;
every_way_gives('not preloaded', 'not preloaded, "server" in the file: no keys');

# Preloaded
for my $scope ('session', 'server')
{
	my $preload = "shared_preload_libraries = 'uuidnew'";
	write_file($scope eq 'server' ? "$preload\n$setting = 'SERVER'" : $preload);
	$node->restart;
	every_way_gives($scope, "preloaded, $scope at the start");
	open_session();
	for my $line ("$setting = 'session'", "$setting = 'server'", "$setting = 'sever'", "$setting = ''", '')
	{
		write_file("$preload\n$line");
		reload(++$reloads);
		all_give($scope, "preloaded, \"$line\" is read: $scope until a restart");
	}
	my @owners = ('', map { "ALTER $_" } 'ROLE CURRENT_USER', 'DATABASE postgres', 'ROLE ALL');
	my $sets = join ";\n", map { "$_ SET $setting = 'session'" } @owners;
	my (undef, undef, $err) = $node->psql('postgres', $sets, on_error_stop => 0);
	is( join("\n", $err =~ /ERROR:  (.*)/g),
		join("\n", (qq{parameter "$setting" cannot be changed without restarting the server}) x 4),
		'preloaded: neither a session, role nor database sets it');
	local $ENV{PGOPTIONS} = "-c $setting=session";
	(undef, undef, $err) = $node->psql('postgres', '');    # nothing to write to a psql that has ended
	like(
		$err,
		qr/FATAL:  parameter "$setting" cannot be changed without restarting/,
		'preloaded: no connection sets it');
}

# What a role had before the library was preloaded
$session->quit;
write_file('');
$node->restart;
$node->safe_psql('postgres', "ALTER ROLE CURRENT_USER SET $setting = 'session'");
write_file("shared_preload_libraries = 'uuidnew'\n$setting = 'server'");
$node->restart;
is(scope_after(''), 'server', 'preloaded: a role that was given a scope before has the server\'s');

# A mistake
for my $value ('sever', 'session server')
{
	$node->stop;
	write_file("shared_preload_libraries = 'uuidnew'\n$setting = '$value'");
	ok(!$node->start(fail_ok => 1), "preloaded: a server does not start with scope \"$value\"");
	my $refused = qr/FATAL:  invalid value for parameter "$setting": "$value"\n.*HINT:  Available values: /;
	like(slurp_file($node->logfile),
		$refused, "preloaded: a server with scope \"$value\" says which there are");
	write_file("shared_preload_libraries = 'uuidnew'\n$setting = ''");
	$node->start;
	is(scope_after(''), 'session', 'preloaded: an empty scope is none');
}
$node->stop;

done_testing();
