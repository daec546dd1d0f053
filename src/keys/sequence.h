/*
 * sequence.h
 *	  The bits after the timestamp: UUIDs that a session generates in one
 *	  layout are strictly increasing.
 *
 * 1. A later tick than the last starts a sequence, at zero (version 6 counts
 *    on).  In the same tick, or if the clock went back, the last tick is kept
 *    and the sequence counts.
 * 2. The sequence never rolls over.  Once it is at its maximum, the first bits
 *    of the node below the prefix, the overflow, count from zero.
 * 3. Only if the overflow is used up, the last tick moves on by one.
 * 4. While the clock is more than a second behind the last tick, sequence and
 *	  overflow are one count, which grows by random steps: only in a session's
 *	  own order, because the server's has no two counts alike.
 *
 *	   timestamp | sequence | prefix |         random          |
 *	   timestamp | maximum  | prefix | overflow |    random    |
 *
 * The overflow (overflow_bits in layout.h) is at most half of the bits below
 * the prefix, because the other half distinguishes sessions.
 *
 * While the clock is behind, many sessions stay in the same ticks.  If each
 * counted by one, only random bits would tell their UUIDs apart; hence rule 4.
 * A tick still holds as many UUIDs as by rules 1 and 2.
 *
 * Pure, and inline because every UUID comes through here.
 */
#ifndef UUIDNEW_SEQUENCE_H
#define UUIDNEW_SEQUENCE_H

#include "compat.h"
#include "keys/tick.h"

/* The fixed leading bits of a node: machine id, caller's node, or none. */
typedef struct NodePrefix
{
	uint64		value;
	int			nbits;
	bool		is_own;			/* the caller's */
} NodePrefix;

/* What counts: in one session, or in the whole server (order/order.h). */
typedef struct SequenceCounter
{
	bool		started;
	bool		overflowing;	/* overflow and prefix are in use: the
								 * sequence is full, or rule 4 applies */
	uint32		sequence;
	Tick		last_tick;		/* never goes back */
	uint64		overflow;		/* the count in the bits below the prefix */
	NodePrefix	prefix;			/* above these bits */
	uint64		max_step;		/* of rule 4; 0: not computed yet */
} SequenceCounter;

/* What a session remembers of a layout and epoch between two UUIDs. */
typedef struct SequenceState
{
	SequenceCounter counter;
	Tick		epoch;			/* the timestamp counts from it */
	UuidPayload time_bits;		/* of the counter's last tick */
} SequenceState;

/* The tick of the next UUID: see sequence_tick(). */
typedef struct NextTick
{
	Tick		tick;
	bool		is_new;			/* it starts a sequence */
	bool		set_back;		/* rule 4 applies */
} NextTick;

/* Smaller backward steps are treated as clock slewing. */
#define MAX_SLEW_SECS	1

/* How many bits of the node may count. */
static inline int
usable_overflow_bits(const UuidLayout *layout, NodePrefix prefix)
{
	return Min(layout->overflow_bits, (layout->node_bits - prefix.nbits) / 2);
}

static inline bool
sequence_is_used_up(const UuidLayout *layout, const SequenceCounter *counter)
{
	return counter->sequence == low_bits(layout->sequence_bits);
}

static inline bool
prefix_is_kept(const SequenceCounter *counter, NodePrefix prefix)
{
	return prefix.value == counter->prefix.value &&
		prefix.nbits == counter->prefix.nbits;
}

/* No more if the sequence is full and the prefix below it changed */
static inline bool
tick_has_room(const UuidLayout *layout, const SequenceCounter *counter,
			  NodePrefix prefix)
{
	return likely(!counter->overflowing) ||
		!sequence_is_used_up(layout, counter) ||
		(prefix_is_kept(counter, prefix) &&
		 counter->overflow < low_bits(usable_overflow_bits(layout,
														   prefix)));
}

/*
 * sequence_tick - the tick of the next UUID by rules 1 to 3, when the clock
 * shows now; and whether rule 4 applies.
 */
static pg_always_inline NextTick
sequence_tick(const UuidLayout *layout, const SequenceCounter *counter,
			  Tick now, NodePrefix prefix)
{
	NextTick	next = {now, true, false};

	if (likely(counter->started) && !tick_after(now, counter->last_tick))
	{
		next.set_back = counter->last_tick.sec - now.sec > MAX_SLEW_SECS;
		next.is_new = !tick_has_room(layout, counter, prefix);
		next.tick = next.is_new ?
			tick_successor(layout, counter->last_tick) : counter->last_tick;
	}
	return next;
}

/* sequence_count - counts on in the last tick, or starts a new one. */
static inline void
sequence_count(const UuidLayout *layout, SequenceCounter *counter,
			   NextTick next, NodePrefix prefix, uint64 random)
{
	if (unlikely(!counter->started))
	{
		/* version 6 starts at random, with bits that its node does not use */
		counter->sequence = random >> (64 - layout->sequence_bits);
		counter->started = true;
	}
	if (next.is_new)
		counter->last_tick = next.tick;
	if (next.is_new && !layout->sequence_continues)
		counter->sequence = 0;
	else if (next.is_new)
		counter->sequence =
			(counter->sequence + 1) & low_bits(layout->sequence_bits);
	else if (likely(!counter->overflowing) ||
			 !sequence_is_used_up(layout, counter))
		counter->sequence++;
	else
	{
		counter->overflow++;
		return;
	}

	if (unlikely(counter->overflowing))
	{
		counter->overflowing = false;
		counter->max_step = 0;
	}
	if (unlikely(sequence_is_used_up(layout, counter)))
	{
		counter->overflowing = true;
		counter->overflow = 0;
		counter->prefix = prefix;
	}
}

/*
 * Rule 4: a random step; false if it leads out of the last tick.  random has
 * at least two bits more than may count in the node.
 */
static inline bool
sequence_step(const UuidLayout *layout, SequenceCounter *counter,
			  NodePrefix prefix, uint64 random)
{
	int			bits = usable_overflow_bits(layout, prefix);
	uint64		sequences = low_bits(layout->sequence_bits) - counter->sequence;
	uint64		end = UINT64CONST(1) << (layout->sequence_bits + bits);
	uint64		count;

	if (counter->overflowing && prefix_is_kept(counter, prefix))
		count = ((uint64) counter->sequence << bits | counter->overflow) + 1;
	else
	{
		count = ((uint64) counter->sequence + 1) << bits;
		counter->max_step = 0;
	}

	if (counter->max_step == 0)
	{
		/* less than the mean, because the last step leaves the tick */
		uint64		uuids = sequences + (UINT64CONST(1) << bits);
		uint64		mean = (sequences << bits) / uuids;

		counter->max_step = 2 * Max(mean, 2) - 3;
	}
	count += random % counter->max_step;
	if (count >= end)
	{
		/* version 6 counts on from the maximum in the next tick */
		counter->sequence = low_bits(layout->sequence_bits);
		return false;
	}

	counter->sequence = count >> bits;
	counter->overflow = count & low_bits(bits);
	counter->prefix = prefix;
	counter->overflowing = true;
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

/* counted_payload - the UUID of a counter and its tick's timestamp bits. */
static inline UuidPayload
counted_payload(const UuidLayout *layout, const SequenceCounter *counter,
				bool overflowing, UuidPayload time_bits, NodePrefix prefix,
				uint64 random)
{
	int			free_bits = layout->node_bits - prefix.nbits;
	uint64		node = prefix.value << free_bits;

	if (unlikely(overflowing))
	{
		free_bits -= usable_overflow_bits(layout, prefix);
		node |= counter->overflow << free_bits;
	}
	node |= random & low_bits(free_bits);
	return join_fields(layout, time_bits, counter->sequence, node);
}

/* Sets the timestamp bits, unless the layout can't hold the tick. */
static inline bool
encode_state(const UuidLayout *layout, SequenceState *state, Tick epoch,
			 Tick tick)
{
	UuidPayload time_bits;

	if (unlikely(!encode_tick(layout, tick, epoch, &time_bits)))
		return false;
	state->epoch = epoch;
	state->time_bits = time_bits;
	return true;
}

/* sequence_next() by rule 4 */
pg_attribute_unused()
static pg_noinline bool
sequence_next_set_back(const UuidLayout *layout, SequenceState *state,
					   Tick epoch, NodePrefix prefix, uint64 random,
					   UuidPayload *payload)
{
	SequenceCounter *counter = &state->counter;
	int			free_bits = layout->node_bits - prefix.nbits -
		usable_overflow_bits(layout, prefix);
	NextTick	next = {counter->last_tick, false, true};

	if (!sequence_step(layout, counter, prefix, random >> free_bits))
	{
		next.is_new = true;
		next.tick = tick_successor(layout, next.tick);
	}
	if ((next.is_new || !tick_equal(epoch, state->epoch)) &&
		!encode_state(layout, state, epoch, next.tick))
		return false;
	if (next.is_new)
		sequence_count(layout, counter, next, prefix, random);
	*payload = counted_payload(layout, counter, counter->overflowing,
							   state->time_bits, prefix, random);
	return true;
}

/*
 * sequence_next - the next UUID, greater than all before it from this state.
 * Returns false, and does not count, if the layout can't hold the time.
 */
static pg_always_inline bool
sequence_next(const UuidLayout *layout, SequenceState *state, Tick epoch,
			  Tick now, NodePrefix prefix, uint64 random, UuidPayload *payload)
{
	SequenceCounter *counter = &state->counter;
	NextTick	next;

	/* the first second of a longer tick */
	if (unlikely(layout->secs_per_tick > 1) && now.sec > epoch.sec)
		now.sec -= (now.sec - epoch.sec) % layout->secs_per_tick;
	next = sequence_tick(layout, counter, now, prefix);
	if (unlikely(next.set_back))
		return sequence_next_set_back(layout, state, epoch, prefix, random,
									  payload);

	if (next.is_new || unlikely(!tick_equal(epoch, state->epoch)))
	{
		if (unlikely(!encode_state(layout, state, epoch, next.tick)))
			return false;
	}
	sequence_count(layout, counter, next, prefix, random);
	*payload = counted_payload(layout, counter,
							   sequence_is_used_up(layout, counter),
							   state->time_bits, prefix, random);
	return true;
}

/* sequence_random - a UUID for a given time, with a random sequence. */
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
 * sequence_numbered - UUID number 0, 1, ... of a given time, in this order;
 * false for a number above *last, the largest.  When the sequence is used up,
 * half of the bits below the prefix count.
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
