# A background session in psql: its statements may take as long as they like
# while the test goes on.
package Session;

use strict;
use warnings FATAL => 'all';

use IPC::Run qw(start pump finish timeout);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

# Session->new(node [, option of psql...]), of database postgres if no -d is among them
sub new
{
	my ($class, $node, @options) = @_;
	my $self = bless { in => '', out => '', err => '', done => 0, asked => 0 }, $class;
	$self->{run} = start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), @options, '-f', '-' ],
		'<', \$self->{in}, '>', \$self->{out}, '2>', \$self->{err},
		timeout(30 * $PostgreSQL::Test::Utils::timeout_default));
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

# $node->Session::script(SQL [, option of psql...]): what psql makes of a script, which ends with its first
# error: its status, output, and errors.
sub script
{
	my ($node, $sql, @options) = @_;
	return $node->psql('postgres', $sql, extra_params => \@options, on_error_stop => 1);
}

# $node->Session::error_of(SQL [, session]): the errors, with SQLSTATEs, in that session or in a new one.
sub error_of
{
	my ($node, $sql, $session) = @_;
	$sql = "\\set VERBOSITY verbose\n$sql";
	return ($node->psql('postgres', $sql))[2] if !$session;
	$session->query($sql);
	$session->query('\warn done');
	$session->{run}->pump until $session->{err} =~ s/^done\n//m;
	return $session->errors;
}

# init_from_backup() of a backup that no other server needs: copying a thousand files takes long.
sub init_from_moved_backup
{
	my ($node, @parameters) = @_;
	no warnings qw(once redefine);
	local *PostgreSQL::Test::RecursiveCopy::copypath = sub { rename $_[0], $_[1] or die "$_[1]: $!" };
	return $node->init_from_backup(@parameters);
}

# $node->Session::answer(database, SQL [, user]): what psql gives a user, or the superuser, or the SQLSTATE
# of the error.
sub answer
{
	my ($node, $database, $query, $user) = @_;
	my ($status, $stdout, $stderr) = $node->psql(
		$database, "\\set VERBOSITY sqlstate\n$query",
		extra_params => [ $user ? ('-U', $user) : () ],
		on_error_stop => 1);
	return $stderr =~ /ERROR:\s+(\w{5})$/m ? $1 : $stdout;
}

# For a session whose server is gone.
sub drop
{
	my ($self) = @_;
	$self->{run}->kill_kill;
	return;
}

1;
