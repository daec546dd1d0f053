# A background session in psql: its statements may take as long as they like
# while the test goes on.
package Session;

use strict;
use warnings FATAL => 'all';

use IPC::Run qw(start pump finish timeout);
use PostgreSQL::Test::Utils;

# Session->new(node [, option of psql...])
sub new
{
	my ($class, $node, @options) = @_;
	my $self = bless { in => '', out => '', err => '', done => 0, asked => 0 },
	  $class;
	$self->{run} = start(
		[
			'psql', '-XAtq', @options, '-d', $node->connstr('postgres'),
			'-f', '-'
		],
		'<',
		\$self->{in},
		'>',
		\$self->{out},
		'2>',
		\$self->{err},
		timeout(10 * $PostgreSQL::Test::Utils::timeout_default));
	return $self;
}

# Begins statements, and does not wait for their end.
sub begin
{
	my ($self, $sql) = @_;
	$self->{asked}++;
	$self->{in} .= "$sql\n;\n\\echo end of $self->{asked}\n";
	$self->{run}->pump_nb;
	return;
}

# What the statements begun give.
sub result
{
	my ($self) = @_;
	my $end = "end of $self->{asked}\n";
	pump $self->{run} until $self->{out} =~ /^\Q$end\E/m;
	my $result = $self->{out} =~ s/^end of \d+\n//mgr;
	$self->{out} = '';
	chomp $result;
	return $result;
}

sub query
{
	my ($self, $sql) = @_;
	$self->begin($sql);
	return $self->result;
}

# What psql says of errors, since it was last asked.
sub errors
{
	my ($self) = @_;
	my $errors = $self->{err};
	$self->{err} = '';
	return $errors;
}

sub quit
{
	my ($self) = @_;
	$self->{in} .= "\\q\n";
	return finish $self->{run};
}

# For a session whose server is gone.
sub drop
{
	my ($self) = @_;
	$self->{run}->kill_kill;
	return;
}

1;
