/*
 * count.c
 *	  Timestamps that count ticks since an epoch, in count_bits.
 *
 * A time is rounded down to its tick.  Readers return the last microsecond of
 * a tick shorter than a microsecond, so that it is the one that was written,
 * and the first microsecond of a longer tick.  gregorian60 and unix64 have
 * faster functions, with constants.
 */
#include "postgres.h"

#include "keys/layout.h"

/* uuidnew_count_encode - for a time beyond the span, hi is out of range. */
UuidPayload
uuidnew_count_encode(const UuidLayout *layout, uint64 sec, uint32 ticks)
{
	uint64		count = sec * layout->ticks_per_sec + ticks;
	int			bits = layout->count_bits;

	if (unlikely(layout->secs_per_tick > 1))
		count = sec / layout->secs_per_tick;
	else if (unlikely(count < ticks))
		return (UuidPayload) {PG_UINT64_MAX, 0};
	if (unlikely(bits < 64 && count >> bits != 0))
		return (UuidPayload) {PG_UINT64_MAX, 0};
	return bits_payload((Bits) {count << (64 - bits), 0});
}

/* uuidnew_count_decode - the microseconds since the epoch, or NO_TIME. */
uint64
uuidnew_count_decode(const UuidLayout *layout, UuidPayload payload)
{
	uint64		count =
		payload_bits(payload).high >> (64 - layout->count_bits);
	uint64		last_sec = (layout->span_usecs - 1) / USECS_PER_SEC;
	uint64		sec;
	uint64		tick = 0;
	uint64		usec;

	if (layout->secs_per_tick > 1)
	{
		if (count > last_sec / layout->secs_per_tick)
			return NO_TIME;
		sec = count * layout->secs_per_tick;
	}
	else
	{
		sec = count / layout->ticks_per_sec;
		tick = count % layout->ticks_per_sec;
	}
	if (sec > last_sec)
		return NO_TIME;

	if (layout->ticks_per_sec > USECS_PER_SEC)
		usec = ((tick + 1) * USECS_PER_SEC - 1) / layout->ticks_per_sec;
	else
		usec = (tick * USECS_PER_SEC + layout->ticks_per_sec - 1) /
			layout->ticks_per_sec;
	return sec * USECS_PER_SEC + usec;
}
