/*
 * v7.c
 *	  UUID version 7: the draft's, in three precisions, and RFC 9562's.
 *
 * Draft 4.4, figures 3 to 5: 36 bits of Unix seconds, the fraction of the
 * second as a binary fraction that reads on across version and variant, then
 * sequence and node.
 *
 *		0                   1                   2                   3
 *		0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |                            unixts                             |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |unixts |       subsec_a        |  ver  |       subsec_b        |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |var|                   subsec_seq_node                         |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *	   |                       subsec_seq_node                         |
 *	   +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
 *
 *	   millisecond  fraction subsec_a, sequence subsec_b (12), node 62
 *	   microsecond  fraction subsec_a and subsec_b, sequence 14, node 48
 *	   nanosecond   fraction goes on for 14 bits, sequence 8, node 40
 *
 * Fractions are rounded up, so that a reader that takes any number of leading
 * bits and truncates gets the unit back: 1 ms is 5/4096 s, as 4/4096 s would
 * be 0 ms.  One reader serves all three, it takes 38 bits; what follows the
 * fraction of a coarser layout adds less than its unit.
 *
 * RFC 9562 5.7 differs: 48 bits of Unix milliseconds, then (6.2 method 3) 12
 * bits with the fraction of the millisecond, rounded down.  The bits do not
 * tell the two apart.
 */
#include "postgres.h"

#include "layout.h"

#define DRAFT_SECONDS_BITS		36
#define DRAFT_FRACTION_BITS		38
#define DRAFT_SPAN \
	((UINT64CONST(1) << DRAFT_SECONDS_BITS) * USECS_PER_SEC)

#define RFC_FRACTIONS_PER_MSEC	4096

static uint32
millisecond_units(uint32 nsec)
{
	return nsec / NSECS_PER_MSEC;
}

/* ceil(units * 2^12 / 10^3), the quotient in lowest terms */
static UuidPayload
millisecond_encode(uint64 sec, uint32 units)
{
	UuidPayload stamp = {sec << 24 | (((uint64) units << 9) + 124) / 125 << 12, 0};

	return stamp;
}

static uint32
microsecond_units(uint32 nsec)
{
	return nsec / NSECS_PER_USEC;
}

/* ceil(units * 2^24 / 10^6) */
static UuidPayload
microsecond_encode(uint64 sec, uint32 units)
{
	UuidPayload stamp = {sec << 24 | (((uint64) units << 18) + 15624) / 15625, 0};

	return stamp;
}

static uint32
nanosecond_units(uint32 nsec)
{
	return nsec;
}

/* ceil(units * 2^38 / 10^9) */
static UuidPayload
nanosecond_encode(uint64 sec, uint32 units)
{
	uint64		fraction = (((uint64) units << 29) + 1953124) / 1953125;
	UuidPayload stamp = {sec << 24 | fraction >> 14, (fraction & low_bits(14)) << 48};

	return stamp;
}

/* floor(fraction * 10^6 / 2^38) */
static uint64
draft_decode(UuidPayload payload)
{
	uint64		fraction = (payload.hi & low_bits(24)) << 14 | payload.lo >> 48;

	return (payload.hi >> 24) * USECS_PER_SEC + (fraction * 15625 >> 32);
}

static uint32
rfc9562_units(uint32 nsec)
{
	uint32		msec = nsec / NSECS_PER_MSEC;
	uint32		rest = nsec % NSECS_PER_MSEC;

	return msec * RFC_FRACTIONS_PER_MSEC +
		(uint64) rest * RFC_FRACTIONS_PER_MSEC / NSECS_PER_MSEC;
}

static UuidPayload
rfc9562_encode(uint64 sec, uint32 units)
{
	UuidPayload stamp = {sec * MSECS_PER_SEC * RFC_FRACTIONS_PER_MSEC + units, 0};

	return stamp;
}

/* To the millisecond, as core's uuid_extract_timestamp: rand_a may be random. */
static uint64
rfc9562_decode(UuidPayload payload)
{
	return (payload.hi >> 12) * USECS_PER_MSEC;
}

enum
{
	MILLISECOND, MICROSECOND, NANOSECOND, RFC9562, V7_LAYOUTS
};

static SequenceState v7_states[V7_LAYOUTS];

static const UuidLayout v7_layouts[V7_LAYOUTS] = {
	[MILLISECOND] = {
		.name = "millisecond",
		.version = 7,
		.sequence_bits = 12,
		.node_bits = 62,
		.overflow_bits = 14,
		.span = DRAFT_SPAN,
		.unit = 1,
		.units_per_sec = MSECS_PER_SEC,
		.units = millisecond_units,
		.encode = millisecond_encode,
		.decode = draft_decode,
		.finest = &v7_layouts[NANOSECOND],
		.state = &v7_states[MILLISECOND],
	},
	[MICROSECOND] = {
		.name = "microsecond",
		.version = 7,
		.sequence_bits = 14,
		.node_bits = 48,
		.overflow_bits = 8,
		.span = DRAFT_SPAN,
		.unit = 1,
		.units_per_sec = USECS_PER_SEC,
		.units = microsecond_units,
		.encode = microsecond_encode,
		.decode = draft_decode,
		.finest = &v7_layouts[NANOSECOND],
		.state = &v7_states[MICROSECOND],
	},
	[NANOSECOND] = {
		.name = "nanosecond",
		.version = 7,
		.sequence_bits = 8,
		.node_bits = 40,
		.overflow_bits = 8,
		.span = DRAFT_SPAN,
		.unit = 1,
		.units_per_sec = NSECS_PER_SEC,
		.units = nanosecond_units,
		.encode = nanosecond_encode,
		.decode = draft_decode,
		.state = &v7_states[NANOSECOND],
	},
	[RFC9562] = {
		.name = "rfc9562",
		.version = 7,
		.sequence_bits = 6,
		.node_bits = 56,
		.overflow_bits = 8,
		.span = (UINT64CONST(1) << 48) * USECS_PER_MSEC,
		.unit = USECS_PER_MSEC,
		.units_per_sec = MSECS_PER_SEC * RFC_FRACTIONS_PER_MSEC,
		.units = rfc9562_units,
		.encode = rfc9562_encode,
		.decode = rfc9562_decode,
		.state = &v7_states[RFC9562],
	},
};

const UuidVersion uuidnew_v7 = {7, v7_layouts, V7_LAYOUTS, &v7_layouts[MICROSECOND]};
const UuidLayout *const uuidnew_v7_rfc9562 = &v7_layouts[RFC9562];

/*
 * From one layout to another.  What follows the timestamp follows the new one
 * too.  Where several old timestamps become the same new one, the number of the
 * old one among them stands between, so that the order stays.
 */

/* A second, and all that the timestamp bits say of its fraction. */
typedef struct Stamp
{
	uint64		sec;
	uint64		fraction;		/* less than fractions_per_sec() */
} Stamp;

static int
stamp_bits(const UuidLayout *layout)
{
	return UUID_HI_BITS + UUID_LO_BITS - layout->sequence_bits - layout->node_bits;
}

static uint64
fractions_per_sec(const UuidLayout *layout)
{
	if (layout == uuidnew_v7_rfc9562)
		return layout->units_per_sec;
	return UINT64CONST(1) << (stamp_bits(layout) - DRAFT_SECONDS_BITS);
}

static Stamp
read_stamp(const UuidLayout *layout, UuidPayload payload)
{
	Stamp		stamp;

	if (layout == uuidnew_v7_rfc9562)
	{
		stamp.sec = payload.hi / layout->units_per_sec;
		stamp.fraction = payload.hi % layout->units_per_sec;
	}
	else
	{
		stamp.sec = payload.hi >> 24;
		stamp.fraction = ((payload.hi & low_bits(24)) << 14 | payload.lo >> 48) >>
			(DRAFT_SECONDS_BITS + DRAFT_FRACTION_BITS - stamp_bits(layout));
	}
	return stamp;
}

/*
 * A fraction of a second in units of another layout: the unit that it was made
 * of, if it was.  rfc9562 rounds down, so there it is the last one before the
 * next fraction.
 */
static uint32
convert_fraction(const UuidLayout *from, const UuidLayout *to, uint64 fraction)
{
	uint64		units;

	if (from == uuidnew_v7_rfc9562)
	{
		uint64		per_msec = to->units_per_sec / MSECS_PER_SEC;
		uint64		msec = fraction / RFC_FRACTIONS_PER_MSEC;
		uint64		next = fraction % RFC_FRACTIONS_PER_MSEC + 1;

		return msec * per_msec + (next * per_msec - 1) / RFC_FRACTIONS_PER_MSEC;
	}
	switch (from - v7_layouts)
	{
		case MILLISECOND:
			units = fraction * 125 >> 9;
			break;
		case MICROSECOND:
			units = fraction * 15625 >> 18;
			break;
		default:
			units = fraction * 1953125 >> 29;
	}
	return units * to->units_per_sec / from->units_per_sec;
}

/* The first fraction that becomes the same unit. */
static uint64
first_alike(const UuidLayout *from, const UuidLayout *to, uint64 fraction)
{
	uint32		units = convert_fraction(from, to, fraction);
	uint64		low = 0;
	uint64		high = fraction;

	while (low < high)
	{
		uint64		middle = (low + high) / 2;

		if (convert_fraction(from, to, middle) < units)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * uuidnew_v7_convert - a UUID of one layout of version 7 as one of another.
 *
 * Time to the unit of the coarser layout, order, then the bits that followed,
 * cut off at the end or filled with zeros.  Returns false if the other layout
 * can't hold the time.
 */
bool
uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
				   const pg_uuid_t *uuid, pg_uuid_t *result)
{
	UuidPayload payload = uuid_unpack(uuid);
	Stamp		stamp = read_stamp(from, payload);
	UuidPayload converted;
	Bits		rest;
	int			alike_bits = 0;

	if (from == to)
	{
		*result = *uuid;
		return true;
	}
	if (stamp.sec >= to->span / USECS_PER_SEC)
		return false;

	while ((uint64) Min(from->units_per_sec, to->units_per_sec) << alike_bits <
		   fractions_per_sec(from))
		alike_bits++;
	rest = shift_left(payload_bits(payload), stamp_bits(from));
	if (alike_bits > 0)
	{
		rest = shift_right(rest, alike_bits);
		rest.high |= (stamp.fraction - first_alike(from, to, stamp.fraction)) <<
			(64 - alike_bits);
	}

	converted = to->encode(stamp.sec, convert_fraction(from, to, stamp.fraction));
	payload = bits_payload(shift_right(rest, stamp_bits(to)));
	payload.hi |= converted.hi;
	payload.lo |= converted.lo;
	uuid_pack(payload, 7, result);
	return true;
}
