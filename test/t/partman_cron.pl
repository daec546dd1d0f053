# partitions and create_partitions on a table that pg_partman maintains, and called by pg_cron.
# Where neither is installed, as with most servers, this is skipped.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;

my $node = start_server();
my %version = map { split /\|/ } split /\n/, ask(<<~'SQL');
	SELECT name, default_version FROM pg_available_extensions WHERE name IN ('pg_partman', 'pg_cron')
	SQL

# older ones can't partition by UUIDs, or run each second
my ($partman, $cron) =
  map { ($version{ $_->[0] } // 0) =~ /^(\d+)\.(\d+)/ && $1 * 100 + $2 >= $_->[1] }[ pg_partman => 502 ],
  [ pg_cron => 105 ];
plan skip_all => 'neither pg_partman 5.2 nor pg_cron 1.5 is installed' unless $partman || $cron;
ask('CREATE EXTENSION uuidnew');
ask('CREATE EXTENSION uuidnew_tables');

SKIP:
{
	skip 'pg_partman 5.2 is not installed', 7 unless $partman;
	ask($_) for 'CREATE SCHEMA partman', 'CREATE EXTENSION pg_partman SCHEMA partman';
	foreach my $layout ('draft', 'rfc9562')
	{
		my ($default, $prefix) =
		  $layout eq 'draft' ? ('uuid_generate_v7()', 'uuid_v7') : ('uuidv7()', 'uuid_v7_rfc9562');
		ask(<<~SQL);
			CREATE TABLE $layout (id uuid PRIMARY KEY DEFAULT $default
				CHECK (uuid_v7_layout(id) = '$layout'), line text) PARTITION BY RANGE (id);
			SELECT partman.create_parent(p_parent_table => 'public.$layout', p_control => 'id',
				p_interval => '1 month',
				p_time_encoder => 'public.${prefix}_partman_encoder',
					p_time_decoder => 'public.${prefix}_partman_decoder');
			INSERT INTO $layout (line) VALUES ('a line')
			SQL
		ask('CALL partman.run_maintenance_proc()');
		is(ask(qq{SELECT count(*) FROM $layout}), '1', "$layout: its maintenance goes on");
	}
	is( ask(<<~'SQL'),
		SELECT count(*) FILTER (WHERE since IS NULL),
			count(*) FILTER (WHERE since = date_trunc('month', since)
				AND until = since + interval '1 month') > 4,
			bool_or(now() >= since AND now() < until) FROM uuidnew_tables.partitions('rfc9562')
		SQL
		'1|t|t', "partitions of pg_partman $version{pg_partman} have their times");
	ask(q{CALL uuidnew_tables.create_partitions('rfc9562', 'month', '8 months')});
	is(ask(<<~'SQL'), 't', 'more are created');
		SELECT max(until) > now() + interval '8 months' FROM uuidnew_tables.partitions('rfc9562')
		SQL
	my $partitions = ask(q{SELECT count(*) FROM uuidnew_tables.partitions('rfc9562')});
	ask('CALL partman.run_maintenance_proc()');
	is(ask(<<~SQL), 't', 'its maintenance goes on');
		SELECT count(*) >= $partitions FROM uuidnew_tables.partitions('rfc9562')
		SQL
	ask(q{CALL uuidnew_tables.drop_partitions('rfc9562', '1 month', false)});
	is(ask(<<~'SQL'), '0', 'the old are dropped');
		SELECT count(*) FROM uuidnew_tables.partitions('rfc9562') WHERE until <= now() - interval '1 month'
		SQL
	ask('CALL partman.run_maintenance_proc()');
	is(ask(q{SELECT count(*) FROM rfc9562}), '1', 'and its maintenance goes on');
}

SKIP:
{
	skip 'pg_cron 1.5 is not installed', 1 unless $cron;
	$node->append_conf('postgresql.conf',
		"shared_preload_libraries = 'pg_cron'\ncron.use_background_workers = on\nmax_worker_processes = 20");
	$node->restart;
	ask($_)
	  for 'CREATE EXTENSION pg_cron',
	  'CREATE TABLE log (id uuid PRIMARY KEY DEFAULT uuidv7(), line text) PARTITION BY RANGE (id)',
	  q{SELECT cron.schedule('partitions', '1 second', $$CALL uuidnew_tables.create_partitions('log', 'day', }
	  . q{'10 days')$$)};
	ok($node->poll_query_until('postgres', <<~'SQL'), "pg_cron $version{pg_cron} creates partitions");
		SELECT count(*) = 11 FROM uuidnew_tables.partitions('log')
		SQL
}

done_testing();
