/*
 * functions.c
 *	  The SQL functions of versions 1, 6, 7 and 8: arguments, NULLs and errors.
 *
 * A call goes one way: SQL function, clock, sequence, entropy, layout, Datum.
 * Each function of a version is a few lines around one that serves them all.
 * The SQL scripts say what each does.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/varbit.h"

#include "arguments.h"
#include "compat.h"
#include "generate.h"
#include "v6.h"
#include "v7.h"

/* How long a node may be. */
static int
errdetail_node_room(const UuidLayout *layout)
{
	int			len = layout->node_bits / BITS_PER_BYTE;

	return layout->name != NULL ?
		errdetail("The layout \"%s\" has room for %d octets.", layout->name, len) :
		errdetail("Version %d has room for %d octets.", layout->version, len);
}

/*
 * The caller's node, or else the machine id.
 */
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
				 errdetail_node_room(layout)));
	for (int i = 0; i < len; i++)
		prefix.value = prefix.value << BITS_PER_BYTE | (uint8) VARDATA_ANY(node)[i];
	prefix.nbits = len * BITS_PER_BYTE;
	if (prefix.nbits == layout->node_bits && prefix.value == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("node must not be all zeros"),
				 errdetail("It leaves no random bits.")));
	return prefix;
}

/* (layout) -> uuid: the next one */
static inline Datum
generate_next(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	return uuidnew_generate_default(layout_arg(fcinfo, 0, version));
}

/* The same with a node of the caller's. */
static Datum
generate_with_node(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	Tick		epoch = {layout->epoch, 0};

	return generate_for_epoch(layout, epoch, node_arg(fcinfo, argno, layout));
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
 * The same with a sequence that is the caller's, or (NULL) random: UUIDs of one
 * time in their order.
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

	if (PG_ARGISNULL(argno))
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

/* (uuid, ..., length) -> bytea: the first octets of the node, or NULL */
static Datum
read_node(FunctionCallInfo fcinfo, int argno, const UuidLayout *layout)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			len = PG_GETARG_INT32(argno);
	uint64		octets;

	if (len < 0 || len > layout->node_bits / BITS_PER_BYTE)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("node length %d is out of range", len),
				 errdetail_node_room(layout)));
	if (uuid_version_of(uuid) != layout->version)
		PG_RETURN_NULL();

	/* the node at the top of 64 bits, so that its octets are in their order */
	octets = pg_hton64(uuid_unpack(uuid).lo << (64 - layout->node_bits));
	PG_RETURN_BYTEA_P(uuidnew_bytea(&octets, len));
}

/* (uuid [, layout [, epoch]]) -> timestamptz, or NULL */
static inline Datum
read_timestamp(FunctionCallInfo fcinfo, const UuidVersion *version)
{
	const UuidLayout *layout = layout_arg(fcinfo, 1, version);
	TimestampTz timestamp;

	if (!layout_timestamp(layout, epoch_arg(fcinfo, 2, layout),
						  PG_GETARG_UUID_P(0), &timestamp))
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(timestamp);
}

/* uuidnew_layout_min, or uuidnew_layout_max */
typedef void (*compute_bound) (const UuidLayout *layout, int64 epoch,
							   int64 timestamp, pg_uuid_t *uuid);

/* (timestamptz [, layout [, epoch]]) -> uuid */
static Datum
return_bound(FunctionCallInfo fcinfo, const UuidVersion *version,
			 compute_bound compute)
{
	const UuidLayout *layout = layout_arg(fcinfo, 1, version);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	compute(layout, epoch_arg(fcinfo, 2, layout), PG_GETARG_TIMESTAMPTZ(0), uuid);
	PG_RETURN_UUID_P(uuid);
}

/*
 * Version 1 (RFC 4122 4.1.2), and its conversion to and from version 6.
 *
 * uuid_v1_timestamp: 1582-10-15 to 5236-03-31, 100 ns truncated to
 * microseconds; NULL for another version.  The conversions raise 22023 for one.
 */

/*
 * Version 1 with 62 random bits in place of clock sequence and node ("Really
 * unique UUIDs").  Needs no state: what tells two UUIDs of a tick apart is
 * random.  Both raise 22008 for a time that is out of the range.
 */

static Datum
return_v1_random(UuidPayload time_bits)
{
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	time_bits.lo = entropy_uint64() >> (64 - UUID_LO_BITS);
	uuidnew_v1_pack(time_bits, uuid);
	PG_RETURN_UUID_P(uuid);
}

/* Version 6 has the same range; only the message names the version. */
pg_noreturn static void
v1_time_out_of_range(void)
{
	UuidLayout	v1 = *uuidnew_v6.default_layout;

	v1.version = 1;
	uuidnew_time_out_of_range(&v1, layout_epoch(&v1));
}

PG_FUNCTION_INFO_V1(uuid_generate_v1_random);
Datum
uuid_generate_v1_random(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;
	Tick		epoch = {layout->epoch, 0};
	UuidPayload time_bits;

	if (unlikely(!encode_tick(layout, tick_now(layout), epoch, &time_bits)))
		v1_time_out_of_range();
	return return_v1_random(time_bits);
}

/* (timestamptz) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v1_random_at);
Datum
uuid_generate_v1_random_at(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;
	UuidPayload time_bits;

	if (!uuidnew_layout_at(layout, layout_epoch(layout), PG_GETARG_TIMESTAMPTZ(0),
						   &time_bits))
		v1_time_out_of_range();
	return return_v1_random(time_bits);
}

PG_FUNCTION_INFO_V1(uuid_v1_timestamp);
Datum
uuid_v1_timestamp(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);

	if (uuid_version_of(uuid) != 1)
		PG_RETURN_NULL();
	PG_RETURN_TIMESTAMPTZ(uuidnew_v1_timestamp(uuid));
}

PG_FUNCTION_INFO_V1(uuid_v1_to_v6);
Datum
uuid_v1_to_v6(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *v1 = uuidnew_uuid_arg(fcinfo, 0, 1);
	pg_uuid_t  *v6 = palloc(sizeof(pg_uuid_t));

	uuidnew_v1_to_v6(v1, v6);
	PG_RETURN_UUID_P(v6);
}

PG_FUNCTION_INFO_V1(uuid_v6_to_v1);
Datum
uuid_v6_to_v1(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *v6 = uuidnew_uuid_arg(fcinfo, 0, 6);
	pg_uuid_t  *v1 = palloc(sizeof(pg_uuid_t));

	uuidnew_v6_to_v1(v6, v1);
	PG_RETURN_UUID_P(v1);
}

/*
 * Version 1 with Unix milliseconds in its timestamp, as the code of "Really
 * unique UUIDs" makes it: the time, NULL for any other UUID, and the UUID with
 * the right timestamp; raises 22023 for any other.
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
				 errdetail("Its time would be after 5236-03-31."),
				 errhint("Convert only UUIDs for which uuid_v1_unix_ms_timestamp() is not NULL.")));
	PG_RETURN_UUID_P(v1);
}

/*
 * Version 6 (draft 4.3): 1582-10-15 to 5236-03-31 in units of 100 ns, read and
 * given in microseconds.
 *
 * uuid_generate_v6_at raises 22008 for another time, uuid_v6_timestamp gives
 * NULL for another version, uuid_v6_min and uuid_v6_max saturate.
 */

PG_FUNCTION_INFO_V1(uuid_generate_v6);
Datum
uuid_generate_v6(PG_FUNCTION_ARGS)
{
	return generate_next(fcinfo, &uuidnew_v6);
}

PG_FUNCTION_INFO_V1(uuid_generate_v6_at);
Datum
uuid_generate_v6_at(PG_FUNCTION_ARGS)
{
	return generate_default_at(fcinfo, &uuidnew_v6);
}

/* (timestamptz, sequence or NULL, node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v6_at_numbered);
Datum
uuid_generate_v6_at_numbered(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return generate_numbered(fcinfo, 1, layout, layout_epoch(layout),
							 node_arg(fcinfo, 2, layout));
}

/* (node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v6_with_node);
Datum
uuid_generate_v6_with_node(PG_FUNCTION_ARGS)
{
	return generate_with_node(fcinfo, 0, uuidnew_v6.default_layout);
}

PG_FUNCTION_INFO_V1(uuid_v6_node);
Datum
uuid_v6_node(PG_FUNCTION_ARGS)
{
	return read_node(fcinfo, 1, uuidnew_v6.default_layout);
}

PG_FUNCTION_INFO_V1(uuid_v6_timestamp);
Datum
uuid_v6_timestamp(PG_FUNCTION_ARGS)
{
	return read_timestamp(fcinfo, &uuidnew_v6);
}

PG_FUNCTION_INFO_V1(uuid_v6_min);
Datum
uuid_v6_min(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v6, uuidnew_layout_min);
}

PG_FUNCTION_INFO_V1(uuid_v6_max);
Datum
uuid_v6_max(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v6, uuidnew_layout_max);
}

/*
 * Version 7 (draft 4.4; layout rfc9562: RFC 9562 5.7): 1970-01-01 to 4147-08-20
 * (rfc9562: 10889-08-02), in milliseconds, microseconds or nanoseconds by the
 * layout, read in microseconds (rfc9562: milliseconds).
 *
 * uuid_generate_v7_at raises 22008 for another time, uuid_v7_timestamp gives
 * NULL for another version, uuid_v7_min and uuid_v7_max saturate.  All raise
 * 22023 for an unknown layout.
 */

PG_FUNCTION_INFO_V1(uuid_generate_v7);
Datum
uuid_generate_v7(PG_FUNCTION_ARGS)
{
	return generate_next(fcinfo, &uuidnew_v7);
}

PG_FUNCTION_INFO_V1(uuid_generate_v7_at);
Datum
uuid_generate_v7_at(PG_FUNCTION_ARGS)
{
	return generate_default_at(fcinfo, &uuidnew_v7);
}

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
	return generate_with_node(fcinfo, 1, layout_arg(fcinfo, 0, &uuidnew_v7));
}

PG_FUNCTION_INFO_V1(uuid_v7_node);
Datum
uuid_v7_node(PG_FUNCTION_ARGS)
{
	return read_node(fcinfo, 2, layout_arg(fcinfo, 1, &uuidnew_v7));
}

PG_FUNCTION_INFO_V1(uuid_v7_timestamp);
Datum
uuid_v7_timestamp(PG_FUNCTION_ARGS)
{
	return read_timestamp(fcinfo, &uuidnew_v7);
}

PG_FUNCTION_INFO_V1(uuid_v7_min);
Datum
uuid_v7_min(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v7, uuidnew_layout_min);
}

PG_FUNCTION_INFO_V1(uuid_v7_max);
Datum
uuid_v7_max(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v7, uuidnew_layout_max);
}

/* (uuid) -> text: 'rfc9562', 'draft', or 'none' for another version */
PG_FUNCTION_INFO_V1(uuid_v7_layout);
Datum
uuid_v7_layout(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);

	if (uuid_version_of(uuid) != 7)
		PG_RETURN_TEXT_P(cstring_to_text("none"));
	PG_RETURN_TEXT_P(cstring_to_text(v7_looks_rfc9562(uuid) ? "rfc9562" : "draft"));
}

/*
 * (uuid, from_layout, to_layout [, any_time]) -> uuid: the same time and order
 *
 * Raises 22023 for another version, and for a UUID that looks like one of the
 * other kind of layout, unless any_time is true; 22008 for a time of layout
 * rfc9562 that the draft's layouts can't hold.
 */
PG_FUNCTION_INFO_V1(uuid_v7_convert);
Datum
uuid_v7_convert(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = uuidnew_uuid_arg(fcinfo, 0, 7);
	const UuidLayout *from = uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(1));
	const UuidLayout *to = uuidnew_find_layout(&uuidnew_v7, PG_GETARG_TEXT_PP(2));
	bool		any_time = PG_NARGS() > 3 && PG_GETARG_BOOL(3);
	pg_uuid_t  *result = palloc(sizeof(pg_uuid_t));

	/* a UUID that is converted twice would lose its time */
	if (!any_time && v7_looks_rfc9562(uuid) != (from == uuidnew_v7_rfc9562))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("UUID %s is not of layout \"%s\"",
						uuidnew_uuid_cstring(uuid), from->name),
				 from == uuidnew_v7_rfc9562 ?
				 errdetail("It looks like one of the draft's layouts, which uuid_v7_timestamp() reads.") :
				 errdetail("It looks like one of layout \"rfc9562\", which uuidv7_timestamp() reads."),
				 from == uuidnew_v7_rfc9562 ?
				 errhint("Convert only UUIDs for which uuid_v7_layout() gives 'rfc9562'. Only if all others have times after 2074-07-11, add any_time => true.") :
				 errhint("Convert only UUIDs for which uuid_v7_layout() gives 'draft'. Only if all others have times before 1995-07-09, add any_time => true.")));

	if (!uuidnew_v7_convert(from, to, uuid, result))
		uuidnew_time_out_of_range(to, layout_epoch(to));
	PG_RETURN_UUID_P(result);
}

/*
 * Version 7 of RFC 9562 (5.7) without an argument: 1970-01-01 to 10889-08-02,
 * read in milliseconds.  Errors, NULL and saturation as above.
 */

PG_FUNCTION_INFO_V1(uuidv7_at);
Datum
uuidv7_at(PG_FUNCTION_ARGS)
{
	return generate_default_at(fcinfo, &uuidnew_uuidv7_family);
}

/* (timestamptz, sequence or NULL, node or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuidv7_at_numbered);
Datum
uuidv7_at_numbered(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v7_rfc9562;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	return generate_numbered(fcinfo, 1, layout, layout_epoch(layout),
							 node_arg(fcinfo, 2, layout));
}

PG_FUNCTION_INFO_V1(uuidv7_timestamp);
Datum
uuidv7_timestamp(PG_FUNCTION_ARGS)
{
	return read_timestamp(fcinfo, &uuidnew_uuidv7_family);
}

PG_FUNCTION_INFO_V1(uuidv7_min);
Datum
uuidv7_min(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_uuidv7_family, uuidnew_layout_min);
}

PG_FUNCTION_INFO_V1(uuidv7_max);
Datum
uuidv7_max(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_uuidv7_family, uuidnew_layout_max);
}

/*
 * Version 8 (draft 4.5): range and unit are the layout's, see v8.c.
 *
 * The generators raise 22008 for a time out of the range, and 22023 for a node
 * of more octets than the layout has room for; uuid_v8_timestamp and
 * uuid_v8_node give NULL for another version, uuid_v8_min and uuid_v8_max
 * saturate.  All raise 22023 for an unknown layout, and for an epoch that is
 * infinite or goes to a layout with its own.
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

	/* the usual call; no layout with a state of its own is short of random bits */
	if (likely(PG_ARGISNULL(1) && layout->state != NULL && epoch == layout_epoch(layout)))
		return uuidnew_generate_default(layout);
	return generate_for_epoch(layout, epoch_tick(layout, epoch),
							  node_arg(fcinfo, 1, layout));
}

/* (timestamptz, layout, node or NULL, epoch) -> uuid */
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
	return generate_at(layout, epoch, PG_GETARG_TIMESTAMPTZ(0),
					   node_arg(fcinfo, 2, layout));
}

PG_FUNCTION_INFO_V1(uuid_v8_timestamp);
Datum
uuid_v8_timestamp(PG_FUNCTION_ARGS)
{
	return read_timestamp(fcinfo, &uuidnew_v8);
}

PG_FUNCTION_INFO_V1(uuid_v8_min);
Datum
uuid_v8_min(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v8, uuidnew_layout_min);
}

PG_FUNCTION_INFO_V1(uuid_v8_max);
Datum
uuid_v8_max(PG_FUNCTION_ARGS)
{
	return return_bound(fcinfo, &uuidnew_v8, uuidnew_layout_max);
}

/* (timestamptz, layout, node or NULL, epoch, sequence or NULL) -> uuid */
PG_FUNCTION_INFO_V1(uuid_generate_v8_at_numbered);
Datum
uuid_generate_v8_at_numbered(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout;
	TimestampTz epoch;

	if (PG_ARGISNULL(0) || PG_ARGISNULL(1) || PG_ARGISNULL(3))
		PG_RETURN_NULL();
	layout = layout_arg(fcinfo, 1, &uuidnew_v8);
	epoch = epoch_arg(fcinfo, 3, layout);
	return generate_numbered(fcinfo, 4, layout, epoch, node_arg(fcinfo, 2, layout));
}

PG_FUNCTION_INFO_V1(uuid_v8_node);
Datum
uuid_v8_node(PG_FUNCTION_ARGS)
{
	return read_node(fcinfo, 2, layout_arg(fcinfo, 1, &uuidnew_v8));
}

/* (bytea) -> uuid: 16 octets of the caller's own */
PG_FUNCTION_INFO_V1(uuid_v8_from_octets);
Datum
uuid_v8_from_octets(PG_FUNCTION_ARGS)
{
	const bytea *octets = PG_GETARG_BYTEA_PP(0);
	pg_uuid_t  *uuid = palloc(sizeof(pg_uuid_t));

	if (VARSIZE_ANY_EXHDR(octets) != UUID_LEN)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID needs %d octets, not %d",
						UUID_LEN, (int) VARSIZE_ANY_EXHDR(octets))));
	memcpy(uuid->data, VARDATA_ANY(octets), UUID_LEN);
	uuid_pack(uuid_unpack(uuid), 8, uuid);
	PG_RETURN_UUID_P(uuid);
}

#define PAYLOAD_BITS	(UUID_HI_BITS + UUID_LO_BITS)

/* (bit) -> uuid: 122 bits around version and variant */
PG_FUNCTION_INFO_V1(uuid_v8_from_bits);
Datum
uuid_v8_from_bits(PG_FUNCTION_ARGS)
{
	const VarBit *bits = PG_GETARG_VARBIT_P(0);
	pg_uuid_t	octets;
	Bits		halves;

	if (VARBITLEN(bits) != PAYLOAD_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("a UUID of version 8 has %d bits of its own, not %d",
						PAYLOAD_BITS, VARBITLEN(bits))));
	memcpy(octets.data, VARBITS(bits), UUID_LEN);
	uuid_halves(&octets, &halves.high, &halves.low);
	return return_payload(bits_payload(halves), 8);
}

/* (uuid) -> bit, or NULL: the same bits */
PG_FUNCTION_INFO_V1(uuid_v8_to_bits);
Datum
uuid_v8_to_bits(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	VarBit	   *bits;
	Bits		halves;
	pg_uuid_t	octets;

	if (uuid_version_of(uuid) != 8)
		PG_RETURN_NULL();
	halves = payload_bits(uuid_unpack(uuid));
	uuid_from_halves(halves.high, halves.low, &octets);
	bits = palloc0(VARBITTOTALLEN(PAYLOAD_BITS));
	SET_VARSIZE(bits, VARBITTOTALLEN(PAYLOAD_BITS));
	VARBITLEN(bits) = PAYLOAD_BITS;
	memcpy(VARBITS(bits), octets.data, UUID_LEN);
	PG_RETURN_VARBIT_P(bits);
}

/*
 * Any version: the machine id (draft 7) of 1 to 32 bits, else 22023; NULL for a
 * version or layout that the UUID is not of.
 */

/* (uuid, bits [, layout]) -> bigint, or NULL */
PG_FUNCTION_INFO_V1(uuid_machine_id);
Datum
uuid_machine_id(PG_FUNCTION_ARGS)
{
	const pg_uuid_t *uuid = PG_GETARG_UUID_P(0);
	int			bits = PG_GETARG_INT32(1);
	int			found = uuid_version_of(uuid);
	const UuidLayout *layout = NULL;

	if (bits < 1 || bits > MACHINE_ID_MAX_BITS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("machine id of %d bits is out of range", bits),
				 errdetail("It has 1 to %d bits.", MACHINE_ID_MAX_BITS)));

	if (PG_NARGS() > 2)
		layout = layout_arg(fcinfo, 2, NULL);
	else
	{
		const UuidVersion *version = uuidnew_version(found);

		if (version != NULL)
			layout = version->default_layout;
	}
	if (layout == NULL || layout->version != found)
		PG_RETURN_NULL();
	PG_RETURN_INT64((int64) payload_machine_id(layout, uuid_unpack(uuid), bits));
}
