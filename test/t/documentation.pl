# Every SQL example in the documentation works, in the order of its page, in an
# empty database, and gives what the page shows.  Links lead somewhere, also where
# the pages are installed.
use strict;
use warnings FATAL => 'all';

use Cwd qw(realpath);
use File::Basename;
use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Server;

my $root = "$FindBin::Bin/../..";
my @pages = map { substr($_, length($root) + 1) }
  sort glob("$root/*.md $root/doc/*.md");

# The anchors of a page: its own, and those that its host derives from the headings
sub anchors
{
	my ($text) = @_;
	my %times;
	return $text =~ /<a id="(.*?)">/g, map { $times{$_}++ ? "$_-" . ($times{$_} - 1) : $_ }
	  map { lc($_ =~ s/\[(.*?)\]\(.*?\)/$1/gr) =~ s/[^\w\- ]//gr =~ tr/ /-/r } $text =~ /^#+ +(.*?) *$/mg;
}

# The links of some files, and those among them that lead nowhere
sub links_of
{
	my %text = map { $_ => slurp_file($_) =~ s/^```.*?^```$//msgr } @_;
	my ($links, @dead) = (0);
	foreach my $page (sort keys %text)
	{
		foreach my $link ($text{$page} =~ s/`[^`]*`//gr =~ /\]\((.*?)\)/g)
		{
			next if $link =~ /^https:/;
			$links++;
			my ($file, $anchor) = $link =~ /^([^#]*)#?(.*)/;
			my $target = $file eq '' ? $page : (dirname($page) . "/$file") =~ s{/\w+/\.\./}{/}r;
			push @dead, basename($page) . ": $link"
			  unless -f $target && ($anchor eq '' || grep { $_ eq $anchor } anchors($text{$target} // ''));
		}
	}
	return $links, @dead;
}

# The pages where they are installed, and all of them with those for contributors
my $installed = PostgreSQL::Test::Utils::tempdir();
system_or_bail('make', '-s', '-C', $root, 'install_pages', "DESTDIR=$installed");
chomp(my $docdir = `pg_config --docdir`);
my @installed = glob "$installed$docdir/extension/uuidnew/{,doc/}*.md";
is(@installed, @pages, 'all pages are installed');
my ($links, @dead) = links_of(@installed);
cmp_ok($links, '>', 100, 'links were found');
is(join("\n", @dead), '', 'each link leads to an installed file, and to a heading of it');
($links, @dead) = links_of(glob realpath($root) . '/{,doc/,src/,test/}*.md');
is(join("\n", @dead), '', 'in the source tree too');

# One address to report to, and its stand-in is named as such
my ($address) = slurp_file("$root/META.json") =~ /"mailto": "(.*?)"/;
foreach my $file ('SECURITY.md', 'uuidnew.control')
{
	like(slurp_file("$root/$file"), qr/\Q$address\E/, "$file names the address of META.json");
}

my $node = start_server();

# Drops what the examples of a page have made.
sub clean
{
	$node->safe_psql('examples', <<~'SQL');
		SET client_min_messages = warning;
		SELECT format('DROP PUBLICATION %I', pubname) FROM pg_publication \gexec
		SELECT format('DROP EXTENSION %I CASCADE', extname) FROM pg_extension
		WHERE extname <> 'plpgsql' \gexec
		SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace
		WHERE nspname !~ '^(pg_|information_schema$)' \gexec
		CREATE SCHEMA public
		SQL
	return;
}

# A page's examples as the page says: psql's output of each.  An error or a
# warning is the one that the page shows below the example.
sub outputs
{
	my ($page, $results, @examples) = @_;
	my @messages = map { ($_ // '') =~ /^(?:ERROR|WARNING):/ ? $_ : '' } @$results;
	my @statements = map {
		$messages[$_] =~ /^ERROR:/
		  ? "\\set ON_ERROR_STOP off\n$examples[$_]\\set ON_ERROR_STOP on\n"
		  : $examples[$_]
	} 0 .. $#examples;
	my $end = "\n\\echo end of an example\n";
	my ($status, $stdout, $stderr) = $node->psql(
		'examples',
		join('', "\\pset format aligned\n\\t off\n", map { $_ . $end } @statements),
		on_error_stop => 1);
	is($status, 0, "$page: " . scalar(@examples) . ' examples work') or diag($stderr);
	$stderr =~ s/^psql:[^ ]+ //mg;
	$stderr =~ s/^NOTICE:  .*\n?//mg;    # what a procedure says of the hour
	chomp $stderr;
	is( "$stderr\n" x !!$stderr,
		join('', @messages),
		"$page: its examples give the messages that it shows, and no other");
	return split /^end of an example\n?/m, "$stdout\n", -1;
}

# The cells of psql's tables
sub cells
{
	my ($table) = @_;
	return map { s/^\s+|\s+$//gr } map { split /\|/, $_, -1 } grep { !/^[-+ ]*$/ } split /\n/, $table;
}

# Is it a time or a UUID of the last hour?
sub is_of_now
{
	my ($cell) = @_;
	my $value = $cell =~ /^[0-9a-f]{8}-/
	  ? "t.time FROM uuid_info('$cell') i, "
	  . q{LATERAL (SELECT substring(reading FROM ', (\S+ \S+)(?: \(.*\))?$')::timestamptz AS time
		FROM regexp_split_to_table(i.readings, E'\n') reading) t}
	  : $cell =~ /^\d{4}-\d\d-\d\d \d\d:/ ? "t.time FROM (VALUES ('$cell'::timestamptz)) t(time)"
	  : return 0;
	return ask(<<~SQL) eq 't';
		SELECT bool_or(now - time BETWEEN '0 s' AND '1 hour')
		FROM (SELECT clock_timestamp() AS now, $value) v
		SQL
}

# A table on a page, and what its example gives: alike but for what is of now.
sub is_shown
{
	my ($page, $shown, $given) = @_;
	my @shown = cells($shown);
	my @given = cells($given =~ s/^\(\d+ rows?\)$//mgr);

	# of several results it may be the last
	splice @given, 0, -@shown if @given > @shown;
	my @wrong = grep { $shown[$_] ne ($given[$_] // '') && !is_of_now($given[$_] // '') } 0 .. $#shown;

	ok(@shown == @given && !@wrong, "$page: shows the result of its example")
	  or diag("given:\n$given");
}

# Does a page want the order of the server?  Its settings are for the whole server.
sub needs_server_order
{
	my ($page) = @_;
	return slurp_file("$root/$page") =~ /^uuidnew\.order_scope = server$/m ? 1 : 0;
}

ask("CREATE EXTENSION uuidnew;\nCREATE DATABASE examples");
my $total = 0;
my $tables = 0;
foreach my $page (sort { needs_server_order($a) <=> needs_server_order($b) } @pages)
{
	my $text = slurp_file("$root/$page");
	if (needs_server_order($page))
	{
		$node->append_conf('postgresql.conf',
			"shared_preload_libraries = 'uuidnew'\nuuidnew.order_scope = server");
		$node->restart;
	}
	my @examples = $text =~ /^```sql\n(.*?)^```$/msg;
	my @results = $text =~ /^```sql\n.*?^```\n(?:\n```\n(.*?)^```$)?/msg;
	my $fences = () = $text =~ /^```/mg;
	is($fences % 2, 0, "$page: its code blocks are closed");
	next unless @examples;
	$total += @examples;

	my @outputs = outputs($page, \@results, @examples);
	clean();
	my @silent;
	for my $i (0 .. $#examples)
	{
		# one with a query at its end
		my ($last) = $examples[$i] =~ /(?:\A|;[^;\n]*\n|^--.*\n|^\n)((?:(?!;).)*;[^;]*)\z/ms;
		push @silent, $examples[$i]
		  if ($last // '') =~ /\A(?:SELECT|WITH|EXECUTE|EXPLAIN)\b(?!.*\\g)|\bRETURNING\b/s
		  && ($results[$i] // '') !~ /^ERROR:/
		  && ($outputs[$i] // '') !~ /^\([1-9]\d* rows?\)$|^-\[ RECORD/m;
		next unless ($results[$i] // '') =~ /^-+\+-/m;
		is_shown($page, $results[$i], $outputs[$i] // '');
		$tables++;
	}
	is(join("\n", @silent), '', "$page: each query has rows");
}
cmp_ok($total, '>', 10, 'examples were found');
cmp_ok($tables, '>', 2, 'tables of results were found');

# Each function of the extension has an anchor in the reference, or is one of other systems, which
# has them as <system>_timestamp and the like.
my $reference = slurp_file("$root/doc/reference.md");
my ($table) = $reference =~ /^\| system \|.*\n\|[-|]*\n((?:\|.*\n)+)/m;
my %system = map { lc($_) => 1 } $table =~ /^\| (\w+) \|/mg;
my @patterns = $reference =~ /^\| `(\w*<system>\w*)\(/mg;
my %of_system;
foreach my $system (keys %system)
{
	$of_system{s/<system>/$system/r} = 1 for @patterns;
}
my @functions = split /\n/, ask(<<~'SQL');
	SELECT DISTINCT proname FROM pg_proc p
		JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
		JOIN pg_extension e ON e.oid = d.refobjid
	WHERE extname = 'uuidnew' AND prorettype <> 'internal'::regtype
		-- what an aggregate is made of
		AND p.oid NOT IN (SELECT aggtransfn FROM pg_aggregate)
		-- what the reference calls internal
		AND (proname ~ '^uuidnew_order(?!_state)' OR proname !~ '^uuidnew_|_since$|_until$')
	ORDER BY 1
	SQL
my %anchors;
$anchors{$_}++ foreach $reference =~ /<a id="(\w+)">/g;
foreach my $function (@functions)
{
	next if $of_system{$function};
	is($anchors{$function}, 1, "$function has an anchor in the reference");
	like($reference, qr/`[^`\n]*\b\Q$function\E\(/, "$function has a signature in the reference");
}
my %exists = map { $_ => 1 } @functions;
is( join(' ', grep { !$exists{$_} } sort keys %of_system),
	'ksuid_to_uuid uuid_to_ksuid',
	'what the reference says of all systems is there for each but KSUID');

done_testing();
