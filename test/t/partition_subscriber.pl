# Rows that create_partitions moves out of a default partition, with a subscriber: every publication carries
# them, through the root and by the partitions' names, of one table and of all.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;
use Tables;

my $node = start_node('max_wal_senders = 10', 'max_replication_slots = 10');
my $subscriber = PostgreSQL::Test::Cluster->new('subscriber');
$subscriber->init;
$subscriber->append_conf('postgresql.conf', "timezone = 'UTC'\nwal_retrieve_retry_interval = 200ms");
$subscriber->start;

my $orders = <<~'SQL';
	CREATE TABLE orders (id uuid PRIMARY KEY, item text) PARTITION BY RANGE (id);
	CREATE TABLE orders_default PARTITION OF orders DEFAULT;
	SQL
my $all = 'SELECT count(*), md5(string_agg(id::text, item ORDER BY id)) FROM orders';

foreach my $what ('TABLE orders', 'ALL TABLES')
{
	foreach my $via_root ('true', 'false')
	{
		my $name = "FOR $what, publish_via_partition_root = $via_root";
		anew($orders);
		$subscriber->safe_psql('postgres', $orders);
		make(<<~"SQL");
			CREATE PUBLICATION p FOR $what WITH (publish_via_partition_root = $via_root);
			INSERT INTO orders SELECT uuidv7_at(timestamptz '2026-03-02' + n * interval '1 h'), n
			FROM generate_series(1, 1000) n
			SQL
		$subscriber->safe_psql('postgres',
				q{CREATE SUBSCRIPTION s CONNECTION '}
			  . ($node->connstr('postgres') =~ s/'/''/gr)
			  . q{' PUBLICATION p});
		$subscriber->wait_for_subscription_sync($node, 's') if $subscriber->can('wait_for_subscription_sync');
		$subscriber->poll_query_until('postgres', 'SELECT count(*) = 1000 FROM orders') or die 'no copy';
		like(
			said(q{CALL uuidnew_tables.create_partitions('orders', 'month', '0')}),
			qr/with 7\d\d rows/,
			"$name: rows are moved");
		make(q{INSERT INTO orders SELECT uuidv7_at('2026-03-02'), 'later'});
		my @parts = split /\n/, ask(<<~'SQL');
			SELECT format('%s FOR VALUES FROM (%L) TO (%L)', partition, lower, upper)
			FROM uuidnew_tables.partitions('orders') WHERE since IS NOT NULL
			SQL

		if ($via_root eq 'false')    # the subscriber gets partitions by their names, which it has to have
		{
			my $create = join '',
			  map { "CREATE TABLE $_ (LIKE orders INCLUDING ALL);\n" } map { /^(\S+)/ } @parts;
			$subscriber->safe_psql('postgres', $create);
			$subscriber->safe_psql('postgres', 'ALTER SUBSCRIPTION s REFRESH PUBLICATION');
			$subscriber->poll_query_until('postgres', <<~'SQL') or die 'not moved';
				SELECT (SELECT count(*) = 0 FROM orders)
					AND (SELECT bool_and(srsubstate = 'r') FROM pg_subscription_rel)
				SQL
			$subscriber->safe_psql('postgres', "ALTER TABLE orders ATTACH PARTITION $_") for @parts;
		}
		my $expected = ask($all);
		my $same = $subscriber->poll_query_until('postgres', $all, $expected);
		ok($same, "$name: the subscriber has them too")
		  or diag($expected, ' ', $subscriber->safe_psql('postgres', $all));
		like($expected, qr/^100[12]\|/, 'and the publisher');
		$subscriber->safe_psql('postgres', 'DROP SUBSCRIPTION s; DROP TABLE orders');
		make('DROP PUBLICATION p');
	}
}

$_->stop for $subscriber, $node;
done_testing();
