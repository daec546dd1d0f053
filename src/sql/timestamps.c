/*
 * timestamps.c
 *	  The SQL functions that read the time of UUIDs of several versions, and
 *	  the microseconds of RFC 9562's version 7.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "keys/v6.h"
#include "keys/v7.h"

/* The time of version 1, 6, or 7 in this layout; NULL for another version */
static Datum
read_time(FunctionCallInfo fcinfo, const pg_uuid_t *uuid, const UuidLayout *v7)
{
	const UuidLayout *layout = v7;
	TimestampTz timestamp;

	switch (uuid_version_of(uuid))
	{
		case 1:
			PG_RETURN_TIMESTAMPTZ(uuidnew_v1_timestamp(uuid));
		case 6:
			layout = uuidnew_v6.default_layout;
			break;
	}
	if (!layout_timestamp(layout, layout_epoch(layout), uuid, &timestamp))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(timestamp);
}

/* (uuid) -> timestamptz, or NULL: version 7 by the border of its layouts */
PG_FUNCTION_INFO_V1(uuid_timestamp);
Datum
uuid_timestamp(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);

	return read_time(fcinfo, uuid, v7_looks_rfc9562(uuid) ?
					 uuidnew_v7_rfc9562 : uuidnew_v7.default_layout);
}

/* (uuid) -> timestamptz, or NULL: as core's, with version 6 as from 20 on */
PG_FUNCTION_INFO_V1(uuidnew_uuid_extract_timestamp);
Datum
uuidnew_uuid_extract_timestamp(PG_FUNCTION_ARGS)
{
	return read_time(fcinfo, PG_GETARG_UUID_P(0), uuidnew_v7_rfc9562);
}

/*
 * (uuid) -> timestamptz of RFC 9562's version 7, or NULL
 *
 * It takes rand_a for a fraction of the millisecond (RFC 9562 6.2 method 3),
 * as uuidv7_fields does.  Where rand_a is something else, the millisecond is
 * still right.
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
