# pglogical copies a table's rows and then its changes: the subscriber has the keys that
# the provider made, and rows of its own beside them.
use strict;
use warnings FATAL => 'all';

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More tests => 3;

my %machine = (provider => 1, subscriber => 2);

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
chomp(my $libraries = `$pg_config --pkglibdir`);

SKIP:
{
	skip 'pglogical is not installed', 3 unless -e "$libraries/pglogical.so";

	my %node;
	for my $name (sort keys %machine)
	{
		my $node = $node{$name} = PostgreSQL::Test::Cluster->new($name);
		$node->init(allows_streaming => 'logical');
		$node->append_conf('postgresql.conf', <<~CONF);
			shared_preload_libraries = 'pglogical'
			uuidnew.machine_id_bits = 4
			uuidnew.machine_id = $machine{$name}
			CONF
		$node->start;
		$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew; CREATE EXTENSION pglogical');
		$node->safe_psql('postgres', <<~'SQL');
			CREATE TABLE orders (id uuid PRIMARY KEY DEFAULT public.uuidv7() CHECK (uuidv7_is(id)), item text)
			SQL
	}
	my ($provider, $subscriber) = @node{qw(provider subscriber)};

	# Newer minor releases want to be told of output plugins.
	if ($provider->safe_psql('postgres', q{SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'}))
	{
		$provider->safe_psql('postgres', q{ALTER SYSTEM SET output_plugin_libraries = 'pglogical_output'});
		$provider->reload;
	}

	$provider->safe_psql('postgres',
		"INSERT INTO orders (item) SELECT 'before ' || n FROM generate_series(1, 1000) n");
	my %dsn = map { $_ => $node{$_}->connstr('postgres') =~ s/'/''/gr } keys %node;
	$provider->safe_psql('postgres', <<~SQL);
		SELECT pglogical.create_node('provider', '$dsn{provider}');
		SELECT pglogical.replication_set_add_all_tables('default', '{public}');
		SQL
	$subscriber->safe_psql('postgres', "SELECT pglogical.create_node('subscriber', '$dsn{subscriber}')");
	$subscriber->safe_psql('postgres', "SELECT pglogical.create_subscription('copy', '$dsn{provider}')");
	my $timeout = "SET statement_timeout = '${PostgreSQL::Test::Utils::timeout_default}s'";
	$subscriber->safe_psql('postgres',
		"$timeout; SELECT pglogical.wait_for_subscription_sync_complete('copy')");

	$provider->safe_psql('postgres', <<~SQL);
		INSERT INTO orders (item) SELECT 'after ' || n FROM generate_series(1, 1000) n;
		UPDATE orders SET item = 'changed' WHERE item = 'before 500';
		DELETE FROM orders WHERE item = 'before 501';
		$timeout;
		SELECT pglogical.wait_slot_confirm_lsn(NULL, NULL)
		SQL
	$subscriber->safe_psql('postgres',
		"INSERT INTO orders (item) SELECT 'own ' || n FROM generate_series(1, 100) n");
	my $rows = q{SELECT id, item FROM orders WHERE item NOT LIKE 'own %' ORDER BY id};
	my $copied = $subscriber->safe_psql('postgres', $rows);
	is($copied, $provider->safe_psql('postgres', $rows), "the subscriber has the provider's keys");
	is(scalar(split /\n/, $copied), 1999, 'no key is missing');
	is($subscriber->safe_psql('postgres', <<~'SQL'), "1|1999\n2|100", 'the subscriber has keys of its own');
		SELECT uuid_machine_id(id, 4, 'rfc9562') AS machine, count(*) FROM orders GROUP BY 1 ORDER BY 1
		SQL

	$_->stop foreach $subscriber, $provider;
}
