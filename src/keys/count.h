/*
 * count.h
 *	  Timestamps that count ticks since an epoch.
 *
 * COUNT_LAYOUT(name, per_sec, bits) defines what a layout's entry says with
 * COUNTS(name, per_sec): the count of ticks of 1/per_sec s, in so many bits.
 * per_sec divides a billion.
 */
#ifndef UUIDNEW_COUNT_H
#define UUIDNEW_COUNT_H

#include "compat.h"
#include "keys/layout.h"

/* put_count - a count in the first bits of a payload, 1 to 64. */
static pg_always_inline UuidPayload
put_count(uint64 count, int bits)
{
	UuidPayload payload = {0, 0};
	int			below = bits - UUID_HI_BITS;

	if (below > 0)
	{
		payload.hi = count >> below;
		payload.lo = (count & low_bits(below)) << (UUID_LO_BITS - below);
	}
	else
		payload.hi = count << -below;
	return payload;
}

static pg_always_inline uint64
get_count(UuidPayload payload, int bits)
{
	int			below = bits - UUID_HI_BITS;

	if (below > 0)
		return payload.hi << below | payload.lo >> (UUID_LO_BITS - below);
	return payload.hi >> -below;
}

/*
 * The first microsecond that begins in a tick or, where a tick is shorter, the
 * one that the tick ends in: so the microsecond that was written is read.
 */
static pg_always_inline uint64
count_usecs(uint64 count, uint32 per_sec)
{
	uint32		nsec = NSECS_PER_SEC / per_sec;

	if (per_sec <= USECS_PER_SEC)
		return count * (USECS_PER_SEC / per_sec);
	if (per_sec % USECS_PER_SEC == 0)
		return count / (per_sec / USECS_PER_SEC);
	return (count * nsec + nsec - 1) / NSECS_PER_USEC;
}

#define COUNT_LAYOUT(name, per_sec, bits) \
static UuidPayload \
name##_encode(const UuidLayout *layout, uint64 sec, uint32 ticks) \
{ \
	return put_count(sec * (per_sec) + ticks, bits); \
} \
static uint64 \
name##_decode(const UuidLayout *layout, UuidPayload payload) \
{ \
	uint64		usec = count_usecs(get_count(payload, bits), per_sec); \
 \
	return usec < layout->span_usecs ? usec : NO_TIME; \
}

#define COUNTS(name, per_sec) \
	.ticks_per_sec = (per_sec), \
	.encode = name##_encode, \
	.decode = name##_decode

/*
 * Of versions 1 and 6 and of version 8's gregorian60: 60 bits that count 100
 * ns since 1582-10-15 00:00:00 UTC (RFC 4122 4.1.4).
 */

#define GREGORIAN_TICKS_PER_USEC	10
#define GREGORIAN_TICKS_PER_SEC		10000000

#define GREGORIAN_LAYOUT \
	COUNT_LAYOUT(gregorian, GREGORIAN_TICKS_PER_SEC, 60)

/* 2^60 ticks end in 5236-03-31; the last microsecond is not a whole one. */
#define GREGORIAN_TIMESTAMP \
	.epoch = EPOCH_GREGORIAN, \
	.span_usecs = (UINT64CONST(1) << 60) / GREGORIAN_TICKS_PER_USEC + 1, \
	.read_usecs = 1, \
	COUNTS(gregorian, GREGORIAN_TICKS_PER_SEC)

#endif							/* UUIDNEW_COUNT_H */
