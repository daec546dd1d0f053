# pglogical copies a table's rows and then its changes: the subscriber has the keys that
# the provider made, and rows of its own beside them.
use strict;
use warnings FATAL => 'all';

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More tests => 8;

my %tables = (orders => [ 'uuid_generate_v7()', 'draft' ], messages => [ 'uuidv7()', 'rfc9562' ]);
my @tables = sort keys %tables;
my %machine = (provider => 1, subscriber => 2);

my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
chomp(my $libraries = `$pg_config --pkglibdir`);

SKIP:
{
	skip 'pglogical is not installed', 8 unless -e "$libraries/pglogical.so";

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
		for my $table (@tables)
		{
			my ($default, $layout) = @{ $tables{$table} };
			$node->safe_psql('postgres', <<~SQL);
				CREATE TABLE $table (id uuid PRIMARY KEY DEFAULT $default
					CHECK (uuid_v7_layout(id) = '$layout'), item text)
				SQL
		}
	}
	my ($provider, $subscriber) = @node{qw(provider subscriber)};

	# Newer minor releases want to be told of output plugins.
	if ($provider->safe_psql('postgres', q{SELECT 1 FROM pg_settings WHERE name = 'output_plugin_libraries'}))
	{
		$provider->safe_psql('postgres', q{ALTER SYSTEM SET output_plugin_libraries = 'pglogical_output'});
		$provider->reload;
	}

	$provider->safe_psql('postgres',
		"INSERT INTO $_ (item) SELECT 'before ' || n FROM generate_series(1, 1000) n")
	  foreach @tables;
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

	my $caught_up = sub {
		$provider->safe_psql('postgres', "$timeout; SELECT pglogical.wait_slot_confirm_lsn(NULL, NULL)");
	};
	my $rows = sub {
		my ($node, $table) = @_;
		return $node->safe_psql('postgres',
			"SELECT id, item FROM $table WHERE item NOT LIKE 'own %' ORDER BY id");
	};

	for my $table (@tables)
	{
		my $layout = $tables{$table}[1];
		$provider->safe_psql('postgres', <<~SQL);
			INSERT INTO $table (item) SELECT 'after ' || n FROM generate_series(1, 1000) n;
			UPDATE $table SET item = 'changed' WHERE id = (SELECT id FROM $table WHERE item = 'before 500');
			DELETE FROM $table WHERE item = 'before 501';
			SQL
		$subscriber->safe_psql('postgres',
			"INSERT INTO $table (item) SELECT 'own ' || n FROM generate_series(1, 100) n");
		$caught_up->();

		my $copied = $rows->($subscriber, $table);
		is($copied, $rows->($provider, $table), "$layout: the subscriber has the provider's keys");
		is(scalar(split /\n/, $copied), 1999, "$layout: no key is missing");
		is( $subscriber->safe_psql('postgres', <<~SQL),
			SELECT uuid_machine_id(id, 4, '@{[ $layout eq 'draft' ? 'microsecond' : $layout ]}') AS machine,
				count(*)
			FROM $table GROUP BY 1 ORDER BY 1
			SQL
			"1|1999\n2|100",
			"$layout: the subscriber has rows of its own, with keys of its own");
		my $between = $layout eq 'draft' ? 'uuid_v7_between' : 'uuidv7_between';
		$subscriber->safe_psql('postgres', "ANALYZE $table");
		like(
			$subscriber->safe_psql(
				'postgres',
				"EXPLAIN SELECT * FROM $table WHERE $between(id, now() + interval '1 minute', NULL)"),
			qr/Index Cond: \(+id >= /,
			"$layout: a window on the subscriber uses the index");
	}

	$_->stop foreach $subscriber, $provider;
}
