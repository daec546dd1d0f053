/*
 * generators.c
 *	  SQL functions that make UUIDs of versions 6, 7 and 8.
 *
 * A call goes one way: SQL function, random bits, clock, sequence, layout,
 * Datum. Each function of a version is a few lines around one that serves them
 * all. They raise 22008 for a time that the layout can't hold, and 22023 for
 * an unknown layout, a node of more octets than the layout has room for, and
 * an epoch that is infinite or goes to a layout with its own.
 */
#include "postgres.h"

#include "keys/v7.h"
#include "sql/generators.h"

/* The caller's node, or else the machine id. */
static NodePrefix
node_arg(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	NodePrefix	prefix = {0, 0};
	bytea	   *node;
	int			len;

	if (PG_NARGS() <= argno || PG_ARGISNULL(argno))
	{
		prefix = machine_id_prefix();
		if (unlikely(prefix.nbits == layout->node_bits && prefix.value == 0))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("machine id must not be 0 in layout \"%s\"", layout->name),
					 errdetail("It leaves no random bits, and the node must not be all zeros."),
					 errhint("Set another \"uuidnew.machine_id\", or fewer \"uuidnew.machine_id_bits\".")));
		return prefix;
	}

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
	if (prefix.nbits == layout->node_bits && prefix.value == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("node must not be all zeros"),
				 errdetail("It leaves no random bits.")));
	return prefix;
}

/*
 * uuidnew_next_uuid - the next UUID of a layout with a name.
 *
 * Raises 22008 for a time that the layout can't hold.
 */
Datum
uuidnew_next_uuid(const UuidLayout *layout)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (unlikely(!generate_default(layout, uuid)))
		uuidnew_time_out_of_range(layout, layout_epoch(layout));
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
			(bits > 0 ?
			 errmsg("a node of %d bits leaves only %d random bits",
					node_bits, bits) :
			 errmsg("a node of %d bits leaves no random bits", node_bits),
			 bits > 0 ?
			 errdetail("Where two sessions with the same node make UUIDs in the same tick, these are the same with a chance of 1 in %d.",
					   1 << bits) :
			 errdetail("Where two sessions with the same node make UUIDs in the same tick, these are the same."),
			 errhint("Use a shorter node, or a different one in each session.")));
}

/* The next UUID, with a node and epoch that the caller may have chosen. */
static Datum
generate_with_node(const UuidLayout *layout, Tick epoch, NodePrefix prefix)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));
	int			random_bits = layout->node_bits - prefix.nbits;

	if (unlikely(prefix.nbits > 0 && random_bits < FEW_RANDOM_BITS))
		warn_of_few_random_bits(prefix.nbits, random_bits);
	if (unlikely(!uuidnew_generate(layout, epoch, prefix, uuid)))
		uuidnew_time_out_of_range(layout, tick_timestamp(layout, epoch));
	PG_RETURN_UUID_P(uuid);
}

/* (..., node or NULL) -> uuid, with the layout's own epoch */
static Datum
generate_for_node(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	return generate_with_node(layout, epoch_tick(layout, layout_epoch(layout)),
							  node_arg(fcinfo, argno, layout));
}

/* A UUID for a given time. */
static Datum
generate_at(const UuidLayout *layout, TimestampTz epoch, TimestampTz timestamp,
			NodePrefix prefix)
{
	UuidPayload time_bits;

	if (!uuidnew_layout_at(layout, epoch, timestamp, &time_bits))
		uuidnew_time_out_of_range(layout, epoch);
	return return_payload(sequence_random(layout, time_bits, prefix,
										  entropy_uint64(), entropy_uint64()),
						  layout->version);
}

/* (timestamptz [, layout]) -> uuid */
static Datum
generate_default_at(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	const UuidLayout *layout = layout_arg(fcinfo, 1, version);

	return generate_at(layout, layout_epoch(layout), PG_GETARG_TIMESTAMPTZ(0),
					   machine_id_prefix());
}

/*
 * The same with a sequence that is the caller's, or (NULL, or no argument)
 * random: UUIDs of one time in their order.
 */
static Datum
generate_numbered(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout,
				  TimestampTz epoch, NodePrefix prefix)
{
	TimestampTz timestamp = PG_GETARG_TIMESTAMPTZ(0);
	int64		number;
	uint64		last;
	UuidPayload time_bits;
	UuidPayload payload;

	if (PG_NARGS() <= argno || PG_ARGISNULL(argno))
		return generate_at(layout, epoch, timestamp, prefix);

	if (!uuidnew_layout_at(layout, epoch, timestamp, &time_bits))
		uuidnew_time_out_of_range(layout, epoch);
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

/* (timestamptz, sequence or NULL, node or NULL) -> uuid, of one layout */
static Datum
generate_numbered_at(FunctionCallInfo fcinfo, const UuidLayout *layout)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return generate_numbered(fcinfo, 1, layout, layout_epoch(layout),
							 node_arg(fcinfo, 2, layout));
}

/*
 * Version 6
 */

SQL_FUNCTION(uuid_generate_v6, uuidnew_next_uuid(uuidnew_v6.default_layout))
SQL_FUNCTION(uuid_generate_v6_at, generate_default_at(fcinfo, &uuidnew_v6))

/* (timestamptz, sequence or NULL, node or NULL) -> uuid */
SQL_FUNCTION(uuid_generate_v6_at_numbered,
			 generate_numbered_at(fcinfo, uuidnew_v6.default_layout))

/* (node or NULL) -> uuid */
SQL_FUNCTION(uuid_generate_v6_with_node,
			 generate_for_node(fcinfo, 0, uuidnew_v6.default_layout))

/*
 * Version 7, the draft's layouts and rfc9562
 */

SQL_FUNCTION(uuid_generate_v7,
			 uuidnew_next_uuid(layout_arg(fcinfo, 0, &uuidnew_v7)))
SQL_FUNCTION(uuid_generate_v7_at, generate_default_at(fcinfo, &uuidnew_v7))

/* (timestamptz, layout, sequence or NULL, node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v7_at_numbered);
Datum
uuid_generate_v7_at_numbered(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, &uuidnew_v7);
	return generate_numbered(fcinfo, 2, layout, layout_epoch(layout),
							 node_arg(fcinfo, 3, layout));
}

/* (layout, node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v7_with_node);
Datum
uuid_generate_v7_with_node(PG_FUNCTION_ARGS)
{
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return generate_for_node(fcinfo, 1, layout_arg(fcinfo, 0, &uuidnew_v7));
}

/*
 * Version 7 of RFC 9562 without an argument; uuidv7() is in postgresql18.c
 */

SQL_FUNCTION(uuidv7_at, generate_default_at(fcinfo, &uuidnew_uuidv7_family))

/* (timestamptz, sequence or NULL, node or NULL) -> uuid */
SQL_FUNCTION(uuidv7_at_numbered,
			 generate_numbered_at(fcinfo, uuidnew_v7_rfc9562))

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
		return uuidnew_next_uuid(layout);
	return generate_with_node(layout, epoch_tick(layout, epoch),
							  node_arg(fcinfo, 1, layout));
}

/* (timestamptz, layout, node or NULL, epoch [, sequence or NULL]) -> uuid */
static Datum
generate_v8_at(FunctionCallInfo fcinfo)
{
	const UuidLayout *layout;
	TimestampTz epoch;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(3))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, &uuidnew_v8);
	epoch = epoch_arg(fcinfo, 3, layout);
	return generate_numbered(fcinfo, 4, layout, epoch,
							 node_arg(fcinfo, 2, layout));
}

SQL_FUNCTION(uuid_generate_v8_at, generate_v8_at(fcinfo))
SQL_FUNCTION(uuid_generate_v8_at_numbered, generate_v8_at(fcinfo))
