/*
 * postgresql18.c
 *	  The functions of PostgreSQL 18, in the extension's schema on every server.
 *
 * Names, results and errors are core's.  uuid_extract_timestamp is in
 * timestamps.c.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/fmgrprotos.h"
#include "utils/timestamp.h"

#include "compat.h"
#include "generate/generate.h"
#include "keys/v7.h"

pg_noreturn static void
shifted_out_of_range(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
			 errmsg("timestamp out of range for UUID version 7"),
			 errdetail("UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.")));
}

/* () -> uuid: 122 random bits (RFC 9562 5.4) */
PG_FUNCTION_INFO_V1(uuidnew_uuidv4);
Datum
uuidnew_uuidv4(PG_FUNCTION_ARGS)
{
	UuidPayload payload;

	payload.hi = entropy_uint64() >> (64 - UUID_HI_BITS);
	payload.lo = entropy_uint64() >> (64 - UUID_LO_BITS);
	return return_payload(payload, 4);
}

/* () -> uuid: uuid_generate_v7('rfc9562') */
PG_FUNCTION_INFO_V1(uuidnew_uuidv7);
Datum
uuidnew_uuidv7(PG_FUNCTION_ARGS)
{
	return uuidnew_generate_default(uuidnew_v7_rfc9562);
}

/*
 * (interval) -> uuid: the same with another time, to the microsecond
 *
 * Raises 22008 for a time before 1970 or after 10889, and an infinite shift.
 */
PG_FUNCTION_INFO_V1(uuidnew_uuidv7_interval);
Datum
uuidnew_uuidv7_interval(PG_FUNCTION_ARGS)
{
	Interval   *shift = PG_GETARG_INTERVAL_P(0);
	pg_uuid_t  *uuid;
	UuidPayload payload;
	uint64		nsec;			/* of the millisecond */
	uint64		usec;			/* since 1970 */
	TimestampTz time;

	if (INTERVAL_NOT_FINITE(shift))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range for UUID version 7"),
				 errdetail("UUID version 7 does not support infinite intervals.")));

	/*
	 * What is shifted is the start of the tick, not the clock's nanosecond:
	 * so two ticks do not become one, and the sequence keeps its meaning.
	 * Rounded up, as the fraction is going to be rounded down again.
	 */
	uuid = DatumGetUUIDP(uuidnew_generate_default(uuidnew_v7_rfc9562));
	payload = uuid_unpack(uuid);
	nsec = (payload.hi % RFC_FRACTIONS_PER_MSEC * NSECS_PER_MSEC + RFC_FRACTIONS_PER_MSEC - 1) /
		RFC_FRACTIONS_PER_MSEC;
	usec = payload.hi / RFC_FRACTIONS_PER_MSEC * USECS_PER_MSEC + nsec / NSECS_PER_USEC;

	time = layout_epoch(uuidnew_v7_rfc9562) + (int64) usec;
	time = DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												   TimestampTzGetDatum(time),
												   IntervalPGetDatum(shift)));
	/* unsigned: what is before 1970 is beyond the end, too */
	usec = (uint64) time - (uint64) layout_epoch(uuidnew_v7_rfc9562);
	if (usec >= uuidnew_v7_rfc9562->span_usecs)
		shifted_out_of_range();

	payload.hi = usec / USECS_PER_MSEC * RFC_FRACTIONS_PER_MSEC +
		(usec % USECS_PER_MSEC * NSECS_PER_USEC + nsec % NSECS_PER_USEC) *
		RFC_FRACTIONS_PER_MSEC / NSECS_PER_MSEC;
	uuid_pack(payload, 7, uuid);
	PG_RETURN_UUID_P(uuid);
}

/* (uuid) -> smallint, 0 to 15; NULL if the variant is not RFC 9562's */
PG_FUNCTION_INFO_V1(uuidnew_uuid_extract_version);
Datum
uuidnew_uuid_extract_version(PG_FUNCTION_ARGS)
{
	int			version = uuid_version_of(PG_GETARG_UUID_P(0));

	if (version < 0)
		PG_RETURN_NULL();
	PG_RETURN_INT16(version);
}
