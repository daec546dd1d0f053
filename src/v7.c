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
