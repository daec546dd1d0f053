# Reading a table forward, as doc/reading-forward.md says: by its key up to a
# horizon, on a standby too, and by a column with the transaction.  No row is missed,
# whenever transactions end.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $page = slurp_file("$FindBin::RealBin/../../doc/reading-forward.md");
my ($by_xid) = $page =~ /^(SELECT xid, id FROM plain_events\n.*?ORDER BY xid, id);/ms
  or die 'the page has no poll of plain_events';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<~'CONF');
	shared_preload_libraries = 'uuidnew'
	uuidnew.order_scope = server
	autovacuum = off
	max_prepared_transactions = 5
	CONF
$node->start;
$node->safe_psql('postgres', <<~'SQL');
	CREATE EXTENSION uuidnew;
	CREATE TABLE plain_events (
		id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
		xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
		line text)
	SQL

# Polls after the last row that was read, in two statements or one
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

# Two transactions, of which the one that began first ends last: before, between or
# after three polls.  Returns what they have read, all in all.
sub polls_around
{
	my ($poll, $step, $end) = @_;
	my ($old, $young, $reader) = @session{qw(old young reader)};
	my @read;

	$session{control}->query('TRUNCATE plain_events');
	$reader->query(q{\set last '00000000-0000-0000-0000-000000000000'});
	$reader->query(q{\set last_xid 0});
	$old->query(q{BEGIN; INSERT INTO plain_events (line) VALUES ('old')});
	$young->query(q{INSERT INTO plain_events (line) VALUES ('young')});
	for my $n (0 .. 2)
	{
		$old->query($end) if $n == $step;
		$old->query("COMMIT PREPARED 'old'") if $n == $step + 1 && $end =~ /^PREPARE/;
		push @read, poll($poll);
	}
	if ($step == 2)
	{
		$old->query("COMMIT PREPARED 'old'") if $end =~ /^PREPARE/;
		push @read, poll($poll);
	}
	is(join('', map { $_->errors } $old, $young, $reader), '', 'the sessions end without an error');
	return join(' ', grep { $_ ne '' } @read);
}

is(polls_around('no horizon', 1, 'COMMIT'), 'young', 'without a horizon a row is lost');
for my $poll ('uuid_v7_horizon()', 'a column of xid8')
{
	for my $step (0 .. 2)
	{
		for my $end ('COMMIT', "PREPARE TRANSACTION 'old'")
		{
			is(polls_around($poll, $step, $end),
				'old young', "$poll: $end at step $step: polls read both rows, in order");
		}
	}
}
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
