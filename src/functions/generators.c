/*
 * generators.c
 *	  SQL functions that generate UUIDs of versions 4, 6, 7 and 8.
 *
 * They raise 22008 for a time that the layout cannot hold, and 22023 for an
 * unrecognized layout, a node that is too long, or an epoch that the layout
 * cannot have.
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
					 errdetail("The node can have at most %d octets.",
							   layout->node_bits / BITS_PER_BYTE)));
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
				 errdetail("The node would have no random bits."),
				 prefix.is_own ? 0 :
				 errhint("Set \"uuidnew.machine_id\" to another number, or reduce \"uuidnew.machine_id_bits\".")));
	return prefix;
}

/*
 * The next UUID of a layout and epoch, in the order of the session, whose
 * state is given, or of the server; false if the layout can't hold the time.
 */
static pg_always_inline bool
next_key(const UuidLayout *layout, SequenceState *state, Tick epoch,
		 NodePrefix prefix, pg_uuid_t *uuid)
{
	if (unlikely(uuidnew_generate_hook != NULL))
		return uuidnew_generate_hook(layout, epoch, prefix, uuid);
	return generate_next(layout, state, epoch, prefix, uuid);
}

/* The next UUID of a built-in layout, with its default epoch and no node */
static Datum
next_uuid(const UuidLayout *layout)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	Tick		epoch = {layout->epoch, 0};

	if (unlikely(!next_key(layout, own_state(layout), epoch,
						   machine_id_prefix(), uuid)))
		uuidnew_time_out_of_range(layout, layout_epoch(layout),
								  GetCurrentTimestamp(), "");
	PG_RETURN_UUID_P(uuid);
}

#define FEW_RANDOM_BITS		16

/*
 * A UUID with a caller's node or epoch.  Too few random bits cause one warning
 * a session, because an error would stop an INSERT that has worked so far.
 */
static Datum
next_with_node(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout,
			   TimestampTz epoch_time)
{
	static bool warned = false;
	Tick		epoch = epoch_tick(layout, epoch_time);
	NodePrefix	prefix = node_arg(fcinfo, argno, layout);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	int			random_bits = layout->node_bits - prefix.nbits;

	if (unlikely(prefix.nbits > 0 && random_bits < FEW_RANDOM_BITS) && !warned)
	{
		warned = true;
		ereport(WARNING,
				(errmsg("a node of %d bits leaves only %d random bits",
						prefix.nbits, random_bits),
				 errdetail("UUIDs that two sessions generate with the same node in the same tick collide with a probability of 1 in %d.",
						   1 << random_bits),
				 errhint("Use a shorter node, or a different one in each session.")));
	}
	entropy_prepare();
	if (unlikely(!next_key(layout, uuidnew_state(layout, epoch), epoch,
						   prefix, uuid)))
		uuidnew_time_out_of_range(layout, tick_timestamp(layout, epoch),
								  GetCurrentTimestamp(), "");
	PG_RETURN_UUID_P(uuid);
}

/* ([layout,] node or NULL [, epoch]) -> uuid; NULL for any other NULL. */
static pg_always_inline Datum
generate_with_node(FunctionCallInfo fcinfo, const UuidFamily *family,
				   int layout_argno, int node_argno, int epoch_argno)
{
	const UuidLayout *layout;
	TimestampTz epoch;

	if ((layout_argno != NO_ARG && PG_ARGISNULL(layout_argno)) ||
		(epoch_argno != NO_ARG && PG_ARGISNULL(epoch_argno)))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, layout_argno, family);
	epoch = epoch_arg(fcinfo, epoch_argno, layout);

	/* usual in version 8, whose built-in layouts have enough random bits */
	if (epoch_argno != NO_ARG &&
		likely(PG_ARGISNULL(node_argno) && !layout->is_custom &&
			   epoch == layout_epoch(layout)))
		return next_uuid(layout);
	return next_with_node(fcinfo, node_argno, layout, epoch);
}

/*
 * (timestamptz [, layout] [, epoch] [, sequence or NULL] [, node or NULL])
 * -> uuid; NULL for any other NULL.  A NULL sequence is random.
 */
static Datum
generate_at(FunctionCallInfo fcinfo, const UuidFamily *family,
			int layout_argno, int sequence_argno, int node_argno,
			int epoch_argno)
{
	const UuidLayout *layout;
	TimestampTz epoch;
	TimestampTz time;
	NodePrefix	prefix;
	int64		number;
	uint64		last;
	UuidPayload time_bits;
	UuidPayload payload;

	if (PG_ARGISNULL(0) ||
		(layout_argno < PG_NARGS() && PG_ARGISNULL(layout_argno)) ||
		(epoch_argno < PG_NARGS() && PG_ARGISNULL(epoch_argno)))
		PG_RETURN_NULL();
	time = PG_GETARG_TIMESTAMPTZ(0);
	layout = layout_arg(fcinfo, layout_argno, family);
	epoch = epoch_arg(fcinfo, epoch_argno, layout);
	prefix = node_arg(fcinfo, node_argno, layout);
	if (!uuidnew_layout_at(layout, epoch, time, &time_bits))
		uuidnew_time_out_of_range(layout, epoch, time, "_at");
	if (PG_NARGS() <= sequence_argno || PG_ARGISNULL(sequence_argno))
		return return_payload(sequence_random(layout, time_bits, prefix,
											  entropy_uint64(),
											  entropy_uint64()),
							  layout->version);

	number = PG_GETARG_INT64(sequence_argno);
	if (!sequence_numbered(layout, time_bits, prefix, number, entropy_uint64(),
						   &last, &payload))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("sequence " INT64_FORMAT " is out of range", number),
				 errdetail("The sequence must be between 0 and " UINT64_FORMAT ".",
						   last)));
	return return_payload(payload, layout->version);
}

SQL_FUNCTION(uuid_generate_v6, next_uuid(uuidnew_v6.default_layout))
SQL_FUNCTION(uuid_generate_v6_at,
			 generate_at(fcinfo, &uuidnew_v6, NO_ARG, 1, 2, NO_ARG))
SQL_FUNCTION(uuid_generate_v6_with_node,
			 generate_with_node(fcinfo, &uuidnew_v6, NO_ARG, 0, NO_ARG))

SQL_FUNCTION(uuid_generate_v7,
			 next_uuid(layout_arg(fcinfo, 0, &uuidnew_v7)))
SQL_FUNCTION(uuid_generate_v7_at,
			 generate_at(fcinfo, &uuidnew_v7, 1, 2, 3, NO_ARG))
SQL_FUNCTION(uuid_generate_v7_with_node,
			 generate_with_node(fcinfo, &uuidnew_v7, 0, 1, NO_ARG))
SQL_FUNCTION(uuidv7_at,
			 generate_at(fcinfo, &uuidnew_uuidv7_family, NO_ARG, 1, 2, NO_ARG))

SQL_FUNCTION(uuid_generate_v8,
			 generate_with_node(fcinfo, &uuidnew_v8, 0, 1, 2))
SQL_FUNCTION(uuid_generate_v8_at,
			 generate_at(fcinfo, &uuidnew_v8, 1, 4, 2, 3))

/* PostgreSQL 18's functions, with core's names, results and errors */

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

/* (interval) -> uuid: shifted by an interval, which must be finite (22008) */
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
	 * Shift the start of the tick, not the clock's nanosecond, so that two
	 * ticks stay distinct.  A clock beyond the layout's range has no tick.
	 */
	if (likely(next_key(layout, own_state(layout), epoch, prefix, &uuid)))
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
