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
 * 4. While the clock is behind by whole seconds, sequence and overflow are one
 *	  count, which goes on by random steps.
 *
 * The overflow is long enough that the time does not run ahead of the clock
 * (overflow_bits in layout.h), but never more than half of what the prefix
 * leaves: the rest tells the UUIDs of two backends apart.
 *
 *	   timestamp | sequence | prefix |         random          |
 *	   timestamp | maximum  | prefix | overflow |    random    |
 *
 * Rule 4 is for sessions that stay in the same ticks for long.  If each
 * counted by one, two of them would have every count in common.  The steps are
 * such that the rest of a tick holds as many UUIDs as by rules 1 and 2.
 *
 * Pure, and inline because every UUID comes through here.
 */
#ifndef UUIDNEW_SEQUENCE_H
#define UUIDNEW_SEQUENCE_H

#include "compat.h"
#include "keys/layout.h"

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
	bool		is_own;			/* the caller's */
} NodePrefix;

/*
 * What a backend remembers of a layout and epoch between two UUIDs.
 *
 * What each UUID needs comes first: with a lock before it (order/order.h)
 * it fills one cache line.
 */
typedef struct SequenceState
{
	bool		started;
	bool		overflowing;	/* see below; never false at the maximum */
	uint32		sequence;
	Tick		last_tick;		/* never goes back */
	UuidPayload time_bits;		/* of last_tick */
	Tick		epoch;			/* that the timestamp counts from */

	/* While the sequence is at its maximum, or the clock was set back: */
	uint64		overflow;		/* the count in the bits below the prefix */
	NodePrefix	prefix;			/* that stands above them */
	uint64		max_step;		/* by which they count; 0: by one */
} SequenceState;

/* A clock that is behind by less is being adjusted, not set back. */
#define SET_BACK_SECS	1

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
		tick.sec += Max(layout->secs_per_tick, 1);
	}
	return tick;
}

/* seconds_of - the seconds since 1970 and microseconds of a TimestampTz. */
static inline int64
seconds_of(int64 time, int64 *usec)
{
	int64		second = time / USECS_PER_SEC;

	*usec = time % USECS_PER_SEC;
	if (*usec < 0)
	{
		second--;
		*usec += USECS_PER_SEC;
	}
	return second + EPOCH_POSTGRES;
}

/* tick_at_time - the tick of a TimestampTz and nanoseconds below it. */
static inline Tick
tick_at_time(const UuidLayout *layout, int64 time, uint32 nanoseconds)
{
	int64		usec;
	int64		sec = seconds_of(time, &usec);

	return (Tick)
	{
		sec, layout_ticks(layout,
						  usec * NSECS_PER_USEC + nanoseconds)
	};
}

/*
 * epoch_tick - an epoch, TimestampTz, as a tick, rounded up: a generated UUID
 * is never ahead of the clock, and an epoch of whole ticks is exact.  Ticks of
 * several seconds begin with the epoch's, so that one is rounded to a second
 * only.
 */
static inline Tick
epoch_tick(const UuidLayout *layout, int64 epoch)
{
	Tick		tick = {layout->epoch, 0};
	int64		usec;

	if (likely(epoch == layout_epoch(layout)))
		return tick;

	tick.sec = seconds_of(epoch, &usec);
	if (usec > 0)
	{
		/* the tick after the one that the nanosecond before is in */
		tick.subsec = layout_ticks(layout, usec * NSECS_PER_USEC - 1);
		if (unlikely(layout->secs_per_tick > 1))
			return (Tick) {tick.sec + 1, 0};
		tick = tick_successor(layout, tick);
	}
	return tick;
}

/* tick_timestamp - where a tick begins, truncated to a microsecond. */
static inline int64
tick_timestamp(const UuidLayout *layout, Tick tick)
{
	return (tick.sec - EPOCH_POSTGRES) * USECS_PER_SEC +
		(int64) tick.subsec * USECS_PER_SEC / layout->ticks_per_sec;
}

/*
 * encode_tick - the timestamp bits of a tick, counted from an epoch.
 *
 * Returns false if the layout can't hold it.
 */
static inline bool
encode_tick(const UuidLayout *layout, Tick tick, Tick epoch,
			UuidPayload *time_bits)
{
	int64		sec = tick.sec - epoch.sec;

	if (tick.subsec < epoch.subsec)
	{
		tick.subsec += layout->ticks_per_sec;
		sec--;
	}
	if (sec < 0)
		return false;
	if (unlikely((uint64) sec > (layout->span_usecs - 1) / USECS_PER_SEC))
	{
		/* the own epoch stands for the era of the clock */
		if (layout->era_secs == 0 || epoch.sec != layout->epoch)
			return false;
		sec %= layout->era_secs;
	}
	*time_bits = layout->encode(layout, sec, tick.subsec - epoch.subsec);

	/* a range may begin and end within a second */
	return layout_in_range(layout, *time_bits);
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

static inline bool
prefix_is_kept(const SequenceState *state, NodePrefix prefix)
{
	return prefix.value == state->prefix.value &&
		prefix.nbits == state->prefix.nbits;
}

/*
 * Can the last tick hold another UUID?  Not if the prefix changed while the
 * bits below it count.
 */
static inline bool
tick_has_room(const UuidLayout *layout, const SequenceState *state,
			  NodePrefix prefix)
{
	return likely(!state->overflowing) ||
		!sequence_is_used_up(layout, state) ||
		(prefix_is_kept(state, prefix) &&
		 state->overflow < low_bits(usable_overflow_bits(layout,
														 prefix)));
}

/* Counts on in the last tick, or starts another one. */
static inline void
sequence_count(const UuidLayout *layout, SequenceState *state, bool new_tick,
			   NodePrefix prefix, uint64 random)
{
	if (unlikely(!state->started))
	{
		/* v6 starts at random, with bits that its node does not use */
		state->sequence = random >> (64 - layout->sequence_bits);
		state->started = true;
	}
	if (new_tick && !layout->sequence_continues)
		state->sequence = 0;
	else if (new_tick)
		state->sequence =
			(state->sequence + 1) & low_bits(layout->sequence_bits);
	else if (likely(!state->overflowing) ||
			 !sequence_is_used_up(layout, state))
		state->sequence++;
	else
	{
		state->overflow++;
		return;
	}

	if (unlikely(state->overflowing))
	{
		state->overflowing = false;
		state->max_step = 0;
	}
	if (unlikely(sequence_is_used_up(layout, state)))
	{
		state->overflowing = true;
		state->overflow = 0;
		state->prefix = prefix;
	}
}

/*
 * Rule 4: a random step in the last tick.  Returns false if that leads out of
 * it.  random has at least two bits more than may count in the node.
 */
static inline bool
sequence_step(const UuidLayout *layout, SequenceState *state,
			  NodePrefix prefix, uint64 random)
{
	int			bits = usable_overflow_bits(layout, prefix);
	uint64		sequences = low_bits(layout->sequence_bits) - state->sequence;
	uint64		end = UINT64CONST(1) << (layout->sequence_bits + bits);
	uint64		count;

	if (state->overflowing && prefix_is_kept(state, prefix))
		count = ((uint64) state->sequence << bits | state->overflow) + 1;
	else
	{
		count = ((uint64) state->sequence + 1) << bits;
		state->max_step = 0;
	}

	if (state->max_step == 0)
	{
		/* one less in the mean: the last step leads out of the tick */
		uint64		uuids = sequences + (UINT64CONST(1) << bits);
		uint64		mean = (sequences << bits) / uuids;

		state->max_step = 2 * Max(mean, 2) - 3;
	}
	count += random % state->max_step;
	if (count >= end)
	{
		/* v6 goes on after the last sequence, not after this one */
		state->sequence = low_bits(layout->sequence_bits);
		return false;
	}

	state->sequence = count >> bits;
	state->overflow = count & low_bits(bits);
	state->prefix = prefix;
	state->overflowing = true;
	return true;
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

/* Makes a tick the last.  A time that is refused leaves it as it was. */
static inline bool
enter_tick(const UuidLayout *layout, SequenceState *state, Tick epoch,
		   Tick tick)
{
	UuidPayload time_bits;

	if (unlikely(!encode_tick(layout, tick, epoch, &time_bits)))
		return false;
	state->last_tick = tick;
	state->epoch = epoch;
	state->time_bits = time_bits;
	return true;
}

/* The UUID that the state has counted to. */
static inline UuidPayload
counted_payload(const UuidLayout *layout, const SequenceState *state,
				bool overflowing, NodePrefix prefix, uint64 random)
{
	int			free_bits = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free_bits;

	if (unlikely(overflowing))
	{
		free_bits -= usable_overflow_bits(layout, prefix);
		node |= state->overflow << free_bits;
	}
	node |= random & low_bits(free_bits);
	return join_fields(layout, state->time_bits, state->sequence, node);
}

/* sequence_next() by rule 4; no part of the path that every UUID takes. */
pg_attribute_unused()
static pg_noinline bool
sequence_next_set_back(const UuidLayout *layout, SequenceState *state,
					   Tick epoch, NodePrefix prefix, uint64 random,
					   UuidPayload *payload)
{
	int			free_bits = layout->node_bits - prefix.nbits -
		usable_overflow_bits(layout, prefix);
	bool		stays =
		sequence_step(layout, state, prefix, random >> free_bits);
	Tick		tick = stays ? state->last_tick :
		tick_successor(layout, state->last_tick);

	if ((!stays || !tick_equal(epoch, state->epoch)) &&
		!enter_tick(layout, state, epoch, tick))
		return false;
	if (!stays)
		sequence_count(layout, state, true, prefix, random);
	*payload = counted_payload(layout, state, state->overflowing, prefix,
							   random);
	return true;
}

/*
 * sequence_next - the next UUID of a layout, greater than all before it that
 * were made with the state.
 *
 * now and epoch count from 1970; random has 64 random bits.  Returns false if
 * the layout can't hold the time.
 */
static pg_always_inline bool
sequence_next(const UuidLayout *layout, SequenceState *state, Tick epoch,
			  Tick now, NodePrefix prefix, uint64 random, UuidPayload *payload)
{
	Tick		tick;
	bool		new_tick = true;

	/* the first second of a tick of several, which count from the epoch */
	if (unlikely(layout->secs_per_tick > 1) && now.sec > epoch.sec)
		now.sec -= (now.sec - epoch.sec) % layout->secs_per_tick;
	tick = now;
	if (likely(state->started) && !tick_after(now, state->last_tick))
	{
		if (unlikely(state->last_tick.sec - now.sec > SET_BACK_SECS))
			return sequence_next_set_back(layout, state, epoch, prefix, random,
										  payload);
		new_tick = !tick_has_room(layout, state, prefix);
		tick = new_tick ? tick_successor(layout, state->last_tick) :
			state->last_tick;
	}

	if (new_tick || unlikely(!tick_equal(epoch, state->epoch)))
	{
		if (unlikely(!enter_tick(layout, state, epoch, tick)))
			return false;
	}
	sequence_count(layout, state, new_tick, prefix, random);
	*payload = counted_payload(layout, state,
							   sequence_is_used_up(layout, state),
							   prefix, random);
	return true;
}

/*
 * sequence_random - a UUID for a given time: the sequence is random too.
 *
 * The state is neither read nor changed.
 */
static inline UuidPayload
sequence_random(const UuidLayout *layout, UuidPayload time_bits,
				NodePrefix prefix, uint64 random, uint64 more_random)
{
	int			free_bits = layout->node_bits - prefix.nbits;
	uint64		node =
		prefix.value << free_bits | (random & low_bits(free_bits));

	return join_fields(layout, time_bits,
					   more_random & low_bits(layout->sequence_bits), node);
}

/*
 * sequence_numbered - UUID number 0, 1, ... of a given time: each is greater
 * than the one before.
 *
 * From where the sequence is used up, half of the bits below the prefix count.
 * Returns false for a number that is too large, and sets *last to the largest.
 */
static inline bool
sequence_numbered(const UuidLayout *layout, UuidPayload time_bits,
				  NodePrefix prefix, uint64 number, uint64 random,
				  uint64 *last, UuidPayload *payload)
{
	uint64		sequence = low_bits(layout->sequence_bits);
	int			free_bits = layout->node_bits - prefix.nbits;
	int			overflow_bits = free_bits / 2;
	uint64		node = prefix.value << free_bits;

	*last = sequence + low_bits(overflow_bits);
	if (number > *last)
		return false;
	if (number < sequence)
		sequence = number;
	else
	{
		free_bits -= overflow_bits;
		node |= (number - sequence) << free_bits;
	}
	node |= random & low_bits(free_bits);
	*payload = join_fields(layout, time_bits, sequence, node);
	return true;
}

#endif							/* UUIDNEW_SEQUENCE_H */
