# Reading a table forward by its key, as doc/reading-forward.md says: no row is
# missed, whatever commits between the steps of a poll.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $page = slurp_file("$FindBin::RealBin/../../doc/reading-forward.md");
my ($clock_horizon) = $page =~ /^(CREATE FUNCTION clock_horizon\(\).*?^END \$\$;\n)/ms
  or die 'the page has no clock_horizon()';

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf',
	"autovacuum = off\nmax_prepared_transactions = 5");
$node->start;
$node->safe_psql(
	'postgres', qq{
CREATE EXTENSION uuidnew;
CREATE TABLE events (
	id uuid PRIMARY KEY DEFAULT uuid_generate_v7(),
	rfc uuid UNIQUE DEFAULT uuid_generate_v7('rfc9562'),
	line text);
$clock_horizon

-- Views that wait, when they are first looked at, for whoever has the lock
CREATE SCHEMA slow;
CREATE FUNCTION slow.wait(lock int) RETURNS boolean LANGUAGE plpgsql AS \$\$
BEGIN
	PERFORM pg_advisory_lock(lock);
	PERFORM pg_advisory_unlock(lock);
	RETURN true;
END \$\$;
CREATE FUNCTION slow.running() RETURNS SETOF pg_catalog.pg_stat_activity LANGUAGE plpgsql AS \$\$
BEGIN
	PERFORM slow.wait(1);
	RETURN QUERY SELECT * FROM pg_catalog.pg_stat_activity;
	PERFORM slow.wait(2);
END \$\$;
CREATE VIEW slow.pg_stat_activity AS SELECT * FROM slow.running();
});

# Statements of a poll after the last row that it has read: the one that has the
# horizon, and the one that reads.
my %poll = (
	'in one statement' => q{
SELECT '' AS horizon \gset
SELECT line FROM events
WHERE id > :'last' AND uuid_v7_between(id, NULL,
	(SELECT min(xact_start) FROM pg_stat_activity WHERE xact_start IS NOT NULL))
ORDER BY id},
	'by clock_horizon()' => q{
SELECT clock_horizon() AS horizon \gset
SELECT line FROM events WHERE id > :'last' AND id < :'horizon' ORDER BY id});

my %session = map { $_ => Session->new($node) } qw(old young reader control);

# Wait until the reader's poll is at a lock.
sub reader_waits_at
{
	my ($lock) = @_;
	$session{reader}->{run}->pump_nb;
	$node->poll_query_until('postgres',
		"SELECT count(*) = 1 FROM pg_locks WHERE locktype = 'advisory' AND objid = $lock AND NOT granted")
	  or die "the reader does not come to lock $lock";
	return;
}

# Two transactions, of which the one that began first ends last: at a step of a
# poll.  Returns what this poll has read, and what the next one has.
sub polls_around
{
	my ($poll, $step, $end) = @_;
	my ($old, $young, $reader, $control) =
	  @session{qw(old young reader control)};
	my @read;

	$control->query('TRUNCATE events');
	$control->query("SELECT pg_advisory_lock($_)") for 1, 2;
	$reader->query('SET search_path = slow, pg_catalog, public');
	$reader->query(q{\set last '00000000-0000-0000-0000-000000000000'});
	$old->query(q{BEGIN; INSERT INTO events (line) VALUES ('old')});
	$young->query(q{INSERT INTO events (line) VALUES ('young')});

	$old->query($end) if $step eq 'before';
	$reader->begin($poll);
	reader_waits_at(1);
	$old->query($end) if $step eq 'first';
	$control->query('SELECT pg_advisory_unlock(1)');
	reader_waits_at(2);
	$old->query($end) if $step eq 'then';
	$control->query('SELECT pg_advisory_unlock(2)');
	push @read, $reader->result;
	$old->query($end) if $step eq 'after';
	$old->query("COMMIT PREPARED 'old'") if $end =~ /^PREPARE/;

	# what was read comes in order, so the last line is the last key
	$reader->query(q{SELECT id AS last FROM events WHERE line = '}
		  . ($read[0] =~ s/.*\n//r)
		  . q{' \gset})
	  if $read[0] ne '';
	push @read, $reader->query($poll);
	is($reader->errors, '', 'no error');
	return join(' ', map { s/\n/ /r } @read);
}

is(polls_around($poll{'in one statement'}, 'first', 'COMMIT'),
	'young ',
	'a horizon within the statement loses the row of a transaction that ends meanwhile');

for my $step (qw(before first then after))
{
	for my $end ('COMMIT', "PREPARE TRANSACTION 'old'")
	{
		my $read = polls_around($poll{'by clock_horizon()'}, $step, $end);
		like($read, qr/^ ?old young ?$/,
			"clock_horizon(): $end $step: two polls read both rows, in order");
	}
}

# A transaction that began in the middle of a millisecond holds all of it back.
my $early = 0;
for (1 .. 20)
{
	my $key = $session{old}->query(
		q{BEGIN\; INSERT INTO events (line) VALUES ('old') RETURNING rfc});
	my $horizon = $session{reader}->query(
		'SELECT uuidv7_min(uuid_v7_timestamp(clock_horizon()))');
	$early++ if $key lt $horizon;
	$session{old}->query('ROLLBACK');
}
is($early, 0, "keys of RFC 9562 that are in flight are above the horizon");
$_->quit for values %session;

# What cannot be seen is an error.
sub error_of
{
	my ($sql) = @_;
	my (undef, undef, $stderr) = $node->psql('postgres', $sql);
	return $stderr =~ s/^.*?ERROR:  //r =~ s/\n.*//sr;
}
$node->safe_psql('postgres', 'CREATE ROLE reader');
my $other = Session->new($node);
is( error_of('SET ROLE reader; SELECT clock_horizon()'),
	'clock_horizon() needs the rights of pg_read_all_stats',
	'a role that does not see the times of others');
$node->safe_psql('postgres', 'GRANT pg_read_all_stats TO reader');
is(error_of('SET ROLE reader; SELECT clock_horizon()'),
	'', 'a role that does');
$other->query('SET track_activities = off');
$other->query('BEGIN');
like(
	error_of('SELECT clock_horizon()'),
	qr/^track_activities is off in sessions \d+$/,
	'a session without track_activities');
$other->quit;
is( error_of(
		'BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT clock_horizon()'),
	'clock_horizon() is for READ COMMITTED',
	'a snapshot that may be older');

# On a standby that is behind, rows below a horizon of the primary are there when
# it has come to the primary's place in the WAL.
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_pause()');
$standby->poll_query_until('postgres',
	q{SELECT pg_get_wal_replay_pause_state() = 'paused'})
  or die 'the standby does not pause';
$node->safe_psql('postgres',
	q{TRUNCATE events; INSERT INTO events (line) VALUES ('new')});
my $horizon = $node->safe_psql('postgres', 'SELECT clock_horizon()');
my $place =
  $node->safe_psql('postgres', 'SELECT pg_current_wal_insert_lsn()');
my $replayed = "SELECT pg_last_wal_replay_lsn() >= '$place'";
is($standby->safe_psql('postgres', $replayed),
	'f', 'a standby is not yet where the primary was');
$standby->safe_psql('postgres', 'SELECT pg_wal_replay_resume()');
$standby->poll_query_until('postgres', $replayed)
  or die 'the standby does not come there';
is( $standby->safe_psql(
		'postgres', "SELECT line FROM events WHERE id < '$horizon'"),
	'new',
	'when it is, it has the rows below the horizon');

$standby->stop;
$node->stop;
done_testing();
