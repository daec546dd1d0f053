# doc/conformance.md: each statement has a test, and the tests and functions that
# it names exist; what differs from a document is listed with its reason.
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
		  && (!$function || text("test/unit/$file.c") =~ /cmocka_unit_test\w*\($function\b/);
	}
	return
	  grep { -e "$root/$_" }
	  $name =~ m{/} ? "$name.sql" : ("test/t/$name.pl", "test/fuzz/$name.c", "bench/$name");
}

# What the page calls a function or a setting is one.
sub is_missing
{
	my ($name) = @_;
	return
		$name =~ /^(\w+)\(/ ? $scripts !~ /^\s*CREATE (?:OR REPLACE )?FUNCTION $1\(/m
	  : $name =~ /^uuidnew\.\w+$/ ? $settings !~ /"\Q$name\E"/
	  : 0;
}

my ($document, %rows, %differs, %reason, @wrong) = ('');
foreach my $line (split /\n/, text('doc/conformance.md'))
{
	$document = $1 if $line =~ /^## (.*)/;
	next unless $line =~ /^\| (?!§)(.*) \|$/;
	my @cells = split / \| /, $1, -1;
	(my $section = $cells[0]) =~ s/,.*//;

	if ($document eq 'Different on purpose')
	{
		my ($of, $sections) = $cells[0] =~ /^(draft|RFC) (.*)/;
		$reason{"$of $_"} = 1 for $sections =~ /[\d.]*\d/g;
		push @wrong, "no reason: $line" unless @cells == 2 && $cells[1] =~ /\w/;
		next;
	}
	next unless $document =~ /^(?:The (draft)|(RFC) 9562)$/;
	my $of = $1 // $2;

	$rows{$of}++;
	$differs{"$of $section"} = 1 if $line =~ /≠/;
	push @wrong, "not four cells: $line" unless @cells == 4;
	push @wrong, "no test: $line" unless ($cells[3] // '') =~ /^`[^`]+`(?:, `[^`]+`)*$/;
	push @wrong, "no such test: $_" for grep { !is_test($_) } ($cells[3] // '') =~ /`([^`]+)`/g;
	push @wrong, "no such function: $_" for grep { is_missing($_) } ($cells[2] // '') =~ /`([^`]+)`/g;
}

cmp_ok($rows{draft}, '>', 60, 'the statements of the draft were found');
cmp_ok($rows{RFC}, '>', 25, 'the statements of RFC 9562 were found');
is(join("\n", @wrong), '', 'each statement has its tests and functions, and they exist');
is_deeply([ grep { !$reason{$_} } sort keys %differs ], [], 'each difference has a reason');

done_testing();
