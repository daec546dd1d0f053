# Beside other extensions for UUIDs, in one schema, whichever is created first.
# Functions with their names and arguments stand in for them.
use strict;
use warnings FATAL => 'all';

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use lib $FindBin::RealBin;
use Session;

my $node = PostgreSQL::Test::Cluster->new('main');
$node->init;
$node->start;

# Of TimescaleDB, what has to do with UUIDs
my %functions = (
	'TimescaleDB 2.30' => <<'END',
generate_uuidv7()
to_uuidv7(ts timestamptz)
to_uuidv7_boundary(ts timestamptz)
uuid_timestamp(uuid uuid)
uuid_timestamp_micros(uuid uuid)
uuid_version(uuid uuid)
time_bucket(bucket_width interval, ts uuid)
time_bucket(bucket_width interval, ts uuid, origin timestamptz)
time_bucket(bucket_width interval, ts uuid, "offset" interval)
time_bucket(bucket_width interval, ts uuid, timezone text, origin timestamptz, "offset" interval)
END
	'pg_uuidv7 1.6' => <<'END',
uuid_generate_v7()
uuid_v7_to_timestamptz(uuid)
uuid_timestamptz_to_v7(timestamptz, zero bool = false)
uuid_v7_to_timestamp(uuid)
uuid_timestamp_to_v7(timestamp, zero bool = false)
END
	'pgx_ulid 0.2.2' => <<'END',
gen_monotonic_ulid()
gen_ulid()
ulid_from_uuid(input uuid)
ulid_to_uuid(input ulid)
ulid_to_bytea(input ulid)
ulid_to_timestamp(input ulid)
ulid_to_timestamptz(input ulid)
timestamp_to_ulid(input timestamp)
timestamptz_to_ulid(input timestamptz)
ulid_in(input cstring)
ulid_out(input ulid)
ulid_send(input ulid)
ulid_recv(internal internal)
ulid_cmp("left" ulid, "right" ulid)
ulid_eq("left" ulid, "right" ulid)
ulid_ne("left" ulid, "right" ulid)
ulid_ge("left" ulid, "right" ulid)
ulid_gt("left" ulid, "right" ulid)
ulid_le("left" ulid, "right" ulid)
ulid_lt("left" ulid, "right" ulid)
ulid_hash(value ulid)
END
	'pg_idkit 0.4' => <<'END',
idkit_cuid_generate()
idkit_cuid_generate_text()
idkit_cuid_extract_timestamptz(val text)
idkit_cuid2_generate()
idkit_cuid2_generate_with_len(length int)
idkit_cuid2_generate_text()
idkit_ksuid_generate()
idkit_ksuid_generate_text()
idkit_ksuid_extract_timestamptz(val text)
idkit_ksuidms_generate()
idkit_ksuidms_generate_text()
idkit_ksuidms_extract_timestamptz(val text)
idkit_nanoid_generate()
idkit_nanoid_generate_text()
idkit_nanoid_custom_generate_text(len bigint, alphabet text)
idkit_pushid_generate()
idkit_pushid_generate_text()
idkit_timeflake_generate()
idkit_timeflake_generate_text()
idkit_timeflake_generate_uuid()
idkit_timeflake_extract_timestamptz(val text)
idkit_typeid_generate(prefix text)
idkit_typeid_generate_text(prefix text)
idkit_typeid_from_uuid_v7(prefix text, uuid text)
idkit_typeid_extract_timestamptz(val text)
idkit_ulid_generate()
idkit_ulid_generate_text()
idkit_ulid_from_uuid(uuid uuid)
idkit_ulid_from_uuid_text(uuid text)
idkit_ulid_extract_timestamptz(val text)
idkit_uuidv6_generate()
idkit_uuidv6_generate_text()
idkit_uuidv6_generate_uuid()
idkit_uuidv6_extract_timestamptz(val text)
idkit_uuidv7_generate()
idkit_uuidv7_generate_text()
idkit_uuidv7_generate_uuid()
idkit_uuidv7_extract_timestamptz(val text)
idkit_xid_generate()
idkit_xid_generate_text()
idkit_xid_extract_timestamptz(val text)
END
	'uuid-ossp 1.1' => <<'END',
uuid_nil()
uuid_ns_dns()
uuid_ns_url()
uuid_ns_oid()
uuid_ns_x500()
uuid_generate_v1()
uuid_generate_v1mc()
uuid_generate_v3(namespace uuid, name text)
uuid_generate_v4()
uuid_generate_v5(namespace uuid, name text)
END
	'sequential_uuids 1.0.3' => <<'END',
uuid_sequence_nextval(regclass, block_size int = 65536, block_count int = 65536)
uuid_time_nextval(interval_length int = 60, interval_count int = 65536)
END
);

# A type of that name, with the input and output of text
my $ulid = <<'SQL';
CREATE TYPE ulid;
CREATE FUNCTION text_as_ulid(cstring) RETURNS ulid
	LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION ulid_as_text(ulid) RETURNS cstring
	LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE ulid (INPUT = text_as_ulid, OUTPUT = ulid_as_text, LIKE = text);
SQL

# What psql says of the statements that fail
sub errors
{
	my ($database, @statements) = @_;
	my ($status, $stdout, $stderr) =
	  $node->psql($database, join(";\n", @statements), on_error_stop => 0);

	return join "\n", $stderr =~ /ERROR:\s+(.*)/g;
}

foreach my $other (sort keys %functions)
{
	my @theirs = map { "CREATE FUNCTION $_ RETURNS void LANGUAGE internal AS 'textin'" }
	  split /\n/, $functions{$other};
	my $clash = '';
	my $say = '';
	if ($other =~ /^pg_uuidv7/)
	{
		$clash = 'function "uuid_generate_v7" already exists with same argument types';
		$say = ', but for uuid_generate_v7()';
	}

	foreach my $database (qw(before after))
	{
		$node->safe_psql('postgres', "CREATE DATABASE $database");
		$node->safe_psql($database, $ulid);
	}
	is(errors('before', @theirs), '', "$other is created alone");
	is(errors('before', 'CREATE EXTENSION uuidnew'), $clash, "uuidnew is created after it$say");
	is(errors('after', 'CREATE EXTENSION uuidnew'), '', 'uuidnew is created alone');
	is(errors('after', @theirs), $clash, "$other is created after it$say");
	$node->safe_psql('postgres', "DROP DATABASE $_ WITH (FORCE)") for qw(before after);
}

done_testing();
