# test/conformance.tsv: each requirement of RFC 9562 and of the draft names the place in src/, the
# function or the setting that meets it, and its tests, all of which exist. Requirements on
# generators also hold for the _at functions, except those on counting. Each difference from the RFC
# has its reason in doc/conformance.md, and each difference from the draft in the table.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Utils;
use Test::More;

my $root = "$FindBin::Bin/../..";

sub text { return slurp_file("$root/$_[0]") }

my $scripts = join '', map { text(substr $_, length($root) + 1) } glob "$root/uuidnew--*.sql";
my $settings = join '', map { text(substr $_, length($root) + 1) } glob "$root/src/{*,*/*}.c";

sub is_test
{
	my ($name) = @_;
	if (my ($file, $function) = $name =~ /^(\w+_test)(?::(\w+))?$/)
	{
		return -e "$root/test/unit/$file.c"
		  && (!$function || text("test/unit/$file.c") =~ /(?:cmocka_unit_test\w*|TEST)\($function\b/);
	}
	return
	  grep { -e "$root/$_" }
	  $name =~ m{/} ? "$name.sql" : ("test/t/$name.pl", "test/fuzz/$name.c", "bench/$name");
}

sub is_place
{
	my ($name) = @_;
	return
		$name =~ /^(\w+)\(\)$/ ? $scripts =~ /^\s*CREATE (?:OR REPLACE )?FUNCTION $1\(/m
	  : $name =~ /^uuidnew\.\w+$/ ? $settings =~ /"\Q$name\E"/
	  : $name eq 'PostgreSQL' || -e "$root/src/$name";
}

my (%rows, %differs, %reason, @wrong);

my ($head, @requirements) = split /\n/, text('test/conformance.tsv');
is($head =~ tr/\t/ /r, 'standard section level requirement where test difference', 'the columns');
foreach my $line (@requirements)
{
	my ($standard, $section, $level, $requirement, $where, $tests, $difference) = split /\t/, $line;

	$rows{$standard}++;
	push @wrong, "no level: $line" unless $level =~ /^(?:-|(?:MUST|SHOULD)(?: NOT)?|MAY)$/;
	push @wrong, "no place: $line" unless $where;
	push @wrong, "no test: $line" unless $tests;
	push @wrong, "no such place: $_" for grep { !is_place($_) } split /, /, $where // '';
	push @wrong, "no such test: $_" for grep { !is_test($_) } split /, /, $tests // '';
	next unless defined $difference;
	if ($standard eq 'draft')
	{
		push @wrong, "no reason: $line" unless $difference =~ /\w \w/;
		next;
	}
	push @wrong, "elsewhere: $line" unless $difference eq 'doc/conformance.md';
	$differs{$section} = 1;
}

my ($reasons) = text('doc/conformance.md') =~ /^## Different on purpose\n(.*?)^## /ms;
while ($reasons =~ /^\| ([\d., ]*\d) \| .*\w.* \| .*\w.* \|$/mg)
{
	$reason{$_} = 1 for split /, /, $1;
}

cmp_ok($rows{draft}, '>', 60, 'the requirements of the draft were found');
cmp_ok($rows{'RFC 9562'}, '>', 25, 'the requirements of RFC 9562 were found');
is(join("\n", @wrong), '', 'each requirement has its place and its tests, and they exist');
is_deeply(
	[ sort keys %reason ],
	[ sort keys %differs ],
	'each difference has a reason, and each reason a difference');

done_testing();
