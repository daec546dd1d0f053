/*
 * v1.c
 *	  SQL functions of version 1, and conversions to and from version 6.
 */
#include "postgres.h"

#include "generate/generate.h"
#include "keys/verdict.h"
#include "call/arguments.h"

/*
 * Version 1 with 62 random bits in place of clock sequence and node ("Really
 * unique UUIDs"); 22008 for a time that is out of range
 */
static inline Datum
return_v1_random(bool is_in_range, UuidPayload time_bits)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (unlikely(!is_in_range))
	{
		/* version 6 has the same range, but the message names version 1 */
		static UuidLayout v1;

		v1 = *uuidnew_v6.default_layout;
		v1.version = 1;
		uuidnew_time_out_of_range(&v1, layout_epoch(&v1), 0, NULL);
	}
	time_bits.lo = entropy_uint64() >> (64 - UUID_LO_BITS);
	uuidnew_v1_pack(time_bits, uuid);
	PG_RETURN_UUID_P(uuid);
}

PG_FUNCTION_INFO_V1(uuid_generate_v1_random);
Datum
uuid_generate_v1_random(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;
	Tick		epoch = {layout->epoch, 0};
	UuidPayload time_bits;
	bool		is_in_range = encode_tick(layout, tick_now(layout), epoch,
										  &time_bits);

	return return_v1_random(is_in_range, time_bits);
}

/* (timestamptz) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v1_random_at);
Datum
uuid_generate_v1_random_at(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;
	UuidPayload time_bits;
	bool		is_in_range = uuidnew_layout_at(layout, layout_epoch(layout),
												PG_GETARG_TIMESTAMPTZ(0),
												&time_bits);

	return return_v1_random(is_in_range, time_bits);
}

/* (uuid) -> timestamptz, truncated to microseconds; NULL for other versions */
SQL_TIMESTAMP(uuid_v1_timestamp,
			  uuid_version_of(PG_GETARG_UUID_P(0)) == 1 &&
			  time_in_uuid(PG_GETARG_UUID_P(0), &time))

static Datum
convert_v1_v6(FunctionCallInfo fcinfo, int version,
			  void (*to_other) (const pg_uuid_t *uuid, pg_uuid_t *other))
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, version);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	to_other(uuid, result);
	PG_RETURN_UUID_P(result);
}

SQL_FUNCTION(uuid_v1_to_v6, convert_v1_v6(fcinfo, 1, uuidnew_v1_to_v6))
SQL_FUNCTION(uuid_v6_to_v1, convert_v1_v6(fcinfo, 6, uuidnew_v6_to_v1))

/*
 * (uuid) -> timestamptz, or NULL: of version 1 with Unix milliseconds in its
 * timestamp, as the code of "Really unique UUIDs" writes it
 */
PG_FUNCTION_INFO_V1(uuid_v1_unix_ms_timestamp);
Datum
uuid_v1_unix_ms_timestamp(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	pg_uuid_t	v1;

	if (uuid_version_of(uuid) != 1 || !uuidnew_v1_unix_ms_to_v1(uuid, &v1))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(uuidnew_v1_timestamp(&v1));
}

/* (uuid) -> uuid with the right timestamp; raises 22023 for other UUIDs */
PG_FUNCTION_INFO_V1(uuid_v1_unix_ms_to_v1);
Datum
uuid_v1_unix_ms_to_v1(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, 1);
	pg_uuid_t  *v1 = palloc(sizeof(pg_uuid_t));

	if (!uuidnew_v1_unix_ms_to_v1(uuid, v1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s does not count milliseconds since 1970",
						uuidnew_uuid_cstring(uuid)),
				 errdetail("The time would be after 5236-03-31."),
				 errhint("Convert only UUIDs for which uuid_v1_unix_ms_timestamp() is not NULL.")));
	PG_RETURN_UUID_P(v1);
}
