/*
 * readers.c
 *	  SQL functions that read and compare UUIDs.
 *
 * Readers return NULL for a UUID of another version or kind.  All raise 22023
 * for an unrecognized layout, and for an epoch that the layout cannot have.
 */
#include "postgres.h"

#include "utils/builtins.h"

#include "generate/machine_id.h"
#include "keys/verdict.h"
#include "call/arguments.h"

/* (uuid [, layout [, epoch]]) -> timestamptz, or NULL */
static inline bool
read_timestamp(FunctionCallInfo fcinfo, const UuidFamily *family,
			   TimestampTz *time)
{
	const UuidLayout *layout = layout_arg(fcinfo, 1, family);

	return layout_timestamp(layout, epoch_arg(fcinfo, 2, layout),
							PG_GETARG_UUID_P(0), time);
}

SQL_TIMESTAMP(uuid_v6_timestamp, read_timestamp(fcinfo, &uuidnew_v6, &time))
SQL_TIMESTAMP(uuid_v7_timestamp, read_timestamp(fcinfo, &uuidnew_v7, &time))
SQL_TIMESTAMP(uuidv7_timestamp,
			  read_timestamp(fcinfo, &uuidnew_uuidv7_family, &time))
SQL_TIMESTAMP(uuid_v8_timestamp, read_timestamp(fcinfo, &uuidnew_v8, &time))

/* (uuid) -> timestamptz, or NULL */
SQL_TIMESTAMP(uuid_time, time_in_uuid(PG_GETARG_UUID_P(0), &time))

/*
 * (uuid) -> timestamptz, or NULL: as core's function in PostgreSQL 20, which
 * reads version 6, and every version 7 UUID as an RFC 9562 UUID
 */
PG_FUNCTION_INFO_V1(uuidnew_uuid_extract_timestamp);
Datum
uuidnew_uuid_extract_timestamp(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	TimestampTz timestamp;

	if (uuid_version_of(uuid) == 7)
		timestamp = layout_epoch(uuidnew_v7_rfc9562) +
			(int64) layout_usecs(uuidnew_v7_rfc9562, uuid);
	else if (!time_in_uuid(uuid, &timestamp))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(timestamp);
}

/*
 * (uuid) -> timestamptz, or NULL; reads rand_a as a fraction of the
 * millisecond (RFC 9562 6.2 method 3)
 */
PG_FUNCTION_INFO_V1(uuidv7_timestamp_micros);
Datum
uuidv7_timestamp_micros(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;
	UuidFields	fields;

	if (!uuidnew_layout_fields(layout, layout_epoch(layout),
							   PG_GETARG_UUID_P(0), &fields))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(fields.timestamp);
}

/* (uuid) -> smallint, 0 to 15; NULL if the variant is not RFC 9562 */
PG_FUNCTION_INFO_V1(uuidnew_uuid_extract_version);
Datum
uuidnew_uuid_extract_version(PG_FUNCTION_ARGS)
{
	int			version = uuid_version_of(PG_GETARG_UUID_P(0));

	if (version < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT16(version);
}

/*
 * (uuid [, layout [, epoch]]) -> boolean: does the UUID have a time?  In
 * versions 6 and 7, each UUID of a layout has one.
 */
static inline Datum
is_of_layout(FunctionCallInfo fcinfo, const UuidFamily *family)
{
	PG_RETURN_BOOL(layout_has(layout_arg(fcinfo, 1, family),
							  PG_GETARG_UUID_P(0)));
}

SQL_FUNCTION(uuid_v6_is, is_of_layout(fcinfo, &uuidnew_v6))
SQL_FUNCTION(uuid_v7_is, is_of_layout(fcinfo, &uuidnew_v7))
SQL_FUNCTION(uuidv7_is, is_of_layout(fcinfo, &uuidnew_uuidv7_family))

PG_FUNCTION_INFO_V1(uuid_v8_is);
Datum
uuid_v8_is(PG_FUNCTION_ARGS)
{
	TimestampTz time;

	PG_RETURN_BOOL(read_timestamp(fcinfo, &uuidnew_v8, &time));
}

/* (uuid) -> text: 'rfc9562', 'draft', or 'none' for another version */
PG_FUNCTION_INFO_V1(uuid_v7_layout);
Datum
uuid_v7_layout(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);

	return CStringGetTextDatum(uuid_version_of(uuid) != 7 ? "none" :
							   layout_has(uuidnew_v7_rfc9562, uuid) ?
							   "rfc9562" : "draft");
}

/* (uuid, ..., length) -> bytea: the first octets of the node, or NULL */
static Datum
read_node(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			len = PG_GETARG_INT32(argno);

	if (len < 0 || len > layout->node_bits / BITS_PER_BYTE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("node length %d is out of range", len),
				 errdetail("The node has %d octets.",
						   layout->node_bits / BITS_PER_BYTE)));
	if (!layout_has(layout, uuid))
		PG_RETURN_NULL();
	return uuidnew_node_datum(layout, uuid_unpack(uuid).lo, len);
}

SQL_FUNCTION(uuid_v6_node, read_node(fcinfo, 1, uuidnew_v6.default_layout))
SQL_FUNCTION(uuid_v7_node,
			 read_node(fcinfo, 2, layout_arg(fcinfo, 1, &uuidnew_v7)))
SQL_FUNCTION(uuid_v8_node,
			 read_node(fcinfo, 2, layout_arg(fcinfo, 1, &uuidnew_v8)))

/* (uuid, bits [, layout]) -> bigint, or NULL: the machine id (draft 7) */
PG_FUNCTION_INFO_V1(uuid_machine_id);
Datum
uuid_machine_id(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			version = uuid_version_of(uuid);
	int			bits = PG_GETARG_INT32(1);
	const UuidLayout *layout;

	if (bits < 1 || bits > MACHINE_ID_MAX_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("machine id of %d bits is out of range", bits),
				 errdetail("The machine id must have 1 to %d bits.", MACHINE_ID_MAX_BITS)));

	if (PG_NARGS() > 2)
		layout = layout_arg(fcinfo, 2, NULL);
	else
		layout = version == 6 ? uuidnew_v6.default_layout :
			version == 7 ? v7_family(uuid)->default_layout :
			uuidnew_v8.default_layout;
	if (!layout_has(layout, uuid))
		PG_RETURN_NULL();
	PG_RETURN_INT64((int64) payload_machine_id(layout, uuid_unpack(uuid),
											   bits));
}

/* Transition functions of min(uuid) and max(uuid) */
static Datum
smaller_or_larger(FunctionCallInfo fcinfo, bool larger)
{
	const pg_uuid_t *a = PG_GETARG_UUID_P(0);
	const pg_uuid_t *b = PG_GETARG_UUID_P(1);

	PG_RETURN_UUID_P((memcmp(a, b, UUID_LEN) > 0) == larger ? a : b);
}

SQL_FUNCTION(uuidnew_uuid_smaller, smaller_or_larger(fcinfo, false))
SQL_FUNCTION(uuidnew_uuid_larger, smaller_or_larger(fcinfo, true))
