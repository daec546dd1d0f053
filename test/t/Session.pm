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

# Session->kept(name, node [, option of psql...]): the session of that name, which is begun when it is first asked for
# and is as new when it is asked for again.  Most of the time of a short script is to connect.
my %kept;

sub kept
{
	my ($class, $name, @how) = @_;
	my $self = delete $kept{$name};

	# without what the last script has left, and without a session if that has ended it
	$self = $class->new(@how)
	  if !$self || ($self->script("ROLLBACK;\nDISCARD ALL;\n\\set VERBOSITY default\n\\o\n"))[0];
	return $kept{$name} = $self;
}

# What psql makes of a script, which ends with its first error: 0 or 3, or 2 if the session has ended; output; errors
my $file;

sub script
{
	my ($self, $sql) = @_;

	# an error ends the file, and not what reads it
	$file ||= PostgreSQL::Test::Utils::tempdir() . '/script';
	open my $out, '>:raw', $file or die "$file: $!";
	print $out "\\set ON_ERROR_STOP 1\n$sql\n;\n\\echo all of it\n";
	close $out or die "$file: $!";
	my $end = 'end of ' . ++$self->{asked} . "\n";
	$self->{in} .= "\\set ON_ERROR_STOP 0\n\\i '$file'\n\\echo $end\\warn $end";

	my ($out_ended, $err_ended) = (0, 0);
	my $alive = eval {
		until ($out_ended && $err_ended)
		{
			pump $self->{run};
			$out_ended ||= $self->{out} =~ s/^$end\z//m;
			$err_ended ||= $self->{err} =~ s/^$end\z//m;
		}
		1;
	};
	if (!$alive)
	{
		die $@ if $@ !~ /process ended prematurely/;
		finish $self->{run};
	}
	my ($stdout, $stderr) = @$self{qw(out err)};
	@$self{qw(out err)} = ('', '');
	my $status = !$alive ? 2 : $stdout =~ s/^all of it\n\z//m ? 0 : 3;
	$stderr =~ s/^psql:\Q$file\E:/psql:<stdin>:/mg;
	chomp($stdout, $stderr);
	return ($status, $stdout, $stderr);
}

# use Session 'kept': where a test gives psql() and safe_psql() of PostgreSQL::Test::Cluster a script and nothing
# special, its session is kept, and is as new for the next one: most of the time of a short script is to connect.
# use Session 'kept after errors': also where an error ends the script, and poll_query_until() asks in it.
my %kept_by;
my $after_errors;

sub import
{
	my $psql = \&PostgreSQL::Test::Cluster::psql;

	return if !grep { /^kept/ } @_;
	no warnings 'redefine';
	$after_errors = grep { $_ eq 'kept after errors' } @_;
	*PostgreSQL::Test::Cluster::poll_query_until = \&_poll if $after_errors;
	*PostgreSQL::Test::Cluster::psql = sub {
		my ($node, $database, $sql, %params) = @_;

		if (grep({ !/^(stdout|stderr|extra_params|on_error_stop|on_error_die)$/ } keys %params)
			|| $sql =~ /^\s*\\([acftqxH]|connect|encoding|pset|q|quit|timing)\b/m)
		{
			return $psql->(@_);
		}
		# what does not go with a session, or is for the next one
		_forget($node) if $sql =~ /\b(ALTER|CREATE|DROP)\s+(DATABASE|ROLE|SYSTEM|USER)\b/i;

		my ($status, $out, $err) =
		  _kept($node, $database, $sql, $params{on_error_stop} // 1, @{ $params{extra_params} // [] });
		die "error running SQL: '$err'\nwhile running '$sql'" if $status && $params{on_error_die};
		${ $params{stdout} } = $out if $params{stdout};
		${ $params{stderr} } = $err if $params{stderr};
		return wantarray ? ($status, $out, $err) : $status;
	};
	return;
}

sub _forget
{
	my ($node) = @_;
	my $name = $node->name;

	delete($kept_by{$_})->quit for grep { /^\Q$name\E\x1f/ } keys %kept_by;
	return;
}

sub _kept
{
	my ($node, $database, $sql, $stop, @options) = @_;
	my $key = join "\x1f", $node->name, $database, @options,
	  map { "$_=$ENV{$_}" } sort grep { /^PG/ } keys %ENV;
	my $self = delete $kept_by{$key};

	if ($self
		&& !$self->_script("\\o\n\\set VERBOSITY default\n\\set ON_ERROR_STOP 1\nROLLBACK;\nDISCARD ALL;\n"))
	{
		$self->{out} = $self->{err} = '';
	}
	else
	{
		$self = Session->new($node, '-d', $node->connstr($database), '-v', 'ON_ERROR_STOP=1', @options);
	}
	my $script = ($stop ? '' : "\\set ON_ERROR_STOP 0\n") . "$sql\n;\n";
	if ($after_errors)
	{
		$file ||= PostgreSQL::Test::Utils::tempdir() . '/script';
		# an error ends the file, and not what reads it
		open my $out, '>:raw', $file or die "$file: $!";
		print $out "\\set ON_ERROR_STOP 1\n$script\\echo all of it\n";
		close $out or die "$file: $!";
		$script = "\\set ON_ERROR_STOP 0\n\\i '$file'\n";
	}
	my $status = $self->_script($script);
	$kept_by{$key} = $self if !$status;
	$status = 3 if $after_errors && $self->{out} !~ s/^all of it\n\z//m && !$status;
	$self->{err} =~ s/^psql:\Q$file\E:/psql:<stdin>:/mg if $after_errors;
	chomp(my ($out, $err) = @$self{qw(out err)});
	return ($status, $out, $err);
}

sub _poll
{
	my ($node, $database, $query, $expected) = @_;

	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		my ($status, $out, $err) = $node->psql($database, $query);
		return 1 if $out eq ($expected // 't') && $err eq '';
		select undef, undef, undef, 0.1;
	}
	return 0;
}

# What psql ends with, 0 if it goes on
sub _script
{
	my ($self, $sql) = @_;
	my $end = 'end of ' . ++$self->{asked} . "\n";
	my ($told, $warned);

	$self->{in} .= "$sql\\echo $end\\warn $end";
	return 0 if eval {
		until ($told && $warned)
		{
			pump $self->{run};
			$told ||= $self->{out} =~ s/^$end\z//m;
			$warned ||= $self->{err} =~ s/^$end\z//m;
		}
		1;
	};
	$self->{err} .= $@ if $@ !~ /process ended prematurely/;
	eval { finish $self->{run}; 1 } or $self->{run}->kill_kill;
	return $self->{run}->result || -1;
}

# init_from_backup() of a backup that no other server needs: copying a thousand files takes long.
sub init_from_moved_backup
{
	my ($node, @parameters) = @_;
	no warnings qw(once redefine);
	local *PostgreSQL::Test::RecursiveCopy::copypath = sub { rename $_[0], $_[1] or die "$_[1]: $!" };
	return $node->init_from_backup(@parameters);
}

# For a session whose server is gone.
sub drop
{
	my ($self) = @_;
	$self->{run}->kill_kill;
	return;
}

1;
