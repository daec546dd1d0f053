/*
 * generate.h
 *	  New UUIDs: random bits, clock and sequence, in this order.
 */
#ifndef UUIDNEW_GENERATE_H
#define UUIDNEW_GENERATE_H

#include "generate/clock.h"
#include "generate/entropy.h"
#include "generate/machine_id.h"
#include "generate/states.h"

/* tick_of, tick_now - the tick of a time, or of the clock. */
static inline Tick
tick_of(const UuidLayout *layout, ClockTime time)
{
	return (Tick) {time.sec, layout_ticks(layout, time.nsec)};
}

static inline Tick
tick_now(const UuidLayout *layout)
{
	return tick_of(layout, clock_now());
}

/*
 * generate_next - the next UUID of a layout and epoch, whose state is
 * given; false if the layout can't hold the time.
 */
static pg_always_inline bool
generate_next(const UuidLayout *layout, SequenceState *state, Tick epoch,
			  NodePrefix prefix, pg_uuid_t *uuid)
{
	uint64		random;
	Tick		now;
	UuidPayload payload;

	/* first, because here a new process forgets its parent's states */
	random = entropy_uint64();
	now = tick_now(layout);
	if (unlikely(!sequence_next(layout, state, epoch, now, prefix, random,
								&payload)))
		return false;
	uuid_pack(payload, layout->version, uuid);
	return true;
}

#endif							/* UUIDNEW_GENERATE_H */
