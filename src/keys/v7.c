/*
 * v7.c
 *	  UUID version 7: three draft layouts, and the layout of RFC 9562.
 *
 * Draft 4.4, figures 3 to 5: 36 bits of Unix seconds, the fraction of the
 * second as a binary fraction that continues across version and variant, then
 * sequence and node.
 *
 *	   millisecond  fraction 12 bits, sequence 12, node 62
 *	   microsecond  fraction 24 bits, sequence 14, node 48
 *	   nanosecond   fraction 38 bits, sequence 8, node 40
 *
 * Fractions are rounded up, so that a reader of at least the same bits gets
 * the tick back by truncating: 1 ms is 5/4096 s, because 4/4096 s would be 0
 * ms.  One reader, of 38 bits, serves all three layouts.  Behind a coarser
 * fraction it also reads sequence and node, which are worth less than the rest
 * of the tick, because a second has at least twice as many fractions as ticks.
 * A layout with fewer fraction bits would need another reader.
 *
 * RFC 9562 5.7 differs: 48 bits of Unix milliseconds, then (6.2 method 3) 12
 * bits with the fraction of the millisecond, rounded down.  No bit
 * distinguishes the two, so each has its own range: see V7_BORDER_HI.
 */
#include "postgres.h"

#include <math.h>

#include "compat.h"
#include "keys/v7.h"

#define DRAFT_SECONDS_BITS		36
#define DRAFT_SPAN_USECS \
	((UINT64CONST(1) << DRAFT_SECONDS_BITS) * USECS_PER_SEC)

/*
 * 36 bits of seconds and the fraction, at the top of a payload.
 *
 * A tick is 1/10^digits s, so the fraction is ceil(ticks * 2^bits /
 * 10^digits), in lowest terms so that 64 bits are enough.  Inlined, because
 * the compiler divides faster by constants.
 */
static pg_always_inline UuidPayload
draft_time_bits(uint64 sec, uint64 ticks, int digits, uint32 five_to_digits,
				int bits)
{
	UuidPayload time_bits = {sec << (UUID_HI_BITS - DRAFT_SECONDS_BITS), 0};
	int			below = bits - (UUID_HI_BITS - DRAFT_SECONDS_BITS);
	uint64		fraction = ((ticks << (bits - digits)) + five_to_digits - 1) /
		five_to_digits;

	if (below > 0)
	{
		time_bits.hi |= fraction >> below;
		time_bits.lo = (fraction & low_bits(below)) << (UUID_LO_BITS - below);
	}
	else
		time_bits.hi |= fraction << -below;
	return time_bits;
}

static UuidPayload
millisecond_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return draft_time_bits(sec, ticks, 3, 125, 12);
}

static UuidPayload
microsecond_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return draft_time_bits(sec, ticks, 6, 15625, 24);
}

static UuidPayload
nanosecond_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	return draft_time_bits(sec, ticks, 9, 1953125, 38);
}

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
	return (UuidPayload) {sec * RFC_TICKS_PER_SEC + ticks, 0};
}

/* To the millisecond, as core does: the fraction may be random bits. */
static uint64
rfc9562_decode(const UuidLayout *layout, UuidPayload payload)
{
	return (payload.hi >> 12) * USECS_PER_MSEC;
}

enum
{
	MILLISECOND, MICROSECOND, NANOSECOND, RFC9562, V7_LAYOUTS
};

/* Initializers that the draft layouts share */
#define DRAFT_V7(place) \
	VERSION_AND_PLACE(7, place), \
	.span_usecs = DRAFT_SPAN_USECS, \
	.first_hi = V7_BORDER_HI, \
	WHOLE_RANGE, \
	.read_usecs = 1, \
	.decode = draft_decode, \
	.bound_layout = &v7_layouts[NANOSECOND]

static const UuidLayout v7_layouts[V7_LAYOUTS] = {
	[MILLISECOND] = {
		DRAFT_V7(MILLISECOND),
		.name = "millisecond",
		.ticks_per_sec = MSECS_PER_SEC,
		.encode = millisecond_encode,
		.fraction_bits = 12,
		.sequence_bits = 12,
		.node_bits = 62,
		.overflow_bits = 14,
	},
	[MICROSECOND] = {
		DRAFT_V7(MICROSECOND),
		.name = "microsecond",
		.ticks_per_sec = USECS_PER_SEC,
		.encode = microsecond_encode,
		.alias = "draft",
		.fraction_bits = 24,
		.sequence_bits = 14,
		.node_bits = 48,
		.overflow_bits = 8,
	},
	[NANOSECOND] = {
		DRAFT_V7(NANOSECOND),
		.name = "nanosecond",
		.ticks_per_sec = NSECS_PER_SEC,
		.encode = nanosecond_encode,
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
		.ticks_per_sec = RFC_TICKS_PER_SEC,
		.encode = rfc9562_encode,
		.decode = rfc9562_decode,
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

/* Report a layout if it is this many times likelier than the runner-up. */
#define MIN_LIKELIHOOD_RATIO	20

/*
 * uuidnew_v7_tell_layout - the draft layout of a UUID, or NULL if uncertain.
 *
 * Estimates the chance that a key of another layout matches this layout's
 * pattern: rounding, a low sequence, as most keys have, and this server's
 * machine id.  *candidates has a bit for each layout that is possible.
 */
const UuidLayout *
uuidnew_v7_tell_layout(const pg_uuid_t *uuid, uint64 machine_id,
					   int machine_id_bits, uint32 *candidates)
{
	UuidPayload payload = uuid_unpack(uuid);
	const UuidLayout *likeliest = NULL;
	double		rarest = HUGE_VAL;
	double		runner_up = HUGE_VAL;

	*candidates = 0;
	for (int i = 0; i < V7_LAYOUTS; i++)
	{
		const UuidLayout *layout = &v7_layouts[i];
		double		chance;

		if (i == RFC9562 || !uuidnew_layout_may_be(layout, uuid))
			continue;
		*candidates |= 1 << i;
		chance = ldexp(layout->ticks_per_sec, -layout->fraction_bits) *
			ldexp(payload_sequence(layout, payload) + 1,
				  -layout->sequence_bits);
		if (machine_id_bits > 0 &&
			payload_machine_id(layout, payload, machine_id_bits) == machine_id)
			chance = ldexp(chance, -machine_id_bits);
		runner_up = Min(runner_up, Max(chance, rarest));
		if (chance < rarest)
		{
			rarest = chance;
			likeliest = layout;
		}
	}
	return rarest * MIN_LIKELIHOOD_RATIO > runner_up ? NULL : likeliest;
}

/* The first of at most 2^bits fractions that convert to the same tick */
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
 * uuidnew_v7_convert - converts a UUID between two layouts of version 7; false
 * if the other layout can't hold the time.
 *
 * It keeps the order, and the time to the tick of the coarser layout.  The
 * bits after the timestamp follow the new one, cut off or filled up with
 * zeros.  If several timestamps become one tick, their number comes first.
 */
bool
uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
				   const pg_uuid_t *uuid, pg_uuid_t *result)
{
	UuidPayload payload = uuid_unpack(uuid);
	SecondFraction time = uuidnew_layout_fraction(from, payload);
	uint64		fractions = from->fraction_bits > 0 ?
		UINT64CONST(1) << from->fraction_bits : from->ticks_per_sec;
	UuidPayload time_bits;
	Bits		following;
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
		   same_tick_bits < fractions)
		same_tick_bits++;
	following = shift_left(payload_bits(payload), timestamp_width(from));
	if (same_tick_bits > 0)
	{
		following = shift_right(following, same_tick_bits);
		following.high |= (time.fraction -
						   first_of_same_tick(from, to, time.fraction,
											  same_tick_bits)) <<
			(64 - same_tick_bits);
	}

	payload = bits_payload(shift_right(following, timestamp_width(to)));
	payload.hi |= time_bits.hi;
	payload.lo |= time_bits.lo;
	uuid_pack(payload, 7, result);
	return true;
}
