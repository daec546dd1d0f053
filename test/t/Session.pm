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

# Session->kept(name, node [, option of psql...]): the session of that name, begun when it is first asked
# for, and as new each time.  Most of the time of a short script is to connect.
my %kept;

sub kept
{
	my ($class, $name, @how) = @_;
	my $self = delete $kept{$name};

	# that of before may have ended with its last script, or its server
	$self = $class->new(@how) if !$self || ($self->script("\\set VERBOSITY default\n\\o\n"))[0] != 0;
	return $kept{$name} = $self;
}

# What psql makes of a script, which ends with its first error: 0 or 3, or 2 if the session has ended;
# its output; its errors.  Nothing of it is left in the session: no lock, no setting.
my $file;

sub script
{
	my ($self, $sql) = @_;

	# an error ends the file, and not what reads it
	$file ||= PostgreSQL::Test::Utils::tempdir() . '/script';
	open my $to, '>:raw', $file or die "$file: $!";
	print $to "\\set ON_ERROR_STOP 1\n$sql\n;\n\\echo all of it\n";
	close $to or die "$file: $!";
	my $end = 'end of ' . ++$self->{asked} . "\n";
	$self->{in} .= "\\set ON_ERROR_STOP 0\n\\i '$file'\n\\echo $end\\warn errors $end"
	  . "ROLLBACK;\nDISCARD ALL;\n\\warn $end";

	my %ended;
	my $goes_on = eval {
		until ($ended{out} && $ended{err})
		{
			pump $self->{run};
			$ended{$_} ||= $self->{$_} =~ s/^$end\z//m for qw(out err);
		}
		1;
	};
	if (!$goes_on)
	{
		die $@ if $@ !~ /process ended prematurely/;
		finish $self->{run};
	}
	my ($out, $err) = @$self{qw(out err)};
	@$self{qw(out err)} = ('', '');
	my $status = !$goes_on ? 2 : $out =~ s/^all of it\n\z//m ? 0 : 3;
	$err =~ s/^errors $end.*//ms;
	$err =~ s/^psql:\Q$file\E:/psql:<stdin>:/mg;
	chomp($out, $err);
	return ($status, $out, $err);
}

# The output of a script that has no error
sub safe_script
{
	my ($self, $sql) = @_;
	my ($status, $out, $err) = $self->script($sql);
	die "error running SQL: '$err'\nwhile running '$sql'" if $status;
	return $out;
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
