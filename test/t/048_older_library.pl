# A database of the newest version where the library is still that of 1.0: in a session that had
# loaded it before the update, and on a standby, before and after its promotion.  What stands in for
# the older library is the installed one without the functions that came later.
use strict;
use warnings FATAL => 'all';

use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my ($bin, $lib, $share) = map { (run_command([ 'pg_config', $_ ]))[0] } qw(--bindir --pkglibdir --sharedir);

# A server finds its library directory from its own path: links to all, but for the programs and the
# library that are to be found there.  Returns where such a tree is.
sub tree_of_links
{
	my $tree = PostgreSQL::Test::Utils::tempdir();
	make_path("$tree$bin", "$tree$lib", dirname("$tree$share"));
	symlink $share, "$tree$share" or die "$tree$share: $!";
	for my $file (glob "$bin/* $lib/*")
	{
		next if basename($file) eq 'uuidnew.so';
		if ($file =~ m{/(?:postgres|pg_ctl)$})
		{
			copy($file, "$tree$file") && chmod 0755, "$tree$file" or die "$file: $!";
		}
		else
		{
			symlink $file, "$tree$file" or die "$file: $!";
		}
	}
	return $tree;
}

# Installs the library without functions, which get other names in it; as make install does, as a
# new file.
sub install_without
{
	my ($tree, @functions) = @_;
	my $library = slurp_file("$lib/uuidnew.so");
	$library =~ s/(?<!\w)((?:pg_finfo_)?)\Q$_\E\0/$1 . 'X' x length($_) . "\0"/ge for @functions;
	append_to_file("$tree$lib/new", $library);
	chmod 0755, "$tree$lib/new";
	rename "$tree$lib/new", "$tree$lib/uuidnew.so" or die "$tree$lib/uuidnew.so: $!";
	return;
}

sub server
{
	my ($name, $tree) = @_;
	return PostgreSQL::Test::Cluster->new($name, install_path => dirname("$tree$bin"));
}

my ($tree, $standby_tree) = (tree_of_links(), tree_of_links());
install_without($tree);
my $primary = server('primary', $tree);
$primary->init(allows_streaming => 1);
$primary->append_conf('postgresql.conf', "autovacuum = off\njit = off\ntimezone = 'UTC'");
$primary->start;

# What came after 1.0
my $functions = <<~'SQL';
	SELECT prosrc FROM pg_proc JOIN pg_language l ON l.oid = prolang
	WHERE lanname = 'c' AND probin LIKE '%uuidnew'
	SQL
my %old = map { $_ => 1 } split /\n/,
  $primary->safe_psql('postgres', "CREATE EXTENSION uuidnew VERSION '1.0'; $functions");
my @later = grep { !$old{$_} } split /\n/,
  $primary->safe_psql('postgres', "ALTER EXTENSION uuidnew UPDATE; $functions; DROP EXTENSION uuidnew");
cmp_ok(scalar(@later), '>', 30, 'functions came after 1.0');

install_without($_, @later) for $tree, $standby_tree;
$primary->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew VERSION '1.0';
	CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT uuid_generate_v7());
	INSERT INTO orders SELECT uuid_generate_v7_at('2026-02-03 04:05:06') FROM generate_series(1, 10);
	SQL
$primary->backup('backup');
my $standby = server('standby', $standby_tree);
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;
my $session = Session->new($primary);
my $insert = 'INSERT INTO orders SELECT FROM generate_series(1, 10)';
is($session->query("$insert; SELECT count(*) FROM orders"), '20', 'a session has loaded the older library');

# The files are replaced on the primary, and the database is updated.
install_without($tree);
$primary->safe_psql('postgres', 'ALTER EXTENSION uuidnew UPDATE');
$primary->wait_for_catchup($standby);

# What a session says: with the older library, or when it has the newest
sub knows
{
	my ($name, $session, $all) = @_;
	my %calls = (
		uuid_v7_timestamp_support => 'SELECT uuid_v7_timestamp(id) FROM orders LIMIT 1',
		uuid_time => 'SELECT uuid_time(id) FROM orders LIMIT 1');
	is( $session->query(<<~'SQL'),
		SELECT uuid_v6_timestamp('1ec9414c-232a-6b00-b3c8-9f6bdeced846');
		SELECT count(*) > 9 FROM orders
		WHERE id BETWEEN uuid_v7_min('2026-02-03') AND uuid_v7_max('2026-02-04')
		SQL
		"2022-02-22 19:22:22+00\nt",
		"$name: what 1.0 has, works");
	for my $function (sort keys %calls)
	{
		my $result = $session->query($calls{$function});
		my $errors = $session->errors;
		if ($all)
		{
			like("$result$errors", qr/^20\d\d-[^E]*$/, "$name: $function is there");
		}
		else
		{
			like($errors, qr/ERROR:  could not find function "$function" in file/, "$name: $function is not");
		}
	}
	return;
}
knows('a session from before the update', $session);
is($session->query("$insert; SELECT count(*) FROM orders"), '30', 'such a session inserts by the default');
$session->quit;
knows('a session after the update', Session->new($primary), 1);

$primary->wait_for_catchup($standby);
knows('a standby with the older library', Session->new($standby));
$primary->stop;
$standby->promote;
my $promoted = Session->new($standby);
knows('the promoted server', $promoted);
is($promoted->query("$insert; SELECT count(*) FROM orders"),
	'40', 'the promoted server inserts by the default');
install_without($standby_tree);
knows('a session of before its library was replaced', $promoted);
knows('a session after its library was replaced', Session->new($standby), 1);
is($standby->safe_psql('postgres', $insert =~ s/$/; SELECT count(*) FROM orders/r),
	'50', 'with the newest library the promoted server goes on');

$standby->stop;
done_testing();
