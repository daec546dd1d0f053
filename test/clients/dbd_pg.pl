# DBD::Pg: keys are strings, times are seconds since 1970, as time() and Time::HiRes have them.
use strict;
use warnings FATAL => 'all';

use DBI;
use DBD::Pg qw(:pg_types);
use Test::More;

my $dbh = DBI->connect(
	'dbi:Pg:', undef, undef,    # PGHOST, PGPORT, PGUSER, PGDATABASE
	{ AutoCommit => 1, RaiseError => 1, PrintError => 0 });

$dbh->do(
	q{
	CREATE EXTENSION uuidnew;
	CREATE TABLE orders (
		id   uuid PRIMARY KEY DEFAULT uuidv7() CHECK (uuidv7_is(id)),
		item text NOT NULL
	)});

my ($id) = $dbh->selectrow_array('INSERT INTO orders (item) VALUES (?) RETURNING id', undef, 'item 0');
like(
	$id,
	qr/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
	'a key is a string, of version 7');

my @items = map { "item $_" } 1 .. 1000;
my $insert = $dbh->prepare('INSERT INTO orders (item) VALUES (?)');
$dbh->begin_work;
$insert->execute($_) foreach @items;
$dbh->commit;

my $rows = $dbh->selectall_arrayref('SELECT id, item FROM orders ORDER BY id');
my @ids = map { $_->[0] } @$rows;
is_deeply([ map { $_->[1] } @$rows ], [ 'item 0', @items ], 'sorted by key in the database: as inserted');
is_deeply([ sort @ids ], \@ids, 'sorted by key in the client: the same');

is_deeply($dbh->selectcol_arrayref('SELECT item FROM orders WHERE id = ?', undef, $ids[500]),
	['item 500'], 'a key comes back as a parameter');

my $page = $dbh->prepare('SELECT id, item FROM orders WHERE id > ? ORDER BY id LIMIT ?');
$page->bind_param(1, undef, { pg_type => PG_UUID });    # stays for each execute

my @seen;
my $last = '00000000-0000-0000-0000-000000000000';
do
{
	$page->execute($last, 100);
	push @seen, map { $_->[0] } @{ $page->fetchall_arrayref };
	$last = $seen[-1];
} while ($page->rows == 100);
is_deeply(\@seen, \@ids, 'pages by key: every row once, in order');

my ($since, $until) = (1580515200, 1583020800);         # February 2020, UTC
my @times = ($since - 0.001, $since, $until - 0.001, $until);
$dbh->do('INSERT INTO orders (id, item) VALUES (uuidv7_at(to_timestamp(?)), ?)', undef, $_, $_)
  foreach @times;

my $february = $dbh->selectall_arrayref(
	q{
	SELECT item, extract(epoch FROM uuidv7_timestamp(id)) FROM orders
	WHERE uuidv7_between(id, to_timestamp(?), to_timestamp(?)) ORDER BY id},
	undef, $since, $until);
is_deeply(
	[ map { $_->[0] } @$february ],
	[ '1580515200', '1583020799.999' ],
	'a window has its start and not its end');
is_deeply([ map { $_->[1] + 0 } @$february ], [ @times[ 1, 2 ] ], 'the time of a key is a number of seconds');

$dbh->do('DROP TABLE orders');
$dbh->disconnect;
done_testing();
