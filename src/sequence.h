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
 * The timestamp bits of a tick, counted from an epoch.  Returns false if the
 * layout can't hold it.
 */
static inline bool
stamp_tick(const UuidLayout *layout, Tick tick, Tick epoch, UuidPayload *stamp)
{
	int64		sec = tick.sec - epoch.sec;

	if (tick.units < epoch.units)
	{
		tick.units += layout->units_per_sec;
		sec--;
	}
	if (sec < 0 || (uint64) sec > (layout->span - 1) / USECS_PER_SEC)
		return false;
	*stamp = layout->encode(sec, tick.units - epoch.units);

	/* a span may end within a second, where the timestamp's bits do */
	return stamp->hi <= low_bits(UUID_HI_BITS);
}

/* How many of the node's bits may count when the sequence is used up. */
static inline int
lent_bits(const UuidLayout *layout, NodePrefix prefix)
{
	return Min(layout->overflow_bits, (layout->node_bits - prefix.nbits) / 2);
}

static inline bool
is_used_up(const UuidLayout *layout, const SequenceState *state)
{
	return state->sequence == low_bits(layout->sequence_bits);
}

/*
 * Can the last tick hold another UUID?  Not if the prefix changed while the
 * bits below it count.
 */
static inline bool
has_room(const UuidLayout *layout, const SequenceState *state, NodePrefix prefix)
{
	return !is_used_up(layout, state) ||
		(prefix.value == state->prefix.value &&
		 prefix.nbits == state->prefix.nbits &&
		 state->overflow < low_bits(lent_bits(layout, prefix)));
}

/* Count on in the last tick, or start another one. */
static inline void
count(const UuidLayout *layout, SequenceState *state, bool new_tick,
	  NodePrefix prefix)
{
	if (new_tick && !layout->sequence_continues)
		state->sequence = 0;
	else if (new_tick)
		state->sequence = (state->sequence + 1) & low_bits(layout->sequence_bits);
	else if (!is_used_up(layout, state))
		state->sequence++;
	else
	{
		state->overflow++;
		return;
	}

	if (unlikely(is_used_up(layout, state)))
	{
		state->overflow = 0;
		state->prefix = prefix;
	}
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

/* read_sequence - the sequence in a UUID of a layout. */
static inline uint32
read_sequence(const UuidLayout *layout, UuidPayload payload)
{
	uint64		bits = layout->node_bits == UUID_LO_BITS ? payload.hi :
		payload.lo >> layout->node_bits;

	return bits & low_bits(layout->sequence_bits);
}

/*
 * sequence_next - the next UUID of a layout, greater than all before it.
 *
 * now and epoch count from 1970; random has 64 random bits.  Returns false if
 * the layout can't hold the time.
 */
static inline bool
sequence_next(const UuidLayout *layout, Tick epoch, Tick now,
			  NodePrefix prefix, uint64 random, UuidPayload *payload)
{
	SequenceState *state = layout->state;
	Tick		tick = now;
	bool		new_tick = true;
	int			free = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free;

	if (likely(state->started) && !tick_after(now, state->last))
	{
		new_tick = !has_room(layout, state, prefix);
		tick = new_tick ? tick_successor(layout, state->last) : state->last;
	}

	if (new_tick || unlikely(!tick_equal(epoch, state->epoch)))
	{
		UuidPayload stamp;

		/* a time that is refused leaves everything as it was */
		if (unlikely(!stamp_tick(layout, tick, epoch, &stamp)))
			return false;
		state->last = tick;
		state->epoch = epoch;
		state->stamp = stamp;
	}
	if (unlikely(!state->started))
	{
		/* v6 starts at random: bits of random that its node leaves */
		state->sequence = random >> (64 - layout->sequence_bits);
		state->started = true;
	}
	count(layout, state, new_tick, prefix);

	if (unlikely(is_used_up(layout, state)))
	{
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

	return assemble(layout, stamp,
					more_random & low_bits(layout->sequence_bits), node);
}

#endif							/* UUIDNEW_SEQUENCE_H */
