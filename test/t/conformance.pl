# test/conformance.md: each statement has a test, and the tests and functions that
# it names exist; each difference has its reason, there or in doc/conformance.md.
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

my $root = "$FindBin::Bin/../..";

sub text
{
	my ($file) = @_;
	open my $handle, '<', "$root/$file" or die "$file: $!";
	local $/;
	return <$handle>;
}

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

# A function or a setting that the page names exists.
sub is_missing
{
	my ($name) = @_;
	return
		$name =~ /^(\w+)\(/ ? $scripts !~ /^\s*CREATE (?:OR REPLACE )?FUNCTION $1\(/m
	  : $name =~ /^uuidnew\.\w+$/ ? $settings !~ /"\Q$name\E"/
	  : 0;
}

my (%rows, %differs, %reason, @wrong);

# The rows of a table, without its head: its cells, and the line
sub rows
{
	my ($page, $heading) = @_;
	my ($section) = text($page) =~ /^## \Q$heading\E\n(.*?)(?=^## |\z)/ms
	  or die "$page has no section $heading\n";
	return map { [ [ split / \| /, $_->[1], -1 ], $_->[0] ] }
	  map { /^\| (?!§)(.*) \|$/ ? [ $_, $1 ] : () } split /\n/, $section;
}

sub statements
{
	my ($of, @statements) = @_;
	foreach (@statements)
	{
		my ($cells, $line) = @$_;
		my ($section) = $cells->[0] =~ /^([^,]*)/;
		my ($uuidnew, $tests) = map { $_ // '' } @$cells[ 2, 3 ];

		$rows{$of}++;
		$differs{"$of $section"} = 1 if $line =~ /≠/;
		push @wrong, "not four cells: $line" unless @$cells == 4;
		push @wrong, "no test: $line" unless $tests =~ /^`[^`]+`(?:, `[^`]+`)*$/;
		push @wrong, "no such test: $_" for grep { !is_test($_) } $tests =~ /`([^`]+)`/g;
		push @wrong, "no such function: $_" for grep { is_missing($_) } $uuidnew =~ /`([^`]+)`/g;
	}
	return;
}

sub reasons
{
	my ($of, @reasons) = @_;
	foreach (@reasons)
	{
		my ($cells, $line) = @$_;
		$reason{"$of $_"} = 1 for $cells->[0] =~ /[\d.]*\d/g;
		push @wrong, "no reason: $line" unless @$cells > 1 && $cells->[-1] =~ /\w/;
	}
	return;
}

my $page = 'test/conformance.md';
statements('RFC', rows($page, 'RFC 9562'));
statements('draft', rows($page, 'The draft'));
reasons('RFC', rows('doc/conformance.md', 'Different on purpose'));
reasons('draft', rows($page, 'Differences from the draft'));

cmp_ok($rows{draft}, '>', 60, 'the statements of the draft were found');
cmp_ok($rows{RFC}, '>', 25, 'the statements of RFC 9562 were found');
is(join("\n", @wrong), '', 'each statement has its tests and functions, and they exist');
is_deeply(
	[ sort keys %reason ],
	[ sort keys %differs ],
	'each difference has a reason, and each reason a difference');

done_testing();
