/*
 * sequence.h
 *	  What follows the timestamp in a UUID, so that a backend's UUIDs of one
 *	  layout are strictly increasing.
 *
 * 1. A tick later than the last starts a sequence, at zero (v6: counts on).
 *    In the same tick, or when the clock went back, the last tick is kept and
 *    the sequence counts.
 * 2. The sequence never rolls over.  At its maximum it stays, and the node's
 *    first bits below the prefix count instead, from zero.
 * 3. When these are used up too, and only then, the last tick moves on by one.
 *
 * The lent bits are as many as 5 million UUIDs a second need and more, so that
 * the time does not run ahead of the clock; but never more than half of what
 * the prefix leaves, as the rest tells the UUIDs of two backends apart.
 *
 *	   timestamp | sequence | prefix |         random          |
 *	   timestamp | maximum  | prefix | overflow |    random    |
 *
 * Pure, and inline because every UUID comes through here: test/unit runs it
 * without a server.
 */
#ifndef UUIDNEW_SEQUENCE_H
#define UUIDNEW_SEQUENCE_H

#include "layout.h"

static inline bool
tick_after(Tick a, Tick b)
{
	return a.sec > b.sec || (a.sec == b.sec && a.units > b.units);
}

static inline bool
tick_equal(Tick a, Tick b)
{
	return a.sec == b.sec && a.units == b.units;
}

static inline Tick
tick_successor(const UuidLayout *layout, Tick tick)
{
	if (++tick.units == layout->units_per_sec)
	{
		tick.units = 0;
		tick.sec++;
	}
	return tick;
}

/*
 * Encode the last tick as counted from an epoch.  Returns false if the layout
 * can't hold it.
 */
static inline bool
stamp_last(const UuidLayout *layout, SequenceState *state, Tick epoch)
{
	int64		sec = state->last.sec - epoch.sec;
	uint32		units = state->last.units;

	if (units < epoch.units)
	{
		units += layout->units_per_sec;
		sec--;
	}
	units -= epoch.units;
	if (sec < 0 || (uint64) sec >= layout->span / USECS_PER_SEC)
		return false;
	state->stamp = layout->encode(sec, units);
	state->stamped = true;
	state->epoch = epoch;
	return true;
}

/* How many of the node's bits may count when the sequence is used up. */
static inline int
lent_bits(const UuidLayout *layout, NodePrefix prefix)
{
	return Min(layout->overflow_bits, (layout->node_bits - prefix.nbits) / 2);
}

static inline void
start_tick(const UuidLayout *layout, SequenceState *state, Tick tick)
{
	state->last = tick;
	state->stamped = false;
	state->lending = false;
	if (layout->sequence_continues)
		state->sequence = (state->sequence + 1) & low_bits(layout->sequence_bits);
	else
		state->sequence = 0;
}

/*
 * Count on in the last tick.  Returns false if it has no room for another
 * UUID, which is also when the prefix changed: it stands above the count.
 */
static inline bool
count_in_tick(const UuidLayout *layout, SequenceState *state, NodePrefix prefix)
{
	if (!state->lending)
		state->sequence++;
	else if (prefix.value == state->prefix.value &&
			 prefix.nbits == state->prefix.nbits &&
			 state->overflow < low_bits(lent_bits(layout, prefix)))
		state->overflow++;
	else
		return false;
	return true;
}

static inline UuidPayload
assemble(const UuidLayout *layout, UuidPayload stamp, uint64 sequence, uint64 node)
{
	/* draft 4.4.3, 4.5.3: a node must not be all zeros */
	stamp.lo |= node | (node == 0);
	if (layout->node_bits == UUID_LO_BITS)
		stamp.hi |= sequence;
	else
		stamp.lo |= sequence << layout->node_bits;
	return stamp;
}

/*
 * sequence_next - the next UUID of a layout, greater than all before it.
 *
 * now and epoch count from 1970.  random has at least 62 random bits.  Returns
 * false if the layout can't hold the time.
 */
static inline bool
sequence_next(const UuidLayout *layout, Tick epoch, Tick now,
			  NodePrefix prefix, uint64 random, UuidPayload *payload)
{
	SequenceState *state = layout->state;
	int			free = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free;

	if (unlikely(!state->started))
	{
		/* v6: at random in each backend, by bits that its node leaves */
		state->sequence = random >> (64 - layout->sequence_bits);
		start_tick(layout, state, now);
	}
	else if (tick_after(now, state->last))
		start_tick(layout, state, now);
	else if (unlikely(!count_in_tick(layout, state, prefix)))
		start_tick(layout, state, tick_successor(layout, state->last));
	state->started = true;

	if ((!state->stamped || unlikely(!tick_equal(epoch, state->epoch))) &&
		!stamp_last(layout, state, epoch))
		return false;

	if (unlikely(state->sequence == low_bits(layout->sequence_bits)))
	{
		if (!state->lending)
		{
			state->lending = true;
			state->overflow = 0;
			state->prefix = prefix;
		}
		free -= lent_bits(layout, prefix);
		node |= state->overflow << free;
	}
	node |= random & low_bits(free);

	*payload = assemble(layout, state->stamp, state->sequence, node);
	return true;
}

/*
 * sequence_random - a UUID for a given time: the sequence is random too.
 *
 * Takes no part in the state.
 */
static inline UuidPayload
sequence_random(const UuidLayout *layout, UuidPayload stamp, NodePrefix prefix,
				uint64 random, uint64 more_random)
{
	int			free = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free | (random & low_bits(free));

	return assemble(layout, stamp, more_random & low_bits(layout->sequence_bits), node);
}

#endif							/* UUIDNEW_SEQUENCE_H */
