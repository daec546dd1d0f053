/*
 * sequence_test.c
 *	  Unit tests of sequence.h: what one backend's UUIDs of a layout are like
 *	  one after the other, with a clock that the test sets.
 */
#include "postgres.h"

#include "keys/sequence.h"
#include "unit.h"

#define NOW_SEC		INT64CONST(1700000000)	/* 2023-11-14 22:13:20 UTC */

/*
 * Layouts whose ticks are longer than a second have a test of their own.
 * Sequences are counted through: of those given by numbers, not the longest
 * and shortest.
 */
#undef foreach_layout
#define foreach_layout(layout) \
	for (int layout##_n = 0; layout##_n >= 0; layout##_n = -1) \
		for (const UuidLayout *layout; \
			 (layout = nth_layout(layout##_n++)) != NULL;) \
			if (layout->secs_per_tick > 1 || layout->sequence_bits > 16 || \
				layout->sequence_bits < 4) \
				continue; \
			else

static const NodePrefix no_prefix = {0, 0, false};
static const NodePrefix machine = {0xBEEF, 16, false};

static Tick
own_epoch(const UuidLayout *layout)
{
	return (Tick) {layout->epoch, 0};
}

/* The state of a layout and its own epoch. */
static SequenceState *
state_at_own(const UuidLayout *layout)
{
	return uuidnew_state(layout, own_epoch(layout));
}

static Tick
last_tick_of(const UuidLayout *layout)
{
	return state_at_own(layout)->counter.last_tick;
}

static int
reset_all(void **state)
{
	uuidnew_forget_states();
	return 0;
}

static Tick
tick_at(const UuidLayout *layout, int64 sec, uint32 nsec)
{
	return (Tick) {sec, layout_ticks(layout, nsec)};
}

/* The fields of a payload, counted in bits from its end. */
static uint64
sequence_of(const UuidLayout *layout, UuidPayload payload)
{
	return (payload_wide(payload) >> layout->node_bits) &
		low_bits(layout->sequence_bits);
}

static Wide
stamp_of(const UuidLayout *layout, UuidPayload payload)
{
	return payload_wide(payload) >>
		(layout->node_bits + layout->sequence_bits);
}

static uint64
node_of(const UuidLayout *layout, UuidPayload payload)
{
	return payload.lo & low_bits(layout->node_bits);
}

static uint64
prefix_of(const UuidLayout *layout, UuidPayload payload, int nbits)
{
	return node_of(layout, payload) >> (layout->node_bits - nbits);
}

static uint64
sequence_max(const UuidLayout *layout)
{
	return low_bits(layout->sequence_bits);
}

/* How many bits the node lends, at most half of those below a prefix */
static int
lent(const UuidLayout *layout, NodePrefix prefix)
{
	int			half = (layout->node_bits - prefix.nbits) / 2;

	return half < layout->overflow_bits ? half : layout->overflow_bits;
}

/* The count in the bits below the prefix. */
static uint64
overflow_of(const UuidLayout *layout, UuidPayload payload, NodePrefix prefix)
{
	int			nbits = lent(layout, prefix);

	return node_of(layout, payload) >>
		(layout->node_bits - prefix.nbits - nbits) &
		low_bits(nbits);
}

/* The payload as text, for messages */
#define TEXT(payload)	payload_text(payload, layout->version)

/* Is the payload a UUID's of the version, as packed and read again? */
static void
check_payload(const UuidLayout *layout, UuidPayload payload, NodePrefix prefix)
{
	pg_uuid_t	uuid;
	UuidPayload again;

	uuid_pack(payload, layout->version, &uuid);
	again = uuid_unpack(&uuid);
	check_of(layout, again.hi == payload.hi && again.lo == payload.lo,
			 "%s is not what was packed", uuid_text(&uuid));
	check_of(layout, node_of(layout, payload) != 0, "%s has no node",
			 uuid_text(&uuid));
	check_of(layout, prefix_of(layout, payload, prefix.nbits) == prefix.value,
			 "%s lacks the prefix of %d bits, " UINT64_FORMAT,
			 uuid_text(&uuid), prefix.nbits, prefix.value);
}

static UuidPayload
next_of_epoch(const UuidLayout *layout, Tick epoch, Tick now,
			  NodePrefix prefix, uint64 random)
{
	UuidPayload payload;

	check_of(layout, sequence_next(layout, uuidnew_state(layout, epoch), epoch,
								   now, prefix, random, &payload),
			 INT64_FORMAT " s, %u ticks are out of range", now.sec,
			 now.subsec);
	check_payload(layout, payload, prefix);
	return payload;
}

static UuidPayload
next_with(const UuidLayout *layout, Tick now, NodePrefix prefix, uint64 random)
{
	return next_of_epoch(layout, own_epoch(layout), now, prefix, random);
}

static UuidPayload
next(const UuidLayout *layout, Tick now)
{
	return next_with(layout, now, no_prefix, unit_random());
}

/* Is there a UUID at this time? */
static bool
has_next(const UuidLayout *layout, Tick epoch, Tick now, UuidPayload *payload)
{
	return sequence_next(layout, uuidnew_state(layout, epoch), epoch, now,
						 no_prefix, unit_random(), payload);
}

static void
check_after(const UuidLayout *layout, UuidPayload a, UuidPayload b)
{
	check_of(layout, payload_wide(a) < payload_wide(b), "%s is not after %s",
			 TEXT(b), TEXT(a));
}

static Wide
expected_stamp(const UuidLayout *layout, Tick tick)
{
	return stamp_of(layout, layout->encode(layout, tick.sec - layout->epoch,
										   tick.subsec));
}

static void
check_stamp(const UuidLayout *layout, UuidPayload payload, Tick tick)
{
	check_of(layout,
			 stamp_of(layout, payload) == expected_stamp(layout, tick),
			 "%s is not of the tick " INT64_FORMAT " s, %u ticks",
			 TEXT(payload), tick.sec, tick.subsec);
}

static void
check_sequence(const UuidLayout *layout, UuidPayload payload, uint64 expected)
{
	check_of(layout, sequence_of(layout, payload) == expected,
			 "%s has the sequence " UINT64_FORMAT ", not " UINT64_FORMAT,
			 TEXT(payload), sequence_of(layout, payload), expected);
}

static Tick
successor(const UuidLayout *layout, Tick tick)
{
	tick.subsec++;
	if (tick.subsec >= layout->ticks_per_sec)
	{
		tick.subsec = 0;
		tick.sec++;
	}
	return tick;
}

/* The ticks between two, as the contract counts them. */
static Wide
ticks_since(const UuidLayout *layout, Tick epoch, Tick tick)
{
	return (Wide) (tick.sec - epoch.sec) * layout->ticks_per_sec +
		tick.subsec - epoch.subsec;
}

/* A backend that begins so that v6 has the sequence 0 as well. */
static UuidPayload
first_with_sequence_0(const UuidLayout *layout, Tick now, NodePrefix prefix)
{
	UuidPayload payload;

	uuidnew_forget_states();
	payload = next_with(layout, now, prefix, ~UINT64CONST(0));
	check_sequence(layout, payload, 0);
	return payload;
}

/*
 * Rule 1: a later tick starts a sequence, any other counts on.
 */

static void
clock_set_back_keeps_the_tick(void **state)
{
	foreach_layout(layout)
	{
		Tick		now = tick_at(layout, NOW_SEC, 500000000);

		/* one tick, the second before at a later fraction, far, very far */
		Tick		earlier[] = {
			now.subsec > 0 ? (Tick) {now.sec, now.subsec - 1} :
			(Tick) {now.sec - 1, layout->ticks_per_sec - 1},
			{now.sec - 1, layout->ticks_per_sec - 1},
			{now.sec - 86400, now.subsec}, {1, 0}, {-10000000000, 0}
		};
		UuidPayload payload = first_with_sequence_0(layout, now, no_prefix);
		uint64		sequence = 0;

		for (int i = 0; i < (int) lengthof(earlier); i++)
		{
			UuidPayload before = payload;

			payload = next(layout, earlier[i]);
			check_stamp(layout, payload, now);
			check_after(layout, before, payload);
			/* by more than a second: by steps, see below */
			if (i < 2)
				check_sequence(layout, payload, i + 1);
			check_of(layout, sequence_of(layout, payload) - sequence <= 2,
					 "%s has a far sequence", TEXT(payload));
			sequence = sequence_of(layout, payload);
		}

		/* and on, when the clock is there again */
		check_sequence(layout, next(layout, now), sequence + 1);
		now = successor(layout, now);
		payload = next(layout, now);
		check_stamp(layout, payload, now);
		check_sequence(layout, payload,
					   layout->version == 6 ? sequence + 2 : 0);
	}
}

/* Bits that the node does not use: see node_is_random. */
static void
v6_starts_at_random(void **state)
{
	const UuidLayout *v6 = find_layout("v6");
	const Tick	now = {NOW_SEC, 0};

	for (int i = 0; i < 4096; i++)
	{
		uint64		random = unit_random();

		uuidnew_forget_states();
		check_sequence(v6, next_with(v6, now, no_prefix, random),
					   ((random >> 50) + 1) & sequence_max(v6));
	}
}

static void
v6_continues_and_wraps_at_a_new_tick_only(void **state)
{
	const UuidLayout *layout = find_layout("v6");
	uint64		max = sequence_max(layout);
	Tick		now = tick_at(layout, NOW_SEC, 0);
	UuidPayload payload = first_with_sequence_0(layout, now, no_prefix);

	/* a UUID a tick: every sequence once, then the first again */
	for (uint64 i = 1; i <= 2 * (max + 1); i++)
	{
		UuidPayload before = payload;

		now = successor(layout, now);
		payload = next(layout, now);
		check_sequence(layout, payload, i & max);
		check_stamp(layout, payload, now);
		check_after(layout, before, payload);
	}

	/* a tick that begins at the maximum */
	state_at_own(layout)->counter.sequence = max - 1;
	now = successor(layout, now);
	for (uint64 i = 0; i < 2; i++)
	{
		payload = next(layout, now);
		check_sequence(layout, payload, max);
		check_of(layout, overflow_of(layout, payload, no_prefix) == i,
				 "overflow does not count");
	}
	check_sequence(layout, next(layout, successor(layout, now)), 0);
}

/*
 * Rules 2 and 3: capacity of a tick
 */

/* How many UUIDs a tick has room for. */
static uint64
room_of(const UuidLayout *layout, NodePrefix prefix)
{
	return sequence_max(layout) + (UINT64CONST(1) << lent(layout, prefix));
}

/*
 * Uses up a tick: sequences up to the maximum, there the counts of the lent
 * bits, and only then the next tick.
 */
static void
exhaust(const UuidLayout *layout, Tick now, NodePrefix prefix)
{
	uint64		max = sequence_max(layout);
	uint64		room = room_of(layout, prefix);
	Wide		stamp = expected_stamp(layout, now);
	UuidPayload payload = first_with_sequence_0(layout, now, prefix);
	Tick		later = successor(layout, now);

	for (uint64 i = 1; i < room; i++)
	{
		/* all bits one: the count is there in spite of it */
		uint64		random = i % 2 ? ~UINT64CONST(0) : unit_random();
		UuidPayload before = payload;

		payload = next_with(layout, now, prefix, random);
		check_sequence(layout, payload, Min(i, max));
		check_of(layout, stamp_of(layout, payload) == stamp,
				 "the tick moved on after " UINT64_FORMAT, i);
		check_of(layout,
				 i < max || overflow_of(layout, payload, prefix) == i - max,
				 "%s does not have the count " UINT64_FORMAT, TEXT(payload),
				 i - max);
		check_after(layout, before, payload);
	}

	/* by one tick, not by more, and from the beginning again */
	check_after(layout, payload, next_with(layout, now, prefix, 0));
	/* the clock is still behind, reaches that tick, and the one after it */
	for (int i = 1; i <= 3; i++)
	{
		Tick		expected = i < 3 ? later : successor(layout, later);

		payload = next_with(layout, i == 1 ? now : expected, prefix,
							unit_random());
		check_stamp(layout, payload, expected);
		check_sequence(layout, payload, i < 3 || layout->version == 6 ? i : 0);
	}
}

static void
tick_is_used_up_before_it_moves_on(void **state)
{
	const NodePrefix prefixes[] = {
		{0, 0, false}, {1, 1, false}, {0, 16, false}, {0xFFFF, 16, false},
		{0xDEADBEEF, 32, false}
	};

	foreach_layout(layout)
	{
		for (int i = 0; i < (int) lengthof(prefixes); i++)
		{
			if (lent(layout, prefixes[i]) <=
				(i == 0 && unit_divisor() == 1 ? 24 : 14))
				exhaust(layout, tick_at(layout, NOW_SEC, 999999999),
						prefixes[i]);
		}
	}
}

/* With a machine id, a third of that; a tick of version 6 may begin full. */
static void
a_second_has_room_for_fifteen_million(void **state)
{
	foreach_layout(layout)
	{
		uint64		full = layout->version == 6 ? sequence_max(layout) : 0;
		uint64		ticks = layout->ticks_per_sec;

		check_of(layout, (room_of(layout, no_prefix) - full) * ticks >=
				 15000000, "there is less room");
		check_of(layout, (room_of(layout, machine) - full) * ticks >= 5000000,
				 "there is less room beside a machine id");
	}
}

/*
 * A clock that was set back
 */

/* Timestamp, sequence and the bits of the node that may count. */
static Wide
counted_of(const UuidLayout *layout, UuidPayload payload, NodePrefix prefix)
{
	return payload_wide(payload) >> layout->node_bits << lent(layout, prefix) |
		overflow_of(layout, payload, prefix);
}

/*
 * Two sessions stay in the same ticks, because their clocks are set back.  If
 * they counted alike, only the rest of the node would distinguish their UUIDs.
 * They have as few counts in common as the UUIDs of a tick allow, as
 * doc/guarantees.md assumes.
 */
static void
check_set_back(const UuidLayout *layout, NodePrefix prefix)
{
	const Tick	now = {NOW_SEC, 0};
	uint64		count = rounds(200000);
	int			bits = layout->sequence_bits + lent(layout, prefix);
	double		ticks = (double) count / room_of(layout, prefix);
	double		expected = count * (double) room_of(layout, prefix) /
		(UINT64CONST(1) << bits);
	SequenceState states[2] = {{.counter.started = false}};
	Wide		counted[2] = {0};
	Wide		before[2] = {0};
	uint64		made[2] = {0};
	uint64		same = 0;
	int64		moved;

	while (made[0] < count && made[1] < count)
	{
		/* the session that is behind the other makes one */
		int			n = counted[0] <= counted[1] ? 0 : 1;
		Tick		shown = {made[n]++ == 0 ? NOW_SEC : NOW_SEC - 3600, 0};
		UuidPayload payload;

		assert_true(sequence_next(layout, &states[n], own_epoch(layout), shown,
								  prefix, unit_random(), &payload));
		check_of(layout, payload_wide(payload) > before[n],
				 "%s is not after the one before", TEXT(payload));
		check_payload(layout, payload, prefix);
		before[n] = payload_wide(payload);
		counted[n] = counted_of(layout, payload, prefix);
		same += counted[0] == counted[1];
	}
	check_of(layout, same < 1.3 * expected + 30,
			 "prefix of %d bits: of " UINT64_FORMAT " UUIDs, " UINT64_FORMAT
			 " count the same in another session, not %.0f", prefix.nbits,
			 count, same, expected);
	/* and the time does not move on any faster than if all were counted */
	moved = ticks_since(layout, now, states[0].counter.last_tick);
	check_of(layout, moved < 1.02 * ticks + 2,
			 "prefix of %d bits: the time is " INT64_FORMAT
			 " ticks ahead, not %.0f", prefix.nbits, moved, ticks);
}

static void
sessions_set_back_seldom_count_the_same(void **state)
{
	foreach_layout(layout)
	{
		check_set_back(layout, no_prefix);
		check_set_back(layout, machine);
	}
}

/*
 * What is left of a tick when the clock is set back is as much as if it had
 * not been, wherever the count stands, and with another prefix too.
 *
 * That is so in the mean of many steps: one tick may hold a tenth less.
 */
static void
check_rest_of_tick(const UuidLayout *layout, uint64 made, NodePrefix from,
				   NodePrefix to)
{
	const Tick	now = {NOW_SEC, 0};
	const Tick	back = {NOW_SEC - 3600, 0};
	bool		changed = from.nbits != to.nbits;
	uint64		left = 0;
	uint64		more = 0;
	int			ticks = 0;

	for (; left < 20000; ticks++)
	{
		UuidPayload payload = first_with_sequence_0(layout, now, from);

		/* from a prefix to another by way of steps, if there are any */
		for (uint64 i = 1; i < made; i++)
			payload = next_with(layout, changed && i > made / 2 ? back : now,
								from, unit_random());
		left += room_of(layout, to) -
			(changed ? sequence_of(layout, payload) + 1 : made);
		while (tick_equal(last_tick_of(layout), now))
		{
			UuidPayload before = payload;

			payload = next_with(layout, back, to, unit_random());
			check_after(layout, before, payload);
			more++;
		}
	}
	check_of(layout, more > 0.95 * left - 8 * ticks,
			 "prefix of %d bits: after " UINT64_FORMAT
			 " UUIDs %d ticks have room for " UINT64_FORMAT ", not for "
			 UINT64_FORMAT, to.nbits, made, ticks, more, left);
}

static void
setting_back_takes_no_room(void **state)
{
	foreach_layout(layout)
	{
		uint64		max = sequence_max(layout);
		const uint64 made[] = {1, 2, max / 2, max - 3, max, max + 1, max + 40};

		if (lent(layout, no_prefix) > (unit_divisor() == 1 ? 21 : 14))
			continue;
		for (int i = 0; i < (int) lengthof(made); i++)
		{
			check_rest_of_tick(layout, made[i], no_prefix, no_prefix);
			check_rest_of_tick(layout, made[i], machine, machine);
			if (made[i] < max)
				check_rest_of_tick(layout, made[i], no_prefix, machine);
		}
	}
}

/*
 * Rule 3 of the contract: always greater
 */

/* A clock that does what clocks do, and worse. */
static Tick
walk(const UuidLayout *layout, Tick now)
{
	int64		by;

	/* a clock before 1970 is refused while there is no last tick to keep */
	if (!state_at_own(layout)->counter.started)
		return now;
	switch (unit_random_below(16))
	{
		case 0:					/* some ticks on */
		case 1:
			for (int i = unit_random_below(4); i >= 0; i--)
				now = successor(layout, now);
			break;
		case 2:					/* somewhere in the same second */
			now.subsec = unit_random_below(layout->ticks_per_sec);
			break;
		case 3:					/* seconds on or back */
			now.sec += (int64) unit_random_below(5) - 2;
			break;
		case 4:					/* set, by hours or by decades */
			by = unit_random_below(2) ? 100000 : 400000000;
			if (unit_random_below(8) == 0)
				now.sec = NOW_SEC - by + unit_random_below(by + by / 2);
			break;
		case 5:					/* not set at all after a start */
			if (unit_random_below(100) == 0)
				now = (Tick) {unit_random_below(2) ? 0 : -1000000, 0};
			break;
		default:				/* stuck */
			break;
	}
	/* in the range of all layouts, until 2036 */
	now.sec = Min(now.sec, NOW_SEC + 380000000);
	return now;
}

static uint64
walk_random(void)
{
	switch (unit_random_below(8))
	{
		case 0:
			return 0;
		case 1:
			return ~UINT64CONST(0);
		default:
			return unit_random();
	}
}

/* As if many had been made in this tick: the count near its end. */
static void
use_up(const UuidLayout *layout, SequenceCounter *counter, NodePrefix prefix)
{
	uint64		left = unit_random_below(3);
	uint64		max = low_bits(lent(layout, prefix));

	/* a clock in whole seconds moves before it comes to both at once */
	if (!sequence_is_used_up(layout, counter) && unit_random_below(2))
	{
		counter->sequence = sequence_max(layout);
		counter->overflowing = true;
		counter->prefix = prefix;
		counter->overflow = 0;
	}
	if (!sequence_is_used_up(layout, counter))
		counter->sequence =
			Max(counter->sequence, sequence_max(layout) - 1 - left);
	else if (counter->prefix.nbits == prefix.nbits && max >= left)
		counter->overflow = Max(counter->overflow, max - left);
}

static NodePrefix
random_prefix(const UuidLayout *layout)
{
	/* machine ids, and nodes of version 8 */
	const int	widths[] = {0, 1, 16, 32, 48, 56};
	NodePrefix	prefix = {0, 0, false};

	prefix.nbits = widths[unit_random_below(layout->version == 8 ? 6 : 4)];
	if (prefix.nbits >= layout->node_bits)
		prefix.nbits = 48;
	prefix.value = walk_random() & low_bits(prefix.nbits);
	return prefix;
}

static void
random_walk(const UuidLayout *layout, bool changing, uint64 steps)
{
	NodePrefix	prefix = no_prefix;
	Tick		now = {NOW_SEC, 0};
	UuidPayload before = {0, 0};
	uint64		advanced = 0;
	uint64		overflowing = 0;

	uuidnew_forget_states();
	for (uint64 i = 0; i < steps; i++)
	{
		Tick		last = last_tick_of(layout);
		UuidPayload payload;

		now = walk(layout, now);
		if (i > 0 && unit_random_below(16) == 0)
			use_up(layout, &state_at_own(layout)->counter, prefix);
		if (changing && unit_random_below(16) == 0)
			prefix = random_prefix(layout);

		/* a call that is refused changes nothing */
		if (layout->custom_epoch && unit_random_below(4) == 0)
			check_of(layout, !sequence_next(layout, state_at_own(layout),
											(Tick) {NOW_SEC + 1000000000, 0},
											now, prefix, unit_random(),
											&payload),
					 "an epoch is not refused");
		payload = next_with(layout, now, prefix, walk_random());
		check_stamp(layout, payload, last_tick_of(layout));
		overflowing += sequence_of(layout, payload) == sequence_max(layout);
		if (i > 0)
		{
			/* the later of the clock and the last, or one tick after that */
			Tick		found = last_tick_of(layout);
			Tick		expected = tick_after(now, last) ? now : last;

			if (!tick_after(now, last) && !tick_equal(found, last))
			{
				expected = successor(layout, last);
				advanced++;
			}
			check_of(layout, tick_equal(found, expected),
					 "the last tick is " INT64_FORMAT " s, %u ticks",
					 found.sec, found.subsec);
			check_after(layout, before, payload);
		}
		before = payload;
	}

	/* the walk has been where it is meant to go */
	check_of(layout, steps < 10000 || (advanced > 0 && overflowing > 0),
			 "no tick was used up");
}

static void
always_greater(void **state)
{
	foreach_layout(layout)
	{
		random_walk(layout, false, rounds(200000));
		random_walk(layout, true, rounds(200000));
	}
}

/*
 * Node
 */

/* Below the prefix and the count, every bit is random. */
static void
node_is_random(void **state)
{
	foreach_layout(layout)
	{
		for (int i = 0; i < 200; i++)
		{
			NodePrefix	prefix = random_prefix(layout);
			Tick		now = tick_at(layout, NOW_SEC, 0);
			uint64		random = unit_random() | 1;

			(void) first_with_sequence_0(layout, now, prefix);
			for (int used_up = 0; used_up < 2; used_up++)
			{
				UuidPayload payload;
				int			fixed =
					prefix.nbits + (used_up ? lent(layout, prefix) : 0);

				if (used_up)
					state_at_own(layout)->counter.sequence =
						sequence_max(layout) - 1;
				payload = next_with(layout, now, prefix, random);
				check_of(layout, ((node_of(layout, payload) ^ random) &
								  low_bits(layout->node_bits - fixed)) == 0,
						 "%s is not random", TEXT(payload));
			}
		}
	}
}

static void
random_sequence_for_a_given_time(void **state)
{
	foreach_layout(layout)
	{
		for (uint64 i = 0; i < rounds(20000); i++)
		{
			Tick		tick =
				{NOW_SEC, unit_random_below(layout->ticks_per_sec)};
			UuidPayload time_bits =
				layout->encode(layout, tick.sec - layout->epoch, tick.subsec);
			NodePrefix	prefix = random_prefix(layout);
			uint64		random = walk_random();
			uint64		more = walk_random();
			UuidPayload payload =
				sequence_random(layout, time_bits, prefix, random, more);
			UuidPayload other =
				sequence_random(layout, time_bits, prefix, ~random, more);

			check_payload(layout, payload, prefix);
			check_stamp(layout, payload, tick);

			/* both are random, and of different bits */
			check_sequence(layout, payload, more & sequence_max(layout));
			check_sequence(layout, other, more & sequence_max(layout));
			check_of(layout,
					 node_of(layout, payload) != node_of(layout, other),
					 "the node is not random");
		}
	}
}

/* Each number's UUID is greater than the one before it, up to the last. */
static void
check_numbered(const UuidLayout *layout, NodePrefix prefix)
{
	const UuidPayload time_bits =
		layout->encode(layout, NOW_SEC - layout->epoch, 0);
	uint64		max = sequence_max(layout);
	uint64		last = 0;
	UuidPayload payload;

	check_of(layout, !sequence_numbered(layout, time_bits, prefix,
										PG_UINT64_MAX, 0, &last, &payload) &&
			 last == max + low_bits((layout->node_bits - prefix.nbits) / 2) &&
			 !sequence_numbered(layout, time_bits, prefix, last + 1, 0,
								&last, &payload),
			 "the last number is " UINT64_FORMAT, last);
	for (uint64 i = rounds(20000); i > 0; i--)
	{
		uint64		starts[] = {0, max, last, unit_random_below(last)};
		uint64		number = starts[i % 4] + unit_random_below(5) - 2;
		UuidPayload next = {0, 0};

		if (number >= last)
			continue;
		check_of(layout, sequence_numbered(layout, time_bits, prefix, number,
										   walk_random(), &last, &payload) &&
				 sequence_numbered(layout, time_bits, prefix, number + 1,
								   walk_random(), &last, &next),
				 "number " UINT64_FORMAT " is refused", number);
		check_payload(layout, payload, prefix);
		check_payload(layout, next, prefix);
		check_after(layout, payload, next);
		check_of(layout, stamp_of(layout, payload) ==
				 stamp_of(layout, time_bits), "%s has another time",
				 TEXT(payload));
		check_sequence(layout, payload, Min(number, max));
	}
}

static void
numbered_uuids_of_a_time(void **state)
{
	const UuidLayout *layout;

	for (int n = 0; (layout = nth_layout(n)) != NULL; n++)
	{
		check_numbered(layout, no_prefix);
		check_numbered(layout, machine);
		check_numbered(layout, (NodePrefix) {0, 16, false});
	}
}

/*
 * Epochs
 */

/* The bits of the timestamp that are always 0. */
static int
zeros_after_time(const UuidLayout *layout)
{
	if (layout->is_custom)
		return timestamp_width(layout) - layout->count_bits;
	return strcmp(layout->name, "unix32") == 0 ? 16 : 0;
}

/*
 * A clock that was in the future for a moment: the time is kept for the epoch
 * that was used then, and for no other.
 */
static void
epochs_have_times_of_their_own(void **state)
{
	const Tick	now = {NOW_SEC, 0};
	const Tick	future = {NOW_SEC + 1000, 0};

	foreach_layout(layout)
	{
		const Tick	epochs[] = {
			own_epoch(layout), {INT64CONST(1577836800), 0}, /* 2020 */
			{INT64CONST(1577836800), 1 % layout->ticks_per_sec},
			{INT64CONST(1577836799), layout->ticks_per_sec - 1},
			{-INT64CONST(1000000000), layout->ticks_per_sec / 3}
		};

		if (!layout->custom_epoch)
			continue;
		for (int used = 0; used < (int) lengthof(epochs); used++)
		{
			uuidnew_forget_states();
			(void) next_of_epoch(layout, epochs[used], future, no_prefix, 0);
			for (int i = 0; i < (int) lengthof(epochs); i++)
			{
				/* where a tick is a second, two of the epochs are equal */
				Tick		expected =
					tick_equal(epochs[i], epochs[used]) ? future : now;
				UuidPayload payload =
					next_of_epoch(layout, epochs[i], now, no_prefix, 0);

				check_of(layout, stamp_of(layout, payload) >>
						 zeros_after_time(layout) ==
						 ticks_since(layout, epochs[i], expected),
						 "epoch %d has the time of epoch %d", i, used);
			}
		}
	}
}

/* The first tick, of a version that two kinds share. */
static Tick
first_tick(const UuidLayout *layout)
{
	if (layout->version == 7 && strcmp(layout->name, "rfc9562") != 0)
		return (Tick) {0x030000000, 0};
	return own_epoch(layout);
}

/* The last tick of the layout's bits; RFC 9562 keys end within a second. */
static Tick
last_tick(const UuidLayout *layout)
{
	if (strcmp(layout_name(layout), "rfc9562") == 0)
		return (Tick) {INT64CONST(3298534883), 328 * 4096 - 1};
	return (Tick)
	{
		layout->epoch + layout->span_usecs / USECS_PER_SEC - 1,
			layout->ticks_per_sec - 1
	};
}

static void
epoch_out_of_range_is_refused(void **state)
{
	foreach_layout(layout)
	{
		const Tick	now = {NOW_SEC, layout->ticks_per_sec - 1};
		int64		span = layout->span_usecs / USECS_PER_SEC;
		UuidPayload payload;
		struct
		{
			Tick		epoch;
			bool		accepted;
		}			cases[] = {
			{now, true},
			{successor(layout, now), false},
			{{NOW_SEC + 1000000000, 0}, false},
			{{NOW_SEC - span + 1, 0}, true},
			{{NOW_SEC - span, 0}, false},
			{{NOW_SEC - span - 1, 0}, false},
			{{NOW_SEC - span - 1000000000, 0}, false},
		};

		if (!layout->custom_epoch)
			continue;
		for (int i = 0; i < (int) lengthof(cases); i++)
		{
			uuidnew_forget_states();
			check_of(layout, has_next(layout, cases[i].epoch, now, &payload) ==
					 cases[i].accepted, "epoch %d", i);
			if (cases[i].accepted)
				check_payload(layout, payload, no_prefix);
		}
	}
}

/* Versions 6 and 7, too, refuse times out of their range. */
static void
clock_out_of_range_is_refused(void **state)
{
	foreach_layout(layout)
	{
		Tick		epoch = own_epoch(layout);
		Tick		first = first_tick(layout);
		Tick		before = {first.sec - 1, layout->ticks_per_sec - 1};
		Tick		last = last_tick(layout);
		Tick		after = layout->version == 7 ? successor(layout, last) :
			(Tick) {last.sec + 1, last.subsec};
		UuidPayload payload;
		SequenceState untouched;

		uuidnew_forget_states();
		check_of(layout, !has_next(layout, epoch, before, &payload),
				 "before the first tick");
		(void) next(layout, first);
		uuidnew_forget_states();
		(void) next(layout, last);
		if (layout->era_secs > 0)
			continue;

		/* used up, it is not followed by another */
		while (layout->version == 7 &&
			   has_next(layout, epoch, last, &payload))
			check_stamp(layout, payload, last);
		untouched = *state_at_own(layout);
		check_of(layout, !has_next(layout, epoch, after, &payload),
				 "after the last tick");
		check_of(layout, memcmp(&untouched, state_at_own(layout),
								sizeof(untouched)) == 0,
				 "a time that is refused changes the state");
	}
}

/*
 * NTP's eras: beyond the first, generators with the own epoch write what those
 * with the epoch of the era of the clock do; an era that is not the clock's is
 * refused.
 */
static void
ntp_timestamps_begin_again(void **state)
{
	const UuidLayout *layout = find_layout("ntp64");
	const Tick	own = own_epoch(layout);
	const int64 era = INT64CONST(1) << 32;
	UuidPayload payload;

	for (int n = 0; n < 4; n++)
	{
		const Tick	start = {EPOCH_NTP + n * era, 0};
		const Tick	times[] = {
			start, {start.sec + era / 3, 123456789},
			{start.sec + era - 1, layout->ticks_per_sec - 1}
		};

		uuidnew_forget_states();
		for (int i = 0; i < (int) lengthof(times); i++)
		{
			Wide		expected = (Wide) (times[i].sec - start.sec) << 28 |
				times[i].subsec;
			UuidPayload same;

			payload = next(layout, times[i]);
			same = next_of_epoch(layout, start, times[i], no_prefix, 0);
			check(stamp_of(layout, payload) == expected &&
				  stamp_of(layout, same) == expected,
				  "era %d: %s at " INT64_FORMAT " s", n, TEXT(payload),
				  times[i].sec);
		}
		if (n == 0)
			continue;
		uuidnew_forget_states();
		check(!has_next(layout, start, (Tick) {start.sec - 1, 0}, &payload) &&
			  !has_next(layout, start, (Tick) {start.sec + era, 0}, &payload),
			  "era %d holds another", n);
	}

	/* also in one session, and a clock that is set back does not go back */
	uuidnew_forget_states();
	(void) next(layout, (Tick) {own.sec + era - 1, layout->ticks_per_sec - 1});
	check(next(layout, (Tick) {own.sec + era, 0}).hi == 0,
		  "era 1 begins at 0");
	check(next(layout, (Tick) {own.sec + era - 1, 0}).hi == 0,
		  "era 0 again");
}

/* Ticks of several seconds are counted from the epoch, whatever it is. */
static void
check_long_ticks(const UuidLayout *layout, Tick epoch)
{
	UuidPayload before = {0, 0};
	int64		latest = 0;
	Tick		now = {NOW_SEC, 0};

	uuidnew_forget_states();
	for (uint64 i = 0; i < rounds(200000); i++)
	{
		UuidPayload payload;
		Wide		stamp;

		now.sec = Max(now.sec + (int64) unit_random_below(11) -
					  (i % 1000 == 0 ? 5000 : 4),
					  NOW_SEC - 100000);
		if (i > 0 && unit_random_below(16) == 0)
			use_up(layout, &uuidnew_state(layout, epoch)->counter, no_prefix);
		latest = Max(latest, (now.sec - epoch.sec) / layout->secs_per_tick);
		payload = next_of_epoch(layout, epoch, now, no_prefix, unit_random());
		stamp = stamp_of(layout, payload) >> zeros_after_time(layout);
		check_after(layout, before, payload);

		/* the tick moves on by one where it is used up */
		check_of(layout, stamp == (Wide) latest || stamp == (Wide) latest + 1,
				 "%s is not in the tick", TEXT(payload));
		latest = stamp;
		before = payload;
	}
}

static void
ticks_of_several_seconds(void **state)
{
	const int64 epochs[] = {0, NOW_SEC - 100001, 7};

	for (int n = 0; n < (int) lengthof(custom_samples); n++)
	{
		if (nth_custom(n)->secs_per_tick < 2)
			continue;
		for (int e = 0; e < (int) lengthof(epochs); e++)
			check_long_ticks(nth_custom(n), (Tick) {epochs[e], 0});
	}
}

/* States of chosen layouts and epochs are kept; the oldest makes room. */
static void
states_of_chosen_layouts(void **state)
{
	const UuidLayout *layout = nth_custom(0);
	const Tick	epoch = {0, 0};
	SequenceState *first = uuidnew_state(layout, epoch);

	first->counter.started = true;
	for (int n = 0; n < 2 * (int) lengthof(custom_samples); n++)
	{
		SequenceState *used =
			uuidnew_state(nth_custom(n / 2), (Tick) {n % 2, 0});

		check((used == first) == (n == 0), "sample %d, epoch %d", n / 2, n % 2);
		used->counter.started = true;
	}
	check(uuidnew_state(layout, epoch) == first && first->counter.started,
		  "the first is forgotten");
	for (int64 sec = 2; sec < 33; sec++)
		uuidnew_state(layout, (Tick) {sec, 0})->counter.started = true;
	check(uuidnew_state(layout, epoch) == first && first->counter.started,
		  "one of the last 32 is forgotten");
	check(!uuidnew_state(nth_custom(1), epoch)->counter.started,
		  "one of those before is there");
	uuidnew_forget_states();
	check(!uuidnew_state(layout, epoch)->counter.started,
		  "the states are not forgotten");
}

/* The first tick that is not before an epoch. */
static void
check_rounded_up(const UuidLayout *layout, int64 epoch)
{
	const __int128 tick_nsec = NSECS_PER_SEC / layout->ticks_per_sec;
	Tick		tick = epoch_tick(layout, epoch);
	__int128	start =
		(__int128) tick.sec * NSECS_PER_SEC + tick.subsec * tick_nsec;
	__int128	usec = (__int128) epoch + EPOCH_POSTGRES * USECS_PER_SEC;
	__int128	late = start - usec * NSECS_PER_USEC;

	check_of(layout, tick.subsec < layout->ticks_per_sec && late >= 0 &&
			 late < tick_nsec, "epoch " INT64_FORMAT " is the tick "
			 INT64_FORMAT " s, %u ticks", epoch, tick.sec, tick.subsec);
}

static void
epochs_are_rounded_up(void **state)
{
	/* unsigned: the span of timestamps exceeds an int64 */
	const uint64 span = (uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP;
	const UuidLayout *layout;

	/* those with a tick of several seconds, too: to the second */
	for (int n = 0; (layout = nth_layout(n)) != NULL; n++)
	{
		check_of(layout, tick_equal(epoch_tick(layout, layout_epoch(layout)),
									own_epoch(layout)), "its own epoch");
		if (!layout->custom_epoch ||
			NSECS_PER_SEC % layout->ticks_per_sec != 0)
			continue;
		for (uint64 i = 0; i < rounds(100000); i++)
		{
			int64		epoch =
				(int64) ((uint64) MIN_TIMESTAMP + unit_random_below(span));

			/* often next to a whole second */
			if (i % 2 == 0)
				epoch = epoch / USECS_PER_SEC * USECS_PER_SEC +
					(int64) unit_random_below(5) - 2;
			check_rounded_up(layout, epoch);
		}
	}
}

/* each without what the one before it left */
#define cmocka_unit_test_new(function)	cmocka_unit_test_setup(function, reset_all)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_new(clock_set_back_keeps_the_tick),
		cmocka_unit_test_new(v6_starts_at_random),
		cmocka_unit_test_new(v6_continues_and_wraps_at_a_new_tick_only),
		cmocka_unit_test_new(tick_is_used_up_before_it_moves_on),
		cmocka_unit_test(a_second_has_room_for_fifteen_million),
		cmocka_unit_test(sessions_set_back_seldom_count_the_same),
		cmocka_unit_test_new(setting_back_takes_no_room),
		cmocka_unit_test_new(always_greater),
		cmocka_unit_test_new(node_is_random),
		cmocka_unit_test_new(random_sequence_for_a_given_time),
		cmocka_unit_test_new(numbered_uuids_of_a_time),
		cmocka_unit_test_new(epochs_have_times_of_their_own),
		cmocka_unit_test_new(epoch_out_of_range_is_refused),
		cmocka_unit_test_new(clock_out_of_range_is_refused),
		cmocka_unit_test_new(ntp_timestamps_begin_again),
		cmocka_unit_test_new(ticks_of_several_seconds),
		cmocka_unit_test_new(states_of_chosen_layouts),
		cmocka_unit_test(epochs_are_rounded_up),
	};

	unit_seed();
	return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
