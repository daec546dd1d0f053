# Beside other extensions for UUIDs, in one schema.  Functions with their names and arguments stand in for
# them, and a clash is an error, whichever is created first.  (switching has the extension that clashes.)
use strict;
use warnings FATAL => 'all';

use FindBin;
use Test::More;

use lib $FindBin::RealBin;
use Server;

my $node = start_server();

# TimescaleDB 2.30 (what has to do with UUIDs), pgx_ulid 0.2.2 (what is not for operators), uuid-ossp 1.1, and
# sequential_uuids 1.0.3.  All names of pg_idkit begin with idkit_.
my @functions = split /\n/, <<'END';
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
gen_monotonic_ulid()
gen_ulid()
ulid_from_uuid(input uuid)
ulid_to_uuid(input ulid)
ulid_to_bytea(input ulid)
ulid_to_timestamp(input ulid)
ulid_to_timestamptz(input ulid)
timestamp_to_ulid(input timestamp)
timestamptz_to_ulid(input timestamptz)
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
uuid_sequence_nextval(regclass, block_size int = 65536, block_count int = 65536)
uuid_time_nextval(interval_length int = 60, interval_count int = 65536)
END

# A type of that name, with the input and output of text
my $ulid = <<'SQL';
CREATE TYPE ulid;
CREATE FUNCTION text_as_ulid(cstring) RETURNS ulid
	LANGUAGE internal IMMUTABLE STRICT AS 'textin';
CREATE FUNCTION ulid_as_text(ulid) RETURNS cstring
	LANGUAGE internal IMMUTABLE STRICT AS 'textout';
CREATE TYPE ulid (INPUT = text_as_ulid, OUTPUT = ulid_as_text, LIKE = text);
SQL

ask($ulid, map { "CREATE FUNCTION $_ RETURNS void LANGUAGE internal AS 'textin'" } @functions);
my (undef, undef, $errors) = $node->psql('postgres', 'CREATE EXTENSION uuidnew');
is($errors, '', 'uuidnew is created beside the functions of other extensions');

done_testing();
