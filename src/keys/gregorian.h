/*
 * gregorian.h
 *	  The timestamp of versions 1 and 6 and of version 8's gregorian60: 60 bits
 *	  that count 100 ns since 1582-10-15 00:00:00 UTC (RFC 4122 4.1.4).
 */
#ifndef UUIDNEW_GREGORIAN_H
#define UUIDNEW_GREGORIAN_H

#include "keys/layout.h"

#define GREGORIAN_TICKS_PER_USEC	10
#define GREGORIAN_TICKS_PER_SEC		10000000

/* 2^60 ticks end in 5236-03-31; the last microsecond is not a whole one. */
#define GREGORIAN_SPAN \
	((UINT64CONST(1) << 60) / GREGORIAN_TICKS_PER_USEC + 1)

static inline uint32
gregorian_ticks(const UuidLayout *layout, uint32 nsec)
{
	return nsec / 100;
}

static inline UuidPayload
gregorian_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	UuidPayload time_bits = {sec * GREGORIAN_TICKS_PER_SEC + ticks, 0};

	return time_bits;
}

static inline uint64
gregorian_decode(const UuidLayout *layout, UuidPayload payload)
{
	return payload.hi / GREGORIAN_TICKS_PER_USEC;
}

/* What a layout with this timestamp says of it. */
#define GREGORIAN_TIMESTAMP \
	.epoch = EPOCH_GREGORIAN, \
	.span_usecs = GREGORIAN_SPAN, \
	.read_usecs = 1, \
	.ticks_per_sec = GREGORIAN_TICKS_PER_SEC, \
	.ticks = gregorian_ticks, \
	.encode = gregorian_encode, \
	.decode = gregorian_decode

#endif							/* UUIDNEW_GREGORIAN_H */
