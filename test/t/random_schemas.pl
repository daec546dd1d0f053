# Random schemas: each gets new keys, there and back and there again, or becomes partitioned, beside a
# writer, with sessions that are ended in the middle; or is refused before anything has changed.  Judged
# by what pg_dump gives, and by a ledger of rows that the writer keeps.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Schemas;
use Session;
use Tables;

my $node = start_node('allow_in_place_tablespaces = on', 'log_statement = none', 'log_min_messages = fatal');
my $major = ask(q{SELECT current_setting('server_version_num')::int / 10000});
my $seed = $ENV{SCHEMAS_SEED} // int(rand(1_000_000));
my $count = $ENV{SCHEMAS_COUNT} // ($ENV{UUIDNEW_SOAK} ? 400 : 40);
note("SCHEMAS_SEED=$seed SCHEMAS_ONLY=number of one");
my @only = split / /, $ENV{SCHEMAS_ONLY} // '';

make(<<~'SQL');
	CREATE ROLE owner LOGIN;
	CREATE ROLE clerk;
	CREATE ROLE reader;
	GRANT CREATE ON DATABASE postgres TO owner;
	CREATE SCHEMA writer;
	GRANT USAGE ON SCHEMA writer TO PUBLIC;
	CREATE SEQUENCE writer.labels;
	CREATE SEQUENCE writer.keys START 100;
	GRANT ALL ON ALL SEQUENCES IN SCHEMA writer TO PUBLIC;
	CREATE TABLE writer.statements (nr int GENERATED ALWAYS AS IDENTITY, statement text);
	CREATE TABLE writer.ledger (tab text, label bigint, of bigint, delta int);
	CREATE TABLE writer.errors (statement text, state text, message text);
	CREATE TABLE writer.done (n bigint);
	CREATE FUNCTION writer.nothing() RETURNS trigger LANGUAGE plpgsql AS $$
	BEGIN
		IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
		RETURN NEW;
	END $$;
	CREATE PROCEDURE writer.go(rounds int) LANGUAGE plpgsql AS $$
	DECLARE
		s record;
	BEGIN
		FOR i IN 1 .. rounds LOOP
			SELECT * INTO s FROM writer.statements ORDER BY random() LIMIT 1;
			EXIT WHEN NOT FOUND;
			PERFORM set_config('lock_timeout', '10s', true);
			BEGIN
				EXECUTE s.statement;
				SET CONSTRAINTS ALL IMMEDIATE;
			EXCEPTION WHEN OTHERS THEN
				INSERT INTO writer.errors VALUES (s.statement, SQLSTATE, SQLERRM);
			END;
			UPDATE writer.done SET n = n + 1;
			COMMIT;
			PERFORM pg_sleep(0.002);
		END LOOP;
	END $$;
	SQL
make('CREATE TABLESPACE fast LOCATION $$$$') if $major >= 15;
make('GRANT CREATE ON TABLESPACE fast TO PUBLIC') if $major >= 15;
my @writer_anew = (
	'TRUNCATE writer.statements, writer.ledger, writer.errors, ' . 'writer.done',
	'INSERT INTO writer.done VALUES (0)');

sub literal { return q{'} . $_[0] =~ s/'/''/gr . q{'} }

# The dump as entries by what they define, without what is not of the tables
sub entries
{
	my ($dump) = @_;
	my %entry;
	foreach (split /^--\n(?=-- (?:Name|Data for Name): )/m, $dump)
	{
		my ($title, $body) = /\A(-- Name: .*?; Type: .*?; Schema: .*?)\n--\n(.*)\z/s or next;
		next if $title =~ /Schema: writer\b|Type: (?:SCHEMA|EXTENSION);/;
		$body =~ s/ NOT VALID;/;/ if $title =~ /Type: FK CONSTRAINT/;    # validated on the way
		$body =~ s/^SET default_\w+ = .*\n|^--.*\n//mg;
		$body =~ s/\A\s+|\s+\z//g;
		$title =~ s/; Tablespace: .*// if $title =~ /; Type: TABLE;/;    # which stays with a first partition
		$entry{ $title =~ s/\n/ /gr } .= $body;
	}
	return \%entry;
}

# In which entries two of them differ
sub differences
{
	my ($one, $other) = @_;
	my %all = (%$one, %$other);
	return join '', map { "$_:\n< " . ($one->{$_} // '') . "\n> " . ($other->{$_} // '') . "\n" }
	  grep { ($one->{$_} // '') ne ($other->{$_} // '') } sort keys %all;
}

# A dump as it is to be, whatever the type of keys: columns in the order of their names, and without what
# generates a key
sub of_any_key
{
	my ($s, $dump) = @_;
	my $entries = entries($dump);
	my @keys = ($s->{key}, map { $_->{ref} } @{ $s->{children} });
	my $key = join '|', map { (quotemeta($_), quotemeta($_ =~ s/^"(.*)"$/$1/sr)) } @keys;
	foreach my $title (keys %$entries)
	{
		if (   $title =~ /; Type: (?:SEQUENCE|SEQUENCE OWNED BY|DEFAULT);/
			&& $entries->{$title} =~ /(?:COLUMN|\.) ?(?:$key)\b|_seq\b/)
		{
			delete $entries->{$title};
			next;
		}
		$entries->{$title} =~ s/NULL::[^,]*? AS /NULL AS /g
		  if $title =~ /; Type: VIEW;/;    # whose rule comes later
		next if $entries->{$title} !~ /^CREATE (?:UNLOGGED )?TABLE/;
		my ($head, $lines, $rest) = $entries->{$title} =~ /\A(CREATE.*? \(\n)(.*?)\n(\)\n?.*)\z/s or next;
		my @lines = map { s/\A((?:    )(?:$key)) .*/$1/sr } split /,\n(?=    )/, $lines;
		$rest =~ s/^ALTER TABLE ONLY \S+ ALTER COLUMN (?:$key) SET STATISTICS.*\n?//mg;
		$entries->{$title} = join "\n", $head, sort(@lines), $rest;
	}
	return $entries;
}

# A dump without partitions, as if the table had none
sub without_partitions
{
	my ($s, $dump) = @_;
	my $entries = entries($dump);
	my @parts = split /\0/, ask(<<~"SQL") =~ tr/\1/\0/r;
		WITH part AS (
			SELECT inhrelid FROM pg_inherits WHERE inhparent = @{[literal($s->{root})]}::regclass)
		SELECT string_agg(name::text, chr(1))
		FROM (
			SELECT inhrelid::regclass FROM part
			UNION ALL
			SELECT indexrelid::regclass FROM pg_index JOIN part ON indrelid = inhrelid) x(name)
		SQL
	my $parts = join '|',
	  map { (quotemeta($_), quotemeta($_ =~ s/^"(.*)"$/$1/sr =~ s/""/"/gr)) } map { s/^public\.//r } @parts,
	  'nothing at all';
	$parts =~ s/\\\n/\\s/g;    # a title has spaces
	foreach my $title (keys %$entries)
	{
		# statistics objects stay with the first partition
		if (   $title =~ m{; Type: (?:TABLE ATTACH|INDEX ATTACH|STATISTICS);|Name: (?:$parts)(?:;| )}
			|| $title =~ m{(?:TABLE|COLUMN|INDEX) (?:$parts)[;.]| ON (?:$parts);}
			|| $entries->{$title} =~ /(?: ON | ONLY )(?:ONLY )?public\.(?:$parts)(?=[ ;(.]|\n|\z)/)
		{
			delete $entries->{$title};
			next;
		}
		# and so do these
		$entries->{$title} =~ s/\s*ALTER TABLE [^;]* CLUSTER ON [^;]*;\s*//;
		$entries->{$title} =~ s/\n\)\nWITH \([^;]*\);/\n);/ if $title =~ /; Type: TABLE;/;
		$entries->{$title} =~ s/\n\)\nPARTITION BY RANGE \(.*?\)(?=;|\n)/\n)/s;
		# a table with partitions has no storage parameters
		$entries->{$title} =~ s/\n\)\nWITH \(.*?\)(?=;|\n)/\n)/s if $title =~ /; Type: TABLE;/;
		$entries->{$title} =~ s/ ON ONLY public\./ ON public./g;
		$entries->{$title} =~ s/ALTER TABLE (?:ONLY )?public\./ALTER TABLE public./g;
	}
	return $entries;
}

# What has to hold at any time, in one snapshot
sub wrong
{
	my ($s) = @_;
	my ($root, $key) = @$s{qw(root key)};
	my @checks =
	  (     "SELECT 'rows of the table', count(*) FROM (SELECT label FROM writer.ledger WHERE tab = 'root' "
		  . "GROUP BY label HAVING sum(delta) > 0) l FULL JOIN $root t USING (label) "
		  . "WHERE (t.label IS NULL) <> (l.label IS NULL)");
	foreach my $c (@{ $s->{children} })
	{
		push @checks,
			"SELECT "
		  . literal("references of $c->{tab}")
		  . ", count(*) FROM $c->{tab} c LEFT JOIN $root t ON t.$key = c.$c->{ref} "
		  . "WHERE c.$c->{ref} IS NOT NULL AND t.label IS DISTINCT FROM c.$c->{label}";
	}
	my $there = join ' UNION ALL ', 'SELECT NULL::bigint',
	  map { "SELECT label FROM $_->{tab}" } grep { !$_->{self} } @{ $s->{children} };
	push @checks, <<~"SQL";
		SELECT 'rows that refer to it', count(*)
		FROM (
			SELECT label FROM writer.ledger WHERE tab = 'child' GROUP BY label HAVING sum(delta) > 0
			EXCEPT ($there)
			EXCEPT SELECT c.label
				FROM writer.ledger c
					JOIN writer.ledger d ON d.tab = 'root' AND d.delta < 0 AND d.label = c.of
			) lost
		SQL
	return ask('SELECT * FROM (' . join(' UNION ALL ', @checks) . ') x(what, n) WHERE n > 0');
}

# A phase, now and then in a session that is ended first
sub phase
{
	my ($s, $steps, $phase) = @_;
	my @as = @{ $s->{as} };
	if (rand() < 0.3)
	{
		my $session = Session->new($node, @as, '-v', 'ON_ERROR_STOP=1');
		my $pid = $session->query('SELECT pg_backend_pid()');
		$session->begin(<<~"SQL");
			SELECT statement FROM $steps WHERE phase = '$phase' AND NOT done ORDER BY step
			\\gexec
			SQL
		$session->{run}->pump_nb;
		select undef, undef, undef, rand 0.4;
		ask("SELECT pg_terminate_backend($pid)");
		wait_for("count(*) = 0 FROM pg_stat_activity WHERE pid = $pid");
		$session->drop;
	}
	return run_phase($steps, $phase, @as);
}

# What is wrong with new keys, or partitions, of a schema; nothing if all is right
sub verdict
{
	my ($s, $partitioned) = @_;
	my $table = literal($s->{root});
	my ($steps, $normal) =
	  $partitioned
	  ? ("uuidnew_tables.partitioning_steps($table)", \&without_partitions)
	  : ("uuidnew_tables.rekey_steps($table, 'uuidv7_at(made)', 'uuidv7()')", \&of_any_key);
	my $first = definitions();
	my $before = entries($first);
	my $writer = Session->new($node);
	$writer->begin('CALL writer.go(100000)');
	my $end = sub {
		ask('TRUNCATE writer.statements');
		$writer->result;
		$writer->quit;
	};
	my $told = ask('SELECT obstacle FROM ' . ($steps =~ s/_steps/_check/r), @{ $s->{as} });
	my $error = phase($s, $steps, 'prepare');
	if ($error ne '')
	{
		$end->();
		my $changed = differences($before, entries(definitions()));
		$s->{refused} = 1;
		note("refused: $told");
		return "prepare failed halfway: $error\n$changed" if $changed ne '';
		return "refused, which nothing told before: $error" if $told eq '';
		return '';
	}
	if ($told ne '')
	{
		$end->();
		return "not refused, though it was told: $told";
	}
	my $wrong = '';
	# new keys there, back, and there again
	my @phases = $partitioned ? 'swap' : qw(swap undo undo prepare swap finish);
	foreach my $phase (@phases)
	{
		$error = phase($s, $steps, $phase);
		$wrong .= "$phase: $error\n" if $error ne '';
		$wrong .= "$phase: " . wrong($s) . "\n" if wrong($s) ne '';
		last if $wrong ne '';
		my $again = $phase eq 'undo' && $s->{undone}++;
		my $left = $again ? differences($before, entries(definitions())) : '';
		$wrong .= "undone, but $left" if $left ne '';
		delete $s->{undone} if $again;
	}
	$wrong .= ask("SELECT n || ' statements of the writer' FROM writer.done WHERE n < 5");
	$end->();
	$wrong .= differences($normal->($s, $first), $normal->($s, definitions())) if $wrong eq '';
	return $wrong;
}

my %times = ('new keys' => 0, 'new keys, refused' => 0);
foreach my $number (@only ? @only : 1 .. $count)
{
	srand($seed + $number);
	my $partitioned = $number % 3 == 0;
	my $s = random_schema($major, $partitioned);
	my $drop = ask(q{SELECT string_agg(format('DROP PUBLICATION %I', pubname), '; ') FROM pg_publication});
	make(   "$drop; ALTER DEFAULT PRIVILEGES REVOKE SELECT ON TABLES FROM clerk; "
		  . "DROP TABLESPACE IF EXISTS nothing");
	anew(@writer_anew);
	my $made = ask(join ";\n", 'SET client_min_messages = error', @{ $s->{sql} }, @{ $s->{rows} });
	if ($made =~ /ERROR/)
	{
		fail("schema $number can be made");
		diag($made, "\n", join ";\n", @{ $s->{sql} }, @{ $s->{rows} });
		next;
	}
	my @did = grep { ask("SET client_min_messages = error; $_") !~ /ERROR/ } @{ $s->{more} };
	if (rand() < 0.3)
	{
		make(<<~'SQL');
			DO $$
			BEGIN
				EXECUTE (SELECT string_agg(format('ALTER TABLE %s OWNER TO owner', oid::regclass), '; ')
					FROM pg_class
					WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'v', 'm'));
				EXECUTE coalesce((SELECT string_agg(format('ALTER STATISTICS public.%I OWNER TO owner',
					stxname), '; ')
					FROM pg_statistic_ext), 'SELECT');
			END $$;
			GRANT ALL ON SCHEMA public TO owner
			SQL
		$s->{as} = [ '-U', 'owner' ] if ask(q{SELECT count(*) FROM pg_publication}) eq '0';
	}
	$s->{as} //= [];
	# what it may not write before, it is not asked to
	foreach (@{ $s->{statements} })
	{
		next if ask("BEGIN; SET CONSTRAINTS ALL IMMEDIATE; $_; ROLLBACK") =~ /ERROR/;
		make('INSERT INTO writer.statements (statement) VALUES (' . literal($_) . ')');
	}
	my $wrong = verdict($s, $partitioned);
	my $errors = ask(q{SELECT count(*), statement, state, message FROM writer.errors GROUP BY 2, 3, 4});
	$wrong .= "the writer had errors: $errors\n" if $errors ne '';
	$times{ ($partitioned ? 'partitioned' : 'new keys') . ($s->{refused} ? ', refused' : '') }++;
	is($wrong, '',
			"schema $number "
		  . ($partitioned ? 'becomes partitioned' : 'gets new keys, there, back and there again,')
		  . ' or is refused')
	  or diag(
		"SCHEMAS_SEED=$seed SCHEMAS_ONLY=$number\n",
		join(";\n", @{ $s->{sql} }, @did),
		"\n@{ $s->{as} }\n");
}
note("$_: $times{$_}") for sort keys %times;
cmp_ok(
	3 * $times{'new keys'} + 15,    # of a few, by chance, fewer
	'>=',
	$times{'new keys'} + $times{'new keys, refused'},
	'about a third gets new keys, or more') if !@only;

$node->stop;
done_testing();
