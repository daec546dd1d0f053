/*
 * v7.c
 *	  UUID version 7: the draft's, in three precisions, and RFC 9562's.
 *
 * Draft 4.4, figures 3 to 5: 36 bits of Unix seconds, the fraction of the
 * second as a binary fraction that reads on across version and variant, then
 * sequence and node.
 *
 *	   millisecond  fraction 12 bits, sequence 12, node 62
 *	   microsecond  fraction 24 bits, sequence 14, node 48
 *	   nanosecond   fraction 38 bits, sequence 8, node 40
 *
 * Fractions are rounded up, so that a reader of the same bits, or of more,
 * that truncates gets the tick back: 1 ms is 5/4096 s, as 4/4096 s would be 0
 * ms.  A reader of fewer bits may not: the first 12 of the 24 of microsecond
 * read as the millisecond before in one of eight.  One reader serves all
 * three.  It takes 38 bits: what follows the fraction of a coarser layout adds
 * less than the rest of its tick, because there are at least twice as many
 * fractions in a second as ticks.  A layout of fewer fraction bits would need
 * a reader of its own.
 *
 * RFC 9562 5.7 differs: 48 bits of Unix milliseconds, then (6.2 method 3) 12
 * bits with the fraction of the millisecond, rounded down.  No bit tells the
 * two apart.  So each has its own range of UUIDs, with a border between them:
 * see v7.h.
 */
#include "postgres.h"

#include <math.h>

#include "keys/count.h"
#include "keys/v7.h"

#define DRAFT_SECONDS_BITS		36
#define DRAFT_SPAN_USECS \
	((UINT64CONST(1) << DRAFT_SECONDS_BITS) * USECS_PER_SEC)

/*
 * name_encode of a draft layout whose ticks are 1/10^digits of a second, with
 * a fraction of so many bits: ceil(ticks * 2^bits / 10^digits), the quotient
 * in lowest terms so that 64 bits are enough.
 */
#define DRAFT_LAYOUT(name, digits, five_to_digits, bits) \
static UuidPayload \
name##_encode(const UuidLayout *layout, uint64 sec, uint32 ticks) \
{ \
	return draft_time_bits(sec, (((uint64) ticks << ((bits) - (digits))) + \
								 (five_to_digits) - 1) / (five_to_digits), \
						   bits); \
}

/* 36 bits of seconds and the fraction, at the top of a payload */
static inline UuidPayload
draft_time_bits(uint64 sec, uint64 fraction, int fraction_bits)
{
	UuidPayload time_bits = {sec << (UUID_HI_BITS - DRAFT_SECONDS_BITS), 0};
	int			below = fraction_bits - (UUID_HI_BITS - DRAFT_SECONDS_BITS);

	if (below > 0)
	{
		time_bits.hi |= fraction >> below;
		time_bits.lo = (fraction & low_bits(below)) << (UUID_LO_BITS - below);
	}
	else
		time_bits.hi |= fraction << -below;
	return time_bits;
}

DRAFT_LAYOUT(millisecond, 3, 125, 12)
DRAFT_LAYOUT(microsecond, 6, 15625, 24)
DRAFT_LAYOUT(nanosecond, 9, 1953125, 38)

/* floor(fraction * 10^6 / 2^38) */
static uint64
draft_decode(const UuidLayout *layout, UuidPayload payload)
{
	uint64		fraction =
		(payload.hi & low_bits(24)) << 14 | payload.lo >> 48;

	return (payload.hi >> 24) * USECS_PER_SEC + (fraction * 15625 >> 32);
}

/* 12 bits of fraction below the millisecond */
#define RFC_TICKS_PER_SEC	(MSECS_PER_SEC << 12)

static UuidPayload
rfc9562_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return put_count(sec * RFC_TICKS_PER_SEC + ticks, UUID_HI_BITS);
}

/* To the millisecond, as core reads it: the rest may be random. */
static uint64
rfc9562_decode(const UuidLayout *layout, UuidPayload payload)
{
	return (payload.hi >> 12) * USECS_PER_MSEC;
}

enum
{
	MILLISECOND, MICROSECOND, NANOSECOND, RFC9562, V7_LAYOUTS
};

/* What the draft's layouts share. */
#define DRAFT_V7(place, layout, per_sec) \
	VERSION_AND_PLACE(7, place), \
	.name = #layout, \
	.ticks_per_sec = per_sec, \
	.encode = layout##_encode, \
	.span_usecs = DRAFT_SPAN_USECS, \
	.first_hi = V7_BORDER_HI, \
	WHOLE_RANGE, \
	.read_usecs = 1, \
	.decode = draft_decode, \
	.bound_layout = &v7_layouts[NANOSECOND]

static const UuidLayout v7_layouts[V7_LAYOUTS] = {
	[MILLISECOND] = {
		DRAFT_V7(MILLISECOND, millisecond, MSECS_PER_SEC),
		.fraction_bits = 12,
		.sequence_bits = 12,
		.node_bits = 62,
		.overflow_bits = 14,
	},
	[MICROSECOND] = {
		DRAFT_V7(MICROSECOND, microsecond, USECS_PER_SEC),
		.alias = "draft",
		.fraction_bits = 24,
		.sequence_bits = 14,
		.node_bits = 48,
		.overflow_bits = 8,
	},
	[NANOSECOND] = {
		DRAFT_V7(NANOSECOND, nanosecond, NSECS_PER_SEC),
		.fraction_bits = 38,
		.sequence_bits = 8,
		.node_bits = 40,
		.overflow_bits = 8,
	},
	[RFC9562] = {
		VERSION_AND_PLACE(7, RFC9562),
		.name = "rfc9562",
		.sequence_bits = 6,
		.node_bits = 56,
		.overflow_bits = 8,
		.span_usecs = (UINT64CONST(1) << 48) * USECS_PER_MSEC,
		.end_hi = V7_BORDER_HI,
		.read_usecs = USECS_PER_MSEC,
		COUNTS(rfc9562, RFC_TICKS_PER_SEC),
	},
};

const UuidFamily uuidnew_v7 = {
	7, v7_layouts, V7_LAYOUTS, &v7_layouts[MICROSECOND], "uuid_v7_",
	"uuid_generate_v7"
};
const UuidFamily uuidnew_uuidv7_family = {
	7, v7_layouts, V7_LAYOUTS, &v7_layouts[RFC9562], "uuidv7_", "uuidv7"
};
const UuidLayout *const uuidnew_v7_rfc9562 = &v7_layouts[RFC9562];

/*
 * Which of the draft's layouts is it?
 */

/* How much likelier than any other a layout must be */
#define TOLD_BY		20

/*
 * uuidnew_v7_tell_layout - which of the draft's layouts a UUID is of; NULL if
 * that can't be told.
 *
 * How often would the bits of another layout look as much like this one's?
 * Besides what rounding leaves, a sequence is low in most keys, and the
 * machine id may be this server's.  The bits of *looks are the places of all
 * layouts that the UUID may be of.
 */
const UuidLayout *
uuidnew_v7_tell_layout(const pg_uuid_t *uuid, uint64 machine_id,
					   int machine_id_bits, uint32 *looks)
{
	UuidPayload payload = uuid_unpack(uuid);
	const UuidLayout *told = NULL;
	double		rarest = HUGE_VAL;
	double		next = HUGE_VAL;

	*looks = 0;
	for (int i = 0; i < V7_LAYOUTS; i++)
	{
		const UuidLayout *layout = &v7_layouts[i];
		double		chance;

		if (i == RFC9562 || !uuidnew_layout_may_be(layout, uuid))
			continue;
		*looks |= 1 << i;
		chance = ldexp(layout->ticks_per_sec, -layout->fraction_bits) *
			ldexp(payload_sequence(layout, payload) + 1,
				  -layout->sequence_bits);
		if (machine_id_bits > 0 &&
			payload_machine_id(layout, payload, machine_id_bits) == machine_id)
			chance = ldexp(chance, -machine_id_bits);
		next = Min(next, Max(chance, rarest));
		if (chance < rarest)
		{
			rarest = chance;
			told = layout;
		}
	}
	return rarest * TOLD_BY > next ? NULL : told;
}

/*
 * From one layout to another.  What follows the old timestamp follows the new
 * one too.  Where several old timestamps become the same new tick, the number
 * of the old one among them stands in between, so that the order stays.
 */

static uint64
fractions_per_sec(const UuidLayout *layout)
{
	if (layout->fraction_bits > 0)
		return UINT64CONST(1) << layout->fraction_bits;
	return layout->ticks_per_sec;
}

/* The first fraction that becomes the same tick, one of 2^bits at most. */
static uint64
first_of_same_tick(const UuidLayout *from, const UuidLayout *to,
				   uint64 fraction, int bits)
{
	uint32		ticks =
		uuidnew_fraction_ticks(from, to->ticks_per_sec, fraction);
	uint64		low = fraction - Min(fraction, low_bits(bits));
	uint64		high = fraction;

	while (low < high)
	{
		uint64		middle = (low + high) / 2;

		if (uuidnew_fraction_ticks(from, to->ticks_per_sec, middle) < ticks)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * uuidnew_v7_convert - a UUID of one layout of version 7 as one of another.
 *
 * It keeps the time to the tick of the coarser layout, the order, and of the
 * bits that followed as many as there is room for; zeros fill what is left.
 * Returns false if the other layout can't hold the time.
 */
bool
uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
				   const pg_uuid_t *uuid, pg_uuid_t *result)
{
	UuidPayload payload = uuid_unpack(uuid);
	SecondFraction time = uuidnew_layout_fraction(from, payload);
	UuidPayload time_bits;
	Bits		rest;
	int			same_tick_bits = 0;

	if (from == to)
	{
		*result = *uuid;
		return true;
	}
	time_bits = to->encode(to, time.sec,
						   uuidnew_fraction_ticks(from, to->ticks_per_sec,
												  time.fraction));
	if (!layout_in_range(to, time_bits))
		return false;

	while ((uint64) Min(from->ticks_per_sec, to->ticks_per_sec) <<
		   same_tick_bits <
		   fractions_per_sec(from))
		same_tick_bits++;
	rest = shift_left(payload_bits(payload), timestamp_width(from));
	if (same_tick_bits > 0)
	{
		rest = shift_right(rest, same_tick_bits);
		rest.high |= (time.fraction -
					  first_of_same_tick(from, to, time.fraction,
										 same_tick_bits)) <<
			(64 - same_tick_bits);
	}

	payload = bits_payload(shift_right(rest, timestamp_width(to)));
	payload.hi |= time_bits.hi;
	payload.lo |= time_bits.lo;
	uuid_pack(payload, 7, result);
	return true;
}
