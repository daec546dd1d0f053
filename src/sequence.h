/*
 * sequence.h
 *	  What follows the timestamp in a UUID, so that a backend's UUIDs of one
 *	  layout are strictly increasing.
 *
 * 1. A tick later than the last starts a sequence, at zero (v6: counts on).
 *    In the same tick, or when the clock went back, the last tick is kept and
 *    the sequence counts.
 * 2. The sequence never rolls over.  At its maximum it stays, and the node's
 *    first bits below the prefix count instead, from zero: the overflow.
 * 3. When these are used up too, and only then, the last tick moves on by one.
 *
 * The overflow is long enough that the time does not run ahead of the clock
 * (overflow_bits in layout.h), but never more than half of what the prefix
 * leaves: the rest tells the UUIDs of two backends apart.
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

/* A tick of a layout: seconds since 1970 and the ticks of the next one. */
typedef struct Tick
{
	int64		sec;
	uint32		subsec;			/* 0 to ticks_per_sec - 1 */
} Tick;

/* What takes the top of the node: a machine id, the caller's node, nothing. */
typedef struct NodePrefix
{
	uint64		value;
	int			nbits;
} NodePrefix;

/* What a backend remembers of a layout between two UUIDs. */
typedef struct SequenceState
{
	bool		started;
	Tick		last_tick;		/* never goes back */
	Tick		epoch;			/* that the timestamp counts from */
	UuidPayload time_bits;		/* of last_tick */
	uint32		sequence;

	/* While the sequence is at its maximum: */
	uint64		overflow;		/* the count in the bits below the prefix */
	NodePrefix	prefix;			/* that stands above them */
} SequenceState;

static inline bool
tick_after(Tick a, Tick b)
{
	return a.sec > b.sec || (a.sec == b.sec && a.subsec > b.subsec);
}

static inline bool
tick_equal(Tick a, Tick b)
{
	return a.sec == b.sec && a.subsec == b.subsec;
}

static inline Tick
tick_successor(const UuidLayout *layout, Tick tick)
{
	if (++tick.subsec == layout->ticks_per_sec)
	{
		tick.subsec = 0;
		tick.sec++;
	}
	return tick;
}

/*
 * epoch_tick - an epoch, TimestampTz, as a tick, rounded up: a generated UUID is
 * never ahead of the clock, and an epoch of whole ticks is exact.
 */
static inline Tick
epoch_tick(const UuidLayout *layout, int64 epoch)
{
	Tick		tick = {layout->epoch, 0};
	int64		second;
	int64		usec;

	if (likely(epoch == layout_epoch(layout)))
		return tick;

	second = epoch / USECS_PER_SEC;
	usec = epoch % USECS_PER_SEC;
	if (usec < 0)
	{
		second--;
		usec += USECS_PER_SEC;
	}
	tick.sec = second + EPOCH_POSTGRES;
	if (usec > 0)
	{
		/* the tick after the one that the nanosecond before is in */
		tick.subsec = layout->ticks(usec * NSECS_PER_USEC - 1);
		tick = tick_successor(layout, tick);
	}
	return tick;
}

/*
 * encode_tick - the timestamp bits of a tick, counted from an epoch.
 *
 * Returns false if the layout can't hold it.
 */
static inline bool
encode_tick(const UuidLayout *layout, Tick tick, Tick epoch, UuidPayload *time_bits)
{
	int64		sec = tick.sec - epoch.sec;

	if (tick.subsec < epoch.subsec)
	{
		tick.subsec += layout->ticks_per_sec;
		sec--;
	}
	if (sec < 0 || (uint64) sec > (layout->span_usecs - 1) / USECS_PER_SEC)
		return false;
	*time_bits = layout->encode(sec, tick.subsec - epoch.subsec);

	/* a span may end within a second, where the timestamp's bits do */
	return time_bits->hi <= low_bits(UUID_HI_BITS);
}

/* How many of the node's bits may count when the sequence is used up. */
static inline int
usable_overflow_bits(const UuidLayout *layout, NodePrefix prefix)
{
	return Min(layout->overflow_bits, (layout->node_bits - prefix.nbits) / 2);
}

static inline bool
sequence_is_used_up(const UuidLayout *layout, const SequenceState *state)
{
	return state->sequence == low_bits(layout->sequence_bits);
}

/*
 * Can the last tick hold another UUID?  Not if the prefix changed while the
 * bits below it count.
 */
static inline bool
tick_has_room(const UuidLayout *layout, const SequenceState *state, NodePrefix prefix)
{
	return !sequence_is_used_up(layout, state) ||
		(prefix.value == state->prefix.value &&
		 prefix.nbits == state->prefix.nbits &&
		 state->overflow < low_bits(usable_overflow_bits(layout, prefix)));
}

/* Counts on in the last tick, or starts another one. */
static inline void
sequence_count(const UuidLayout *layout, SequenceState *state, bool new_tick,
			   NodePrefix prefix)
{
	if (new_tick && !layout->sequence_continues)
		state->sequence = 0;
	else if (new_tick)
		state->sequence = (state->sequence + 1) & low_bits(layout->sequence_bits);
	else if (!sequence_is_used_up(layout, state))
		state->sequence++;
	else
	{
		state->overflow++;
		return;
	}

	if (unlikely(sequence_is_used_up(layout, state)))
	{
		state->overflow = 0;
		state->prefix = prefix;
	}
}

/* Timestamp, sequence and node as one payload. */
static inline UuidPayload
join_fields(const UuidLayout *layout, UuidPayload time_bits, uint64 sequence,
			uint64 node)
{
	UuidPayload payload = time_bits;

	/* draft 4.4.3, 4.5.3: a node must not be all zeros */
	payload.lo |= node | (node == 0);
	payload.hi |= sequence >> (UUID_LO_BITS - layout->node_bits);
	payload.lo |= sequence << layout->node_bits & low_bits(UUID_LO_BITS);
	return payload;
}

/* payload_sequence - the sequence in a UUID of a layout. */
static inline uint32
payload_sequence(const UuidLayout *layout, UuidPayload payload)
{
	uint64		bits = payload.hi << (UUID_LO_BITS - layout->node_bits) |
		payload.lo >> layout->node_bits;

	return bits & low_bits(layout->sequence_bits);
}

/*
 * sequence_next - the next UUID of a layout, greater than all before it that
 * were made with the state.
 *
 * now and epoch count from 1970; random has 64 random bits.  Returns false if
 * the layout can't hold the time.
 */
static inline bool
sequence_next(const UuidLayout *layout, SequenceState *state, Tick epoch, Tick now,
			  NodePrefix prefix, uint64 random, UuidPayload *payload)
{
	Tick		tick = now;
	bool		new_tick = true;
	int			free_bits = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free_bits;

	if (likely(state->started) && !tick_after(now, state->last_tick))
	{
		new_tick = !tick_has_room(layout, state, prefix);
		tick = new_tick ? tick_successor(layout, state->last_tick) : state->last_tick;
	}

	if (new_tick || unlikely(!tick_equal(epoch, state->epoch)))
	{
		UuidPayload time_bits;

		/* a time that is refused leaves everything as it was */
		if (unlikely(!encode_tick(layout, tick, epoch, &time_bits)))
			return false;
		state->last_tick = tick;
		state->epoch = epoch;
		state->time_bits = time_bits;
	}
	if (unlikely(!state->started))
	{
		/* v6 starts at random, with bits that its node does not use */
		state->sequence = random >> (64 - layout->sequence_bits);
		state->started = true;
	}
	sequence_count(layout, state, new_tick, prefix);

	if (unlikely(sequence_is_used_up(layout, state)))
	{
		free_bits -= usable_overflow_bits(layout, prefix);
		node |= state->overflow << free_bits;
	}
	node |= random & low_bits(free_bits);

	*payload = join_fields(layout, state->time_bits, state->sequence, node);
	return true;
}

/*
 * sequence_random - a UUID for a given time: the sequence is random too.
 *
 * The state is neither read nor changed.
 */
static inline UuidPayload
sequence_random(const UuidLayout *layout, UuidPayload time_bits, NodePrefix prefix,
				uint64 random, uint64 more_random)
{
	int			free_bits = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free_bits | (random & low_bits(free_bits));

	return join_fields(layout, time_bits,
					   more_random & low_bits(layout->sequence_bits), node);
}

#endif							/* UUIDNEW_SEQUENCE_H */
