# What tests of uuidnew_tables share: a server with it, and uuidnew in a schema of its own, steps that are run
# phase by phase, and all definitions of a database as pg_dump gives them.
package Tables;

use strict;
use warnings FATAL => 'all';

use Exporter qw(import);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

use Session;

our @EXPORT = qw(start_node anew make ask said hold let_go definitions run_phase outcome rekey_of
  wait_for $traps);

my $node;

# Schema evil, whose operators, functions and types no function of the extension is to call
our $traps = <<~'SQL';
	CREATE SCHEMA evil;
	DO $do$
	DECLARE
		here record;
	BEGIN
		FOR here IN
			SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result
			FROM pg_operator
			WHERE oprname IN ('=', '<>', '<', '<=', '>', '>=', '+', '-', '||', '*', '/', '%', '^@', '~', '&')
				AND oprleft <> 0
				AND oprresult <> 0
		LOOP
			BEGIN
				EXECUTE format('CREATE FUNCTION evil.trap(%s, %s) RETURNS %s LANGUAGE plpgsql AS '
					'$f$BEGIN RAISE ''caught''; END$f$', here.l, here.r, here.result);
			EXCEPTION WHEN duplicate_function OR invalid_function_definition THEN
				CONTINUE;
			END;
			EXECUTE format('CREATE OPERATOR evil.%s (FUNCTION = evil.trap, LEFTARG = %s, RIGHTARG = %s)',
				here.oprname, here.l, here.r);
		END LOOP;
		FOR here IN
			SELECT DISTINCT ON (proname, proargtypes) proname, prorettype::regtype AS result,
				regexp_replace(pg_get_function_identity_arguments(oid), '[a-z_]+ (?=anyarray|text)', '',
					'g') AS args
			FROM pg_proc
			WHERE pronamespace = 'pg_catalog'::regnamespace
				AND NOT '"any"'::regtype = ANY (proargtypes::oid[])
				AND prokind = 'f'
				AND proname IN ('now', 'lower', 'set_config', 'current_setting', 'date_trunc', 'isfinite',
					'pg_get_constraintdef', 'to_char', 'pg_sleep', 'random', 'left', 'pg_size_pretty',
					'array_position', 'pg_get_expr', 'unnest', 'length')
		LOOP
			EXECUTE format('CREATE FUNCTION evil.%I(%s) RETURNS %s LANGUAGE plpgsql AS '
				'$f$BEGIN RAISE ''caught''; END$f$', here.proname, here.args, here.result);
		END LOOP;
		FOR here IN SELECT unnest('{text, timestamptz, uuid, record, int4, int8, bool}'::text[]) AS name LOOP
			EXECUTE format('CREATE TYPE evil.%I AS ENUM (''caught'')', here.name);
		END LOOP;
	END $do$;
	CREATE FUNCTION evil.format(text, VARIADIC text[]) RETURNS text
		LANGUAGE plpgsql AS $f$BEGIN RAISE 'caught'; END$f$;
	SQL

# uuidnew is in schema keys, and what a test creates in schema public
sub start_node
{
	my (@settings) = @_;
	$node = PostgreSQL::Test::Cluster->new('main');
	$node->init;
	$node->append_conf(
		'postgresql.conf', join "\n", "timezone = 'UTC'",
		'jit = off',
		'autovacuum = off',
		'wal_level = logical',
		'fsync = off', @settings);
	$node->start;
	$node->safe_psql('postgres', 'CREATE SCHEMA keys');
	$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew SCHEMA keys');
	$node->safe_psql('postgres', 'CREATE EXTENSION uuidnew_tables');
	$node->safe_psql('postgres', 'GRANT USAGE ON SCHEMA keys TO PUBLIC');
	$node->safe_psql('postgres', 'ALTER DATABASE postgres SET search_path = public, keys');
	return $node;
}

# An empty schema public, and what is to be in it
sub anew
{
	my (@sql) = @_;
	make(<<~'SQL');
		DROP SCHEMA public CASCADE;
		CREATE SCHEMA public;
		GRANT ALL ON SCHEMA public TO PUBLIC;
		SQL
	make($_) for @sql;
	return;
}

# What has to work
sub make
{
	my ($sql) = @_;
	return $node->safe_psql('postgres', "SET client_min_messages = warning;\n$sql");
}

# Results, or the message of the error after those before it
sub ask
{
	my ($sql, @options) = @_;
	my ($status, $stdout, $stderr) = $node->Session::script($sql, @options);
	return $stdout if !$status;
	return join "\n", grep { $_ ne '' } $stdout, $stderr =~ /(ERROR:  .*)/g;
}

# What a procedure says, warnings and errors among it
sub said
{
	my ($sql, @options) = @_;
	my (undef, undef, $stderr) = $node->Session::script($sql, @options);
	return join "\n", $stderr =~ /((?:NOTICE|WARNING|ERROR):  .*)/g;
}

# A session that holds what its statements lock until it is let go
sub hold
{
	my ($sql, @options) = @_;
	my $holder = Session->new($node, @options);
	$holder->query("BEGIN;\n$sql");
	return $holder;
}

sub let_go
{
	my ($holder) = @_;
	$holder->query('COMMIT');
	$holder->quit;
	return;
}

sub definitions
{
	my @dump = ('pg_dump', '--schema-only', '-d', $node->connstr('postgres'));
	my ($out, $err) = run_command(\@dump);
	die $err if $err ne '';
	return $out =~ s/^\\(?:un)?restrict .*\n//mgr;    # a key by lot
}

# The steps of a re-keying by a time in the row, as a query's FROM takes them
sub rekey_of
{
	my ($table, $rest) = @_;
	return "uuidnew_tables.rekey_steps('$table', 'uuidv7_at(made)'" . ($rest // ", 'uuidv7()'") . ')';
}

# Runs the steps of a phase that are not done; again, if a lock was not to be had.  Gives the error that
# is left.
sub run_phase
{
	my ($steps, $phase, @options) = @_;
	my $error;
	foreach (1 .. 20)
	{
		my ($status, $stdout, $stderr) =
		  $node->psql('postgres', <<~"SQL", on_error_stop => 1, extra_params => \@options);
			SELECT statement
			FROM $steps
			WHERE phase = '$phase' AND NOT done
			ORDER BY step
			\\gexec
			SQL
		return '' if !$status;
		($error) = $stderr =~ /(ERROR:  (?s:.*))/;
		$error //= "psql ended: $stderr";
		last if $stderr !~ /lock timeout|deadlock/;
		select undef, undef, undef, 0.1 + rand 0.3;
	}
	return $error;
}

# Runs phases.  'done'; 'refused', if nothing has changed; or what failed halfway.
sub outcome
{
	my ($steps, @phases) = @_;
	my $before = definitions();
	foreach my $phase (@phases)
	{
		my $error = run_phase($steps, $phase);
		next if $error eq '';
		return definitions() eq $before ? 'refused' : "$phase: $error";
	}
	return 'done';
}

sub wait_for
{
	my ($condition) = @_;
	return $node->poll_query_until('postgres', "SELECT $condition") || die "no end of waiting: $condition";
}

1;
