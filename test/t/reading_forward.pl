# Reading a table forward, as doc/reading-forward.md says: by its key up to a horizon, even on a standby, and
# by a column with the transaction.  (reading_forward_load has transactions that end in many ways.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use ServerOrder;
use Session;

my $page = slurp_file("$FindBin::RealBin/../../doc/reading-forward.md");
my ($by_xid) = $page =~ /^(SELECT xid, id FROM plain_events\n.*?ORDER BY xid, id);/ms
  or die 'the page has no poll of plain_events';

my $node = order_node('main', '');
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE TABLE plain_events (
		id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
		line text)
	SQL

# Polls after the last row that was read
my %poll = (
	'no horizon' => <<~'SQL',
		SELECT line, id AS last FROM plain_events WHERE id > :'last' ORDER BY id
		SQL
	'uuid_v7_horizon()' => <<~'SQL',
		SELECT uuid_v7_horizon() AS horizon \gset
		SELECT line, id AS last FROM plain_events WHERE id > :'last' AND id < :'horizon' ORDER BY id
		SQL
	'a column of xid8' => "\n" . $by_xid =~ s/^SELECT xid, id/SELECT line, id AS last, xid AS last_xid/r);

my %session = map { $_ => Session->new($node) } qw(old young reader control);

# Lines that a poll reads; the last row is where it goes on.
sub poll
{
	my ($poll) = @_;
	my $rows = $session{reader}->query($poll{$poll});
	my ($last) = $rows =~ /([^\n]*)\z/;
	my (undef, $id, $xid) = split /\|/, $last;
	$session{reader}->query("\\set last '$id'\n\\set last_xid '" . ($xid // 0) . "'") if defined $id;
	return join ' ', map { s/\|.*//r } split /\n/, $rows;
}

# Two transactions, of which the one that began first ends last, between two polls
for (
	[ 'no horizon', 'young', 'without a horizon a row is lost' ],
	[ 'uuid_v7_horizon()', 'old young', 'polls up to a horizon read both rows, in order' ],
	[ 'a column of xid8', 'old young', 'polls by transaction read both rows, in order' ])
{
	my ($poll, $expected, $name) = @$_;
	$session{control}->query('TRUNCATE plain_events');
	$session{reader}->query("\\set last '00000000-0000-0000-0000-000000000000'\n\\set last_xid 0");
	$session{old}->query(q{BEGIN; INSERT INTO plain_events (line) VALUES ('old')});
	$session{young}->query(q{INSERT INTO plain_events (line) VALUES ('young')});
	my @read = poll($poll);
	$session{old}->query('COMMIT');
	push @read, poll($poll);
	is(join(' ', grep { $_ ne '' } @read), $expected, $name);
}
is(join('', map { $_->errors } values %session), '', 'the sessions have no errors');
$_->quit for values %session;

# On a standby that is behind, rows below a horizon of the primary are there when
# it has come to the primary's place in the WAL.
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_pause()');
$standby->poll_query_until('postgres', q{SELECT pg_get_wal_replay_pause_state() = 'paused'})
  or die 'the standby does not pause';
$node->safe_psql('postgres', q{TRUNCATE plain_events; INSERT INTO plain_events (line) VALUES ('new')});
my ($horizon, $place) = split /\|/,
  $node->safe_psql('postgres', 'SELECT uuid_v7_horizon(), pg_current_wal_insert_lsn()');
my $replayed = "SELECT pg_last_wal_replay_lsn() >= '$place'";
is($standby->safe_psql('postgres', $replayed), 'f', 'a standby is not yet where the primary was');
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_resume()');
$standby->poll_query_until('postgres', $replayed)
  or die 'the standby does not come there';
is($standby->safe_psql('postgres', "SELECT line FROM plain_events WHERE id < '$horizon'"),
	'new', 'a poll that is on time has the rows below the horizon');

$standby->stop;
$node->stop;
done_testing();
