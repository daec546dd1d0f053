# Every SQL example in the documentation works, in the order of its page, in a
# new database.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";
my @pages = map { substr($_, length($root) + 1) }
  sort glob("$root/*.md $root/doc/*.md");

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

my $total = 0;
foreach my $page (@pages)
{
	my $text = slurp_file("$root/$page");
	my @examples = $text =~ /^```sql\n(.*?)^```$/msg;
	my $fences = () = $text =~ /^```/mg;
	is($fences % 2, 0, "$page: code blocks are closed");
	next unless @examples;
	$total += @examples;

	(my $database = $page) =~ s/\W+/_/g;
	$node->safe_psql('postgres', "CREATE DATABASE \"$database\"");
	my ($status, $stdout, $stderr) =
	  $node->psql($database, join("\n", @examples), on_error_stop => 1);
	is($status, 0, "$page: " . scalar(@examples) . ' examples work')
	  or diag($stderr);
	is($stderr, '', "$page: without a warning");

	# what they show is a value, unless the page says NULL
	isnt($stdout, '', "$page: examples give results");
}
cmp_ok($total, '>', 10, 'examples were found');

# each function of the extension stands in the reference
$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew');
my $reference = slurp_file("$root/doc/uuidnew.md");
foreach my $function (
	split /\n/,
	$node->safe_psql(
		'postgres', q{
SELECT DISTINCT proname FROM pg_proc p
	JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
	JOIN pg_extension e ON e.oid = d.refobjid
WHERE extname = 'uuidnew' AND prorettype <> 'internal'::regtype ORDER BY 1}))
{
	# documented as uuid_generate_v6, or uuid_v6_min and the like of a version
	like($reference, qr/\b\Q$function\E\(/, "$function is documented");
}

$node->stop;
done_testing();
