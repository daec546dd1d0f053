/*
 * generators.c
 *	  SQL functions that make UUIDs of versions 4, 6, 7 and 8.
 *
 * They raise 22008 for a time that the layout can't hold, and 22023 for an
 * unknown layout, a node that is too long, and an epoch that is infinite or
 * goes to a layout with its own.
 */
#include "postgres.h"

#include "utils/fmgrprotos.h"

#include "generate/generate.h"
#include "keys/v7.h"
#include "call/arguments.h"

/* The caller's node, or else the machine id. */
static NodePrefix
node_arg(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	NodePrefix	prefix = {0, 0, true};
	bytea	   *node;
	int			len;

	if (PG_NARGS() <= argno || PG_ARGISNULL(argno))
		prefix = machine_id_prefix();
	else
	{
		node = PG_GETARG_BYTEA_PP(argno);
		len = VARSIZE_ANY_EXHDR(node);
		if (len > layout->node_bits / BITS_PER_BYTE)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("node of %d octets is too long", len),
					 uuidnew_errdetail_node_room(layout)));
		for (int i = 0; i < len; i++)
			prefix.value =
				prefix.value << BITS_PER_BYTE | (uint8) VARDATA_ANY(node)[i];
		prefix.nbits = len * BITS_PER_BYTE;
	}
	if (unlikely(prefix.nbits == layout->node_bits && prefix.value == 0))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 prefix.is_own ?
				 errmsg("node must not be all zeros") :
				 errmsg("machine id must not be 0 in layout \"%s\"", layout->name),
				 errdetail("It leaves no random bits."),
				 prefix.is_own ? 0 :
				 errhint("Set another \"uuidnew.machine_id\", or fewer \"uuidnew.machine_id_bits\".")));
	return prefix;
}

/* The next UUID of a layout with a name, its own epoch, and no node given. */
static Datum
next_uuid(const UuidLayout *layout)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	Tick		epoch = {layout->epoch, 0};

	if (unlikely(!generate_by_state(layout, own_state(layout), epoch,
									machine_id_prefix(), uuid)))
		uuidnew_time_out_of_range(layout, layout_epoch(layout),
								  GetCurrentTimestamp(), "");
	PG_RETURN_UUID_P(uuid);
}

/* Fewer random bits than this beside a node or machine id raise a warning. */
#define FEW_RANDOM_BITS		16

/*
 * Says once in a session that two others may soon make the same UUID.
 *
 * No error, which would stop an INSERT that has worked so far.
 */
static void
warn_of_few_random_bits(int node_bits, int bits)
{
	static bool warned = false;

	if (warned)
		return;
	warned = true;
	ereport(WARNING,
			(errmsg("a node of %d bits leaves only %d random bits",
					node_bits, bits),
			 errdetail("Two sessions that generate a UUID with the same node in the same tick generate the same UUID with a chance of 1 in %d.",
					   1 << bits),
			 errhint("Use a shorter node, or a different one in each session.")));
}

/* (..., node or NULL) -> uuid, with an epoch that may be the caller's too */
static Datum
generate_with_node(FunctionCallInfo fcinfo, int argno,
				   const UuidLayout *layout, TimestampTz epoch_time)
{
	Tick		epoch = epoch_tick(layout, epoch_time);
	NodePrefix	prefix = node_arg(fcinfo, argno, layout);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	int			random_bits = layout->node_bits - prefix.nbits;

	if (unlikely(prefix.nbits > 0 && random_bits < FEW_RANDOM_BITS))
		warn_of_few_random_bits(prefix.nbits, random_bits);
	entropy_prepare();
	if (unlikely(!generate_by_state(layout, uuidnew_state(layout, epoch),
									epoch, prefix, uuid)))
		uuidnew_time_out_of_range(layout, tick_timestamp(layout, epoch),
								  GetCurrentTimestamp(), "");
	PG_RETURN_UUID_P(uuid);
}

/*
 * A UUID for the time in the first argument, with a sequence that is the
 * caller's, so that UUIDs of one time are in their order; or (NULL, or no
 * argument) a random one.
 */
static Datum
generate_at(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout,
			TimestampTz epoch, NodePrefix prefix)
{
	TimestampTz time = PG_GETARG_TIMESTAMPTZ(0);
	int64		number;
	uint64		last;
	UuidPayload time_bits;
	UuidPayload payload;

	if (!uuidnew_layout_at(layout, epoch, time, &time_bits))
		uuidnew_time_out_of_range(layout, epoch, time, "_at");
	if (PG_NARGS() <= argno || PG_ARGISNULL(argno))
		return return_payload(sequence_random(layout, time_bits, prefix,
											  entropy_uint64(),
											  entropy_uint64()),
							  layout->version);

	number = PG_GETARG_INT64(argno);
	if (!sequence_numbered(layout, time_bits, prefix, number, entropy_uint64(),
						   &last, &payload))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sequence " INT64_FORMAT " is out of range", number),
				 errdetail("The UUIDs of a time have the numbers 0 to " UINT64_FORMAT ".",
						   last)));
	return return_payload(payload, layout->version);
}

/* (timestamptz [, layout] [, sequence or NULL, node or NULL]) -> uuid */
static Datum
generate_default_at(FunctionCallInfo fcinfo, int argno,
					const UuidFamily *family)
{
	const UuidLayout *layout = family->default_layout;

	for (int i = 0; i < Min(argno, PG_NARGS()); i++)
	{
		if (PG_ARGISNULL(i))
			PG_RETURN_NULL();
	}
	if (argno > 1)
		layout = layout_arg(fcinfo, 1, family);
	return generate_at(fcinfo, argno, layout, layout_epoch(layout),
					   node_arg(fcinfo, argno + 1, layout));
}

/*
 * Version 6
 */

SQL_FUNCTION(uuid_generate_v6, next_uuid(uuidnew_v6.default_layout))
SQL_FUNCTION(uuid_generate_v6_at, generate_default_at(fcinfo, 1, &uuidnew_v6))

/* (node or NULL) -> uuid */
SQL_FUNCTION(uuid_generate_v6_with_node,
			 generate_with_node(fcinfo, 0, uuidnew_v6.default_layout,
								layout_epoch(uuidnew_v6.default_layout)))

/*
 * Version 7, the draft's layouts and rfc9562
 */

SQL_FUNCTION(uuid_generate_v7,
			 next_uuid(layout_arg(fcinfo, 0, &uuidnew_v7)))
SQL_FUNCTION(uuid_generate_v7_at, generate_default_at(fcinfo, 2, &uuidnew_v7))

/* (layout, node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v7_with_node);
Datum
uuid_generate_v7_with_node(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 0, &uuidnew_v7);
	return generate_with_node(fcinfo, 1, layout, layout_epoch(layout));
}

/*
 * Version 7 of RFC 9562 without an argument
 */

SQL_FUNCTION(uuidv7_at, generate_default_at(fcinfo, 1, &uuidnew_uuidv7_family))

/*
 * PostgreSQL 18's functions: names, results and errors are core's.
 */

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
SQL_FUNCTION(uuidnew_uuidv7, next_uuid(uuidnew_v7_rfc9562))

/*
 * (interval) -> uuid: the same with another time, to the microsecond
 *
 * Raises 22008 for a time that the layout can't hold, and an infinite shift.
 */
PG_FUNCTION_INFO_V1(uuidnew_uuidv7_interval);
Datum
uuidnew_uuidv7_interval(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;
	Interval   *shift = PG_GETARG_INTERVAL_P(0);
	NodePrefix	prefix = machine_id_prefix();
	Tick		epoch = {layout->epoch, 0};
	SecondFraction start;
	uint64		nsec = 0;		/* of the second */
	pg_uuid_t	uuid;
	UuidPayload payload;
	UuidPayload time_bits;
	TimestampTz time;

	if (INTERVAL_NOT_FINITE(shift))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("interval out of range for UUID version 7"),
				 errdetail("UUID version 7 does not support infinite intervals.")));

	/*
	 * The start of the tick is shifted, not the clock's nanosecond: so two
	 * ticks do not become one, and the sequence keeps its meaning.  A clock
	 * beyond the layout's range has no tick.
	 */
	if (likely(generate_by_state(layout, own_state(layout), epoch, prefix,
								 &uuid)))
	{
		payload = uuid_unpack(&uuid);
		start = uuidnew_layout_fraction(layout, payload);
		nsec = (start.fraction * NSECS_PER_SEC + layout->ticks_per_sec - 1) /
			layout->ticks_per_sec;
		time = SINCE_1970(start.sec * USECS_PER_SEC + nsec / NSECS_PER_USEC);
	}
	else
	{
		time = GetCurrentTimestamp();
		payload = sequence_random(layout, (UuidPayload) {0, 0}, prefix,
								  entropy_uint64(), entropy_uint64());
	}

	time = DatumGetTimestampTz(DirectFunctionCall2(timestamptz_pl_interval,
												   TimestampTzGetDatum(time),
												   IntervalPGetDatum(shift)));
	if (!encode_tick(layout, tick_at_time(layout, time, nsec % NSECS_PER_USEC),
					 epoch, &time_bits))
		uuidnew_time_out_of_range(layout, layout_epoch(layout), time, "_at");
	payload.hi = time_bits.hi;
	return return_payload(payload, 7);
}

/*
 * Version 8
 */

/* (layout, node or NULL, epoch) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v8);
Datum
uuid_generate_v8(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout;
	TimestampTz epoch;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(2))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 0, &uuidnew_v8);
	epoch = epoch_arg(fcinfo, 2, layout);

	/* the usual call: a layout with a name is not short of random bits */
	if (likely(PG_ARGISNULL(1) && !layout->by_numbers &&
			   epoch == layout_epoch(layout)))
		return next_uuid(layout);
	return generate_with_node(fcinfo, 1, layout, epoch);
}

/* (timestamptz, layout, node or NULL, epoch [, sequence or NULL]) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v8_at);
Datum
uuid_generate_v8_at(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout;
	TimestampTz epoch;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(3))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, &uuidnew_v8);
	epoch = epoch_arg(fcinfo, 3, layout);
	return generate_at(fcinfo, 4, layout, epoch,
					   node_arg(fcinfo, 2, layout));
}
