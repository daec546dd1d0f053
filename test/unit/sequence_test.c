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

/* The state of a layout and its own epoch. */
static SequenceState *
state_at_own(const UuidLayout *layout)
{
	return uuidnew_state(layout, (Tick) {layout->epoch, 0});
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
	Tick		tick = {sec, layout_ticks(layout, nsec)};

	return tick;
}

static Tick
own_epoch(const UuidLayout *layout)
{
	Tick		tick = {layout->epoch, 0};

	return tick;
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

/* Is the payload a UUID's of the version, as packed and read again? */
static void
check_payload(const UuidLayout *layout, UuidPayload payload, NodePrefix prefix)
{
	pg_uuid_t	uuid;
	UuidPayload again;

	uuid_pack(payload, layout->version, &uuid);
	again = uuid_unpack(&uuid);
	check(uuid_version_of(&uuid) == layout->version &&
		  again.hi == payload.hi && again.lo == payload.lo,
		  "%s: %s is not what was packed", layout_name(layout),
		  uuid_text(&uuid));
	check(node_of(layout, payload) != 0, "%s: %s has no node",
		  layout_name(layout), uuid_text(&uuid));
	check(prefix_of(layout, payload, prefix.nbits) == prefix.value,
		  "%s: %s does not have the prefix of %d bits, " UINT64_FORMAT,
		  layout_name(layout), uuid_text(&uuid), prefix.nbits, prefix.value);
}

static UuidPayload
next_of_epoch(const UuidLayout *layout, Tick epoch, Tick now,
			  NodePrefix prefix,
			  uint64 random)
{
	UuidPayload payload;

	check(sequence_next(layout, uuidnew_state(layout, epoch), epoch, now,
						prefix, random, &payload),
		  "%s: " INT64_FORMAT " s, %u ticks are out of range",
		  layout_name(layout), now.sec, now.subsec);
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

static void
check_after(const UuidLayout *layout, UuidPayload a, UuidPayload b)
{
	pg_uuid_t	uuid_a;
	pg_uuid_t	uuid_b;

	uuid_pack(a, layout->version, &uuid_a);
	uuid_pack(b, layout->version, &uuid_b);
	check(uuid_compare(&uuid_a, &uuid_b) < 0, "%s: %s is not after %s",
		  layout_name(layout), uuid_text(&uuid_b), uuid_text(&uuid_a));
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
	check(stamp_of(layout, payload) == expected_stamp(layout, tick),
		  "%s: %s is not of the tick " INT64_FORMAT " s, %u ticks",
		  layout_name(layout), payload_text(payload, layout->version),
		  tick.sec, tick.subsec);
}

static void
check_sequence(const UuidLayout *layout, UuidPayload payload, uint64 expected)
{
	check(sequence_of(layout, payload) == expected,
		  "%s: %s has the sequence " UINT64_FORMAT ", not " UINT64_FORMAT,
		  layout_name(layout), payload_text(payload, layout->version),
		  sequence_of(layout, payload), expected);
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
sequence_counts_in_a_tick(void **state)
{
	foreach_layout(layout)
	{
		Tick		now = tick_at(layout, NOW_SEC, 123456789);
		Tick		later;
		UuidPayload payload;
		UuidPayload before;

		payload = first_with_sequence_0(layout, now, no_prefix);
		check_stamp(layout, payload, now);
		for (int i = 1; i < 50; i++)
		{
			before = payload;
			payload = next(layout, now);
			check_sequence(layout, payload, i);
			check_stamp(layout, payload, now);
			check_after(layout, before, payload);
		}

		later = successor(layout, now);
		payload = next(layout, later);
		check_sequence(layout, payload, layout->version == 6 ? 50 : 0);
		check_stamp(layout, payload, later);
		payload = next(layout, later);
		check_sequence(layout, payload, layout->version == 6 ? 51 : 1);
	}
}

static void
clock_set_back_keeps_the_tick(void **state)
{
	foreach_layout(layout)
	{
		Tick		now = tick_at(layout, NOW_SEC, 500000000);
		Tick		earlier[5];
		UuidPayload payload = first_with_sequence_0(layout, now, no_prefix);
		uint64		sequence;

		/* one tick, the second before at a later fraction, far, very far */
		earlier[0] = now.subsec > 0 ?
			(Tick) {now.sec, now.subsec - 1} :
			(Tick) {now.sec - 1, layout->ticks_per_sec - 1};
		earlier[1] = (Tick) {now.sec - 1, layout->ticks_per_sec - 1};
		earlier[2] = (Tick) {now.sec - 86400, now.subsec};
		earlier[3] = (Tick) {1, 0};
		earlier[4] = (Tick) {-INT64CONST(10000000000), 0};
		for (int i = 0; i < (int) lengthof(earlier); i++)
		{
			UuidPayload before = payload;

			payload = next(layout, earlier[i]);
			check_stamp(layout, payload, now);
			check_after(layout, before, payload);
			/* by more than a second: by steps, see below */
			if (i < 2)
				check_sequence(layout, payload, i + 1);
			else
				check(sequence_of(layout, payload) >=
					  sequence_of(layout, before) &&
					  sequence_of(layout, payload) <=
					  sequence_of(layout, before) + 2,
					  "%s: %s has a far sequence", layout_name(layout),
					  payload_text(payload, layout->version));
		}

		/* and on, when the clock is there again */
		sequence = sequence_of(layout, payload);
		payload = next(layout, now);
		check_sequence(layout, payload, sequence + 1);
		now = successor(layout, now);
		payload = next(layout, now);
		check_stamp(layout, payload, now);
		check_sequence(layout, payload,
					   layout->version == 6 ? sequence + 2 : 0);
	}
}

static void
v6_starts_at_random(void **state)
{
	const UuidLayout *v6 = &uuidnew_v6.layouts[0];
	Tick		now = tick_at(v6, NOW_SEC, 0);
	static bool seen[1 << 14];
	int			distinct = 0;

	memset(seen, 0, sizeof(seen));
	for (int i = 0; i < 4096; i++)
	{
		uint64		random = unit_random();
		UuidPayload payload;
		UuidPayload other;

		uuidnew_forget_states();
		payload = next_with(v6, now, no_prefix, random);
		distinct += !seen[sequence_of(v6, payload)];
		seen[sequence_of(v6, payload)] = true;

		/* the sequence does not tell bits of the node, but for the count */
		uuidnew_forget_states();
		random ^= UINT64CONST(0xFFFF) << 48;
		other = next_with(v6, now, no_prefix, random);
		check(((node_of(v6, payload) ^ node_of(v6, other)) & low_bits(40)) ==
			  0,
			  "v6: sequence and node come from the same random bits");

		/* nor the other way round */
		uuidnew_forget_states();
		random ^= low_bits(48);
		check(sequence_of(v6, other) ==
			  sequence_of(v6, next_with(v6, now, no_prefix, random)),
			  "v6: sequence and node come from the same random bits");
	}
	/* 4096 draws of 16384 values find 3624 in the mean, deviation 19 */
	check(distinct > 3400, "v6: %d of 4096 first sequences are distinct",
		  distinct);
}

static void
v6_continues_and_wraps_at_a_new_tick_only(void **state)
{
	const UuidLayout *v6 = &uuidnew_v6.layouts[0];
	uint64		max = sequence_max(v6);
	Tick		now = tick_at(v6, NOW_SEC, 0);
	UuidPayload payload;
	UuidPayload before;

	/* a UUID a tick: every sequence once, then the first again */
	payload = first_with_sequence_0(v6, now, no_prefix);
	for (uint64 i = 1; i <= 2 * (max + 1); i++)
	{
		before = payload;
		now = successor(v6, now);
		payload = next(v6, now);
		check_sequence(v6, payload, i & max);
		check_stamp(v6, payload, now);
		check_after(v6, before, payload);
	}

	/* a tick that begins at the maximum */
	state_at_own(v6)->counter.sequence = max - 1;
	now = successor(v6, now);
	payload = next(v6, now);
	check_sequence(v6, payload, max);
	check(overflow_of(v6, payload, no_prefix) == 0,
		  "v6: overflow does not start at 0");
	payload = next(v6, now);
	check_sequence(v6, payload, max);
	check(overflow_of(v6, payload, no_prefix) == 1,
		  "v6: overflow does not count");
	now = successor(v6, now);
	check_sequence(v6, next(v6, now), 0);
}

/*
 * Rules 2 and 3: capacity of a tick
 */

/*
 * Uses up a tick: sequences up to the maximum, there the counts of the lent
 * bits, and only then the next tick.
 */
static void
exhaust(const UuidLayout *layout, Tick now, NodePrefix prefix)
{
	uint64		max = sequence_max(layout);
	uint64		overflows = UINT64CONST(1) << lent(layout, prefix);
	Wide		stamp = expected_stamp(layout, now);
	UuidPayload payload = first_with_sequence_0(layout, now, prefix);
	UuidPayload before;
	Tick		later = successor(layout, now);

	for (uint64 i = 1; i < max + overflows; i++)
	{
		/* all bits one: the count is there in spite of it */
		uint64		random = i % 2 ? ~UINT64CONST(0) : unit_random();

		before = payload;
		payload = next_with(layout, now, prefix, random);
		check_sequence(layout, payload, Min(i, max));
		check(stamp_of(layout, payload) == stamp,
			  "%s: the tick moved on after " UINT64_FORMAT,
			  layout_name(layout), i);
		check(i < max || overflow_of(layout, payload, prefix) == i - max,
			  "%s: %s does not have the count " UINT64_FORMAT,
			  layout_name(layout),
			  payload_text(payload, layout->version), i - max);
		check_after(layout, before, payload);
	}

	/* by one tick, not by more, and from the beginning again */
	before = payload;
	payload = next_with(layout, now, prefix, unit_random());
	check_stamp(layout, payload, later);
	check_sequence(layout, payload, 0);
	check_after(layout, before, payload);
	payload = next_with(layout, now, prefix, unit_random());
	check_stamp(layout, payload, later);
	check_sequence(layout, payload, 1);

	/* the clock reaches that tick: no new sequence; and the one after it */
	payload = next_with(layout, later, prefix, unit_random());
	check_stamp(layout, payload, later);
	check_sequence(layout, payload, 2);
	later = successor(layout, later);
	payload = next_with(layout, later, prefix, unit_random());
	check_stamp(layout, payload, later);
	check_sequence(layout, payload, layout->version == 6 ? 3 : 0);
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

/* A clock that goes on by num/den ns with each UUID is never overtaken. */
static void
check_rate(const UuidLayout *layout, NodePrefix prefix, uint32 num, uint32 den,
		   uint64 duration)
{
	uint64		count = duration * den / num;
	UuidPayload before = {0, 0};

	uuidnew_forget_states();
	for (uint64 i = 0; i < count; i++)
	{
		uint64		nsec = i * num / den;
		Tick		now = tick_at(layout, NOW_SEC + nsec / NSECS_PER_SEC,
								  nsec % NSECS_PER_SEC);
		UuidPayload payload;

		assert_true(sequence_next(layout, state_at_own(layout),
								  own_epoch(layout), now, prefix,
								  i * UINT64CONST(0x9E3779B97F4A7C15),
								  &payload));
		check(tick_equal(state_at_own(layout)->counter.last_tick, now),
			  "%s, prefix of %d bits: after " UINT64_FORMAT
			  " UUIDs the tick is ahead of the clock",
			  layout_name(layout), prefix.nbits, i);
		check(payload.hi > before.hi ||
			  (payload.hi == before.hi && payload.lo > before.lo),
			  "%s: not after the one before", layout_name(layout));
		before = payload;
	}
	check_stamp(layout, before,
				tick_at(layout,
						NOW_SEC + (count - 1) * num / den / NSECS_PER_SEC,
						(count - 1) * num / den % NSECS_PER_SEC));
}

static void
fifteen_million_a_second_stay_behind_the_clock(void **state)
{
	foreach_layout(layout)
	{
		/* two ticks and a part of one, and not less than 50 ms */
		uint64		tick = NSECS_PER_SEC / layout->ticks_per_sec;
		uint64		duration = Max(tick * 9 / 4, 50 * NSECS_PER_MSEC);

		check_rate(layout, no_prefix, 200, 3, rounds(duration));
		/* with a machine id, a third of that */
		check_rate(layout, machine, 200, 1, rounds(duration));
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
 * Two sessions stay in the same ticks.  If all that counts were the same in
 * both, they would be told apart by the rest of the node alone.  It is the
 * same as seldom as it can be, for so many UUIDs in a tick.
 */
static void
check_set_back(const UuidLayout *layout, NodePrefix prefix)
{
	const Tick	now = {NOW_SEC, 0};
	const Tick	back = {NOW_SEC - 3600, 0};
	uint64		count = rounds(200000);
	int			bits = layout->sequence_bits + lent(layout, prefix);
	double		in_a_tick = sequence_max(layout) + (1 << lent(layout, prefix));
	double		expected = count * in_a_tick / (UINT64CONST(1) << bits);
	uint64		same = 0;
	SequenceState states[2] = {{.counter.started = false}};
	Wide		counted[2] = {0};
	Wide		before[2] = {0};
	int64		moved;
	uint64		made = 0;

	while (made < count)
	{
		/* the session that is behind the other makes one */
		int			n = counted[0] <= counted[1] ? 0 : 1;
		UuidPayload payload;

		assert_true(sequence_next(layout, &states[n], own_epoch(layout),
								  states[n].counter.started ? back : now,
								  prefix,
								  unit_random(), &payload));
		check(payload_wide(payload) > before[n],
			  "%s: not after the one before",
			  layout_name(layout));
		check(prefix_of(layout, payload, prefix.nbits) == prefix.value,
			  "%s: not the prefix", layout_name(layout));
		before[n] = payload_wide(payload);
		counted[n] = counted_of(layout, payload, prefix);
		same += counted[0] == counted[1];
		made += n == 0;
	}
	check(same < 1.3 * expected + 30,
		  "%s, prefix of %d bits: of " UINT64_FORMAT " UUIDs, " UINT64_FORMAT
		  " count the same in another session, not %.0f",
		  layout_name(layout), prefix.nbits, count, same, expected);

	/* and the time does not move on any faster than if all were counted */
	moved = ticks_since(layout, now, states[0].counter.last_tick);
	check(moved < 1.02 * count / in_a_tick + 2,
		  "%s, prefix of %d bits: after " UINT64_FORMAT " UUIDs the time is " INT64_FORMAT
		  " ticks ahead, not %.0f", layout_name(layout), prefix.nbits, count,
		  moved, count / in_a_tick);
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

/* The mean of max(0, ticks - |a - b|), with a and b evenly in a spread */
static double
mean_shared(double ticks, double spread)
{
	if (ticks > spread)
		return ticks - spread / 3;
	return ticks * ticks / spread -
		ticks * ticks * ticks / (3 * spread * spread);
}

/* How many counts two sessions share that are set back in these ticks */
static uint64
common_counts(const UuidLayout *layout, const uint32 first[2], uint64 count)
{
	const Tick	back = {NOW_SEC - 3600, 0};
	SequenceState states[2] = {{.counter.started = false}};
	Wide		counted[2] = {0};
	uint64		made[2] = {0};
	uint64		same = 0;

	for (;;)
	{
		int			n = counted[0] <= counted[1] ? 0 : 1;
		const Tick	now = {NOW_SEC, first[n]};
		UuidPayload payload;

		if (made[n]++ == count)
			return same;
		assert_true(sequence_next(layout, &states[n], own_epoch(layout),
								  states[n].counter.started ? back : now,
								  no_prefix,
								  unit_random(), &payload));
		counted[n] = counted_of(layout, payload, no_prefix);
		same += counted[0] == counted[1];
	}
}

/*
 * The model of the chances in doc/guarantees.md: sessions whose last ticks are
 * spread evenly share so many of those that they go through, and so many
 * counts.
 */
static void
counts_shared_when_set_back_follow_the_model(void **state)
{
	/* ticks that a session needs, ticks over which sessions are spread */
	const double cases[][2] =
	{{0.4, 0.3}, {0.4, 8}, {2.5, 2}, {6, 20}, {10, 4}};
	const int	grid = unit_divisor() == 1 ? 20 : 6;

	foreach_layout(layout)
	{
		double		room =
			sequence_max(layout) + (1 << lent(layout, no_prefix));
		double		counts = UINT64CONST(1) <<
			(layout->sequence_bits + lent(layout, no_prefix));

		if (room > 1000 || room < 300 || layout->ticks_per_sec < 100)
			continue;
		for (int i = 0; i < (int) lengthof(cases); i++)
		{
			double		ticks = cases[i][0];
			double		spread = cases[i][1];
			double		whole = (int) ticks;
			double		shared =
				(1 - (ticks - whole)) * mean_shared(whole, spread) +
				(ticks - whole) * mean_shared(whole + 1, spread);
			double		expected = shared * room * room / counts * grid * grid;
			uint64		same = 0;

			for (int a = 0; a < grid; a++)
			{
				for (int b = 0; b < grid; b++)
				{
					/* where a tick begins is anywhere too */
					double		phase =
						(double) unit_random_below(1000) / 1000;
					const uint32 first[2] = {
						phase + (a + 0.5) * spread / grid,
						phase + (b + 0.5) * spread / grid
					};

					same += common_counts(layout, first, ticks * room);
				}
			}
			check(same > 0.85 * expected - 50 && same < 1.15 * expected + 50,
				  "%s: for %.1f ticks, spread over %.1f, sessions have " UINT64_FORMAT
				  " counts in common, not %.0f",
				  layout_name(layout), ticks, spread, same, expected);
		}
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
	uint64		max = sequence_max(layout);
	bool		changed = from.nbits != to.nbits;
	uint64		left = 0;
	uint64		more = 0;
	int			ticks = 0;

	while (left < 20000)
	{
		UuidPayload payload = first_with_sequence_0(layout, now, from);

		/* from a prefix to another by way of steps, if there are any */
		for (uint64 i = 1; i < made; i++)
			payload = next_of_epoch(layout, own_epoch(layout),
									changed && i > made / 2 ? back : now, from,
									unit_random());
		left += UINT64CONST(1) << lent(layout, to);
		if (changed)
			left += max - sequence_of(layout, payload) - 1;
		else
			left += max - made;
		while (tick_equal(state_at_own(layout)->counter.last_tick, now))
		{
			UuidPayload before = payload;

			payload = next_with(layout, back, to, unit_random());
			check_after(layout, before, payload);
			more++;
		}
		ticks++;
	}
	check(more > 0.95 * left - 8 * ticks,
		  "%s, prefix of %d bits: after " UINT64_FORMAT " UUIDs %d ticks have room for "
		  UINT64_FORMAT ", not for " UINT64_FORMAT, layout_name(layout),
		  to.nbits, made,
		  ticks, more, left);
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

	/*
	 * both at once too: a clock in whole seconds moves before it comes to
	 * that
	 */
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
random_walk(const UuidLayout *layout, NodePrefix prefix, bool changing,
			uint64 steps)
{
	Tick		now = {NOW_SEC, 0};
	UuidPayload before = {0, 0};
	uint64		advanced = 0;
	uint64		overflowing = 0;

	uuidnew_forget_states();
	for (uint64 i = 0; i < steps; i++)
	{
		Tick		last = state_at_own(layout)->counter.last_tick;
		UuidPayload payload;

		now = walk(layout, now);
		if (i > 0 && unit_random_below(16) == 0)
			use_up(layout, &state_at_own(layout)->counter, prefix);
		if (changing && unit_random_below(16) == 0)
			prefix = random_prefix(layout);

		/* a call that is refused changes nothing */
		if (layout->custom_epoch && unit_random_below(4) == 0)
			check(!sequence_next(layout, state_at_own(layout),
								 (Tick) {NOW_SEC + 1000000000, 0},
								 now, prefix, unit_random(), &payload),
				  "%s: an epoch is not refused", layout_name(layout));
		payload = next_with(layout, now, prefix, walk_random());
		check_stamp(layout, payload, state_at_own(layout)->counter.last_tick);
		if (i > 0)
		{
			check_after(layout, before, payload);
			/* the later of the clock and the last, or one tick after that */
			if (tick_after(now, last))
				check(tick_equal(state_at_own(layout)->counter.last_tick, now),
					  "%s: the clock is not followed", layout_name(layout));
			else if (!tick_equal(state_at_own(layout)->counter.last_tick,
								 last))
			{
				check(tick_equal(state_at_own(layout)->counter.last_tick,
								 successor(layout, last)),
					  "%s: the last tick moved by more than one",
					  layout_name(layout));
				advanced++;
			}
		}
		overflowing += sequence_of(layout, payload) == sequence_max(layout);
		before = payload;
	}

	/* the walk has been where it is meant to go */
	check(steps < 10000 || (advanced > 0 && overflowing > 0),
		  "%s: no tick was used up", layout_name(layout));
}

static void
always_greater(void **state)
{
	foreach_layout(layout)
	{
		random_walk(layout, no_prefix, false, rounds(200000));
		random_walk(layout, no_prefix, true, rounds(200000));
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
			uint64		mask = low_bits(layout->node_bits - prefix.nbits);
			UuidPayload payload;

			uuidnew_forget_states();
			(void) next_with(layout, now, prefix, ~UINT64CONST(0));
			payload = next_with(layout, now, prefix, random);
			check(((node_of(layout, payload) ^ random) & mask) == 0,
				  "%s: %s is not random", layout_name(layout),
				  payload_text(payload, layout->version));

			state_at_own(layout)->counter.sequence = sequence_max(layout) - 1;
			mask = low_bits(layout->node_bits - prefix.nbits -
							lent(layout, prefix));
			payload = next_with(layout, now, prefix, random);
			check(((node_of(layout, payload) ^ random) & mask) == 0,
				  "%s: %s is not random", layout_name(layout),
				  payload_text(payload, layout->version));
		}
	}
}

static void
random_sequence_for_a_given_time(void **state)
{
	foreach_layout(layout)
	{
		SequenceState untouched;

		uuidnew_forget_states();
		(void) next(layout, tick_at(layout, NOW_SEC, 0));
		untouched = *state_at_own(layout);
		for (uint64 i = 0; i < rounds(20000); i++)
		{
			Tick		tick =
				{NOW_SEC, unit_random_below(layout->ticks_per_sec)};
			NodePrefix	prefix = random_prefix(layout);
			uint64		random = walk_random();
			uint64		more = walk_random();
			UuidPayload payload;
			UuidPayload other;

			payload =
				sequence_random(layout,
								layout->encode(layout, tick.sec -
											   layout->epoch, tick.subsec),
								prefix, random, more);
			check_payload(layout, payload, prefix);
			check_stamp(layout, payload, tick);
			check_sequence(layout, payload, more & sequence_max(layout));

			/* both are random, and of different bits */
			other =
				sequence_random(layout,
								layout->encode(layout, tick.sec -
											   layout->epoch, tick.subsec),
								prefix, ~random, more);
			check(node_of(layout, payload) != node_of(layout, other),
				  "%s: the node is not random", layout_name(layout));
			check_sequence(layout, other, sequence_of(layout, payload));
		}
		check(memcmp(&untouched, state_at_own(layout), sizeof(untouched)) == 0,
			  "%s: a given time takes part in the state", layout_name(layout));
	}
}

/*
 * Epochs
 */

#define NEPOCHS 20

static void
epochs_of(const UuidLayout *layout, Tick *epochs)
{
	for (int i = 5; i < NEPOCHS; i++)
		epochs[i] =
			(Tick) {INT64CONST(1500000000) + i, i % layout->ticks_per_sec};
	epochs[0] = own_epoch(layout);
	epochs[1] = (Tick) {INT64CONST(1577836800), 0}; /* 2020 */
	epochs[2] = (Tick) {INT64CONST(1577836800), 1 % layout->ticks_per_sec};
	epochs[3] = (Tick) {INT64CONST(1577836799), layout->ticks_per_sec - 1};
	epochs[4] = (Tick) {-INT64CONST(1000000000), layout->ticks_per_sec / 3};
}

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
	foreach_layout(layout)
	{
		const Tick	now = {NOW_SEC, 0};
		const Tick	future = {NOW_SEC + 1000, 0};
		Tick		epochs[NEPOCHS];
		int			sharing = 0;

		if (!layout->custom_epoch)
			continue;
		epochs_of(layout, epochs);
		for (int used = 0; used < NEPOCHS; used++)
		{
			uuidnew_forget_states();
			for (int i = 0; i < NEPOCHS; i++)
				(void) next_of_epoch(layout, epochs[i], now, no_prefix,
									 unit_random());
			(void) next_of_epoch(layout, epochs[used], future, no_prefix,
								 unit_random());
			for (int i = 0; i < NEPOCHS; i++)
			{
				uint64		random = unit_random();
				UuidPayload payload =
					next_of_epoch(layout, epochs[i], now, no_prefix, random);
				Wide		stamp = stamp_of(layout, payload);

				stamp >>= zeros_after_time(layout);
				if (i != used &&
					stamp == ticks_since(layout, epochs[i], future))
					sharing++;
				else
					check(stamp == ticks_since(layout, epochs[i],
											   i == used ? future : now),
						  "%s: epoch %d has the time of epoch %d",
						  layout->name, i, used);
			}
		}

		/* where a tick is a second, two of the epochs are the same */
		assert_int_equal(sharing, layout->ticks_per_sec > 1 ? 0 : 2);
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
			{{NOW_SEC, now.subsec}, true},
			{{NOW_SEC + 1, 0}, false},
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
			check(sequence_next(layout, state_at_own(layout), cases[i].epoch,
								now, no_prefix, 0, &payload) ==
				  cases[i].accepted, "%s: epoch %d", layout_name(layout), i);
			if (cases[i].accepted)
				check_payload(layout, payload, no_prefix);
		}

		/* one tick after the clock */
		if (now.subsec > 0)
		{
			Tick		before = {now.sec, now.subsec - 1};

			uuidnew_forget_states();
			check(!sequence_next(layout, state_at_own(layout), now, before,
								 no_prefix, 0, &payload),
				  "%s: one tick before the epoch", layout_name(layout));
		}
	}
}

/* Also version 6 and 7 refuse what they can't hold. */
static void
clock_out_of_range_is_refused(void **state)
{
	foreach_layout(layout)
	{
		Tick		first = first_tick(layout);
		Tick		last = last_tick(layout);
		UuidPayload payload;
		SequenceState before;

		uuidnew_forget_states();
		check(!sequence_next(layout, state_at_own(layout), own_epoch(layout),
							 (Tick) {first.sec - 1, layout->ticks_per_sec - 1},
							 no_prefix, 0, &payload),
			  "%s: before the first tick", layout_name(layout));
		(void) next(layout, first);
		uuidnew_forget_states();
		(void) next(layout, last);
		if (layout->era_secs > 0)
			continue;

		before = *state_at_own(layout);
		check(!sequence_next(layout, state_at_own(layout), own_epoch(layout),
							 layout->version == 7 ? successor(layout, last) :
							 (Tick) {last.sec + 1, last.subsec}, no_prefix, 0,
							 &payload),
			  "%s: after the last tick", layout_name(layout));
		check(memcmp(&before, state_at_own(layout), sizeof(before)) == 0,
			  "%s: a time that is refused changes the state",
			  layout_name(layout));
		uuidnew_forget_states();
		(void) next(layout, (Tick) {NOW_SEC, 0});
	}
}

/* The last tick is used up: no key is of the tick after it. */
static void
last_tick_is_used_up(void **state)
{
	const UuidLayout *layout = find_layout("rfc9562");
	Tick		last = last_tick(layout);
	UuidPayload before = next(layout, last);
	UuidPayload payload;

	while (sequence_next(layout, state_at_own(layout), own_epoch(layout), last,
						 no_prefix,
						 unit_random(), &payload))
	{
		check_after(layout, before, payload);
		check_stamp(layout, payload, last);
		before = payload;
	}
	check(sequence_of(layout, before) == sequence_max(layout),
		  "%s was the last one", payload_text(before, 7));
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
	const int64 era = INT64CONST(1) << 32;

	for (int n = 0; n < 4; n++)
	{
		const int64 start = EPOCH_NTP + n * era;
		UuidPayload before = {0, 0};

		uuidnew_forget_states();
		for (int i = 0; i < 1000; i++)
		{
			const Tick	now = {i < 500 ? start + i / 4 :
			start + era - 251 + i / 4, i % 4 * 50000000};
			UuidPayload payload = next(layout, now);
			UuidPayload same =
				next_of_epoch(layout, (Tick) {start, 0}, now, no_prefix, 0);

			check(stamp_of(layout, payload) ==
				  ((Wide) (now.sec - start) << 28 | now.subsec) &&
				  stamp_of(layout, same) == stamp_of(layout, payload),
				  "era %d: %s at " INT64_FORMAT " s", n,
				  payload_text(payload, 8), now.sec);
			check_after(layout, before, payload);
			before = n == 0 ? same : payload;
		}
	}

	/* also in one session, and a clock that is set back does not go back */
	uuidnew_forget_states();
	(void) next(layout,
				(Tick) {EPOCH_NTP + era - 1, layout->ticks_per_sec - 1});
	check(next(layout, (Tick) {EPOCH_NTP + era, 0}).hi == 0,
		  "era 1 begins at 0");
	check(next(layout, (Tick) {EPOCH_NTP + era - 1, 0}).hi == 0,
		  "era 0 again");

	for (int n = 1; n < 4; n++)
	{
		const Tick	start = {EPOCH_NTP + n * era, 0};
		UuidPayload payload;

		uuidnew_forget_states();
		check(!sequence_next(layout, uuidnew_state(layout, start), start,
							 (Tick) {start.sec - 1, 0}, no_prefix, 0,
							 &payload) &&
			  !sequence_next(layout, uuidnew_state(layout, start), start,
							 (Tick) {start.sec + era, 0}, no_prefix, 0,
							 &payload),
			  "era %d holds another", n);
	}
}

/* Ticks of several seconds are counted from the epoch, whatever it is. */
static void
ticks_of_several_seconds(void **state)
{
	for (int n = 0; n < (int) lengthof(custom_samples); n++)
	{
		const UuidLayout *layout = nth_custom(n);
		const int64 epochs[] = {0, NOW_SEC - 100001, 7};

		if (layout->secs_per_tick < 2)
			continue;
		for (int e = 0; e < (int) lengthof(epochs); e++)
		{
			const Tick	epoch = {epochs[e], 0};
			SequenceState *used;
			UuidPayload before = {0, 0};
			int64		latest = 0;
			Tick		now = {NOW_SEC, 0};

			uuidnew_forget_states();
			used = uuidnew_state(layout, epoch);
			for (uint64 i = 0; i < rounds(200000); i++)
			{
				UuidPayload payload;
				Wide		stamp;

				now.sec = Max(now.sec + (int64) unit_random_below(11) -
							  (i % 1000 == 0 ? 5000 : 4),
							  NOW_SEC - 100000);
				if (i > 0 && unit_random_below(16) == 0)
					use_up(layout, &used->counter, no_prefix);
				latest =
					Max(latest, (now.sec - epoch.sec) / layout->secs_per_tick);
				payload = next_of_epoch(layout, epoch, now, no_prefix,
										unit_random());
				stamp = stamp_of(layout, payload) >> zeros_after_time(layout);
				check_after(layout, before, payload);

				/* the tick moves on by one where it is used up */
				check(stamp == (Wide) latest || stamp == (Wide) latest + 1,
					  "%s, %s: not in the tick", layout->name,
					  payload_text(payload, 8));
				latest = stamp;
				before = payload;
			}
		}
	}
}

/* Each number's UUID is greater than the one before it, up to the last. */
static void
numbered_uuids_of_a_time(void **state)
{
	const UuidLayout *layout;

	for (int n = 0; (layout = nth_layout(n)) != NULL; n++)
	{
		const NodePrefix prefixes[] =
		{{0, 0, false}, {0xBEEF, 16, false}, {0, 16, false}};
		const UuidPayload time_bits =
			layout->encode(layout, NOW_SEC - layout->epoch, 0);

		for (int p = 0; p < (int) lengthof(prefixes); p++)
		{
			NodePrefix	prefix = prefixes[p];
			uint64		max = sequence_max(layout);
			uint64		last = 0;
			UuidPayload payload;

			check(!sequence_numbered(layout, time_bits, prefix, PG_UINT64_MAX,
									 0, &last, &payload) &&
				  last ==
				  max + low_bits((layout->node_bits - prefix.nbits) / 2) &&
				  !sequence_numbered(layout, time_bits, prefix, last + 1, 0,
									 &last, &payload),
				  "%s: the last number is " UINT64_FORMAT, layout_name(layout),
				  last);
			for (uint64 i = rounds(20000); i > 0; i--)
			{
				uint64		starts[] = {0, max, last, unit_random_below(last)};
				uint64		number = starts[i % 4] + unit_random_below(5) - 2;
				UuidPayload next = {0, 0};

				if (number >= last)
					continue;
				check(sequence_numbered(layout, time_bits, prefix, number,
										walk_random(), &last, &payload) &&
					  sequence_numbered(layout, time_bits, prefix, number + 1,
										walk_random(), &last, &next),
					  "%s: number " UINT64_FORMAT " is refused",
					  layout_name(layout), number);
				check_payload(layout, payload, prefix);
				check_payload(layout, next, prefix);
				check_after(layout, payload, next);
				check(stamp_of(layout, payload) ==
					  stamp_of(layout, time_bits) &&
					  sequence_of(layout, payload) == Min(number, max),
					  "%s: number " UINT64_FORMAT " is %s",
					  layout_name(layout), number,
					  payload_text(payload, layout->version));
			}
		}
	}
}

/* States of chosen layouts and epochs are kept; the oldest makes room. */
static void
states_of_chosen_layouts(void **state)
{
	const UuidLayout *layout = nth_custom(0);
	const Tick	epochs[] = {{0, 0}, {1, 0}, {0, 1}};
	SequenceState *first = uuidnew_state(layout, epochs[0]);

	first->counter.started = true;
	for (int n = 0; n < (int) lengthof(custom_samples); n++)
	{
		for (int e = 0; e < 2; e++)
		{
			SequenceState *used = uuidnew_state(nth_custom(n), epochs[e]);

			check(used == uuidnew_state(nth_custom(n), epochs[e]) &&
				  (used == first) == (n == 0 && e == 0), "sample %d, epoch %d",
				  n, e);
			used->counter.started = true;
		}
	}
	check(uuidnew_state(layout, epochs[0]) == first && first->counter.started,
		  "the first is forgotten");
	for (int64 epoch = 2; epoch < 33; epoch++)
		uuidnew_state(layout, (Tick) {epoch, 0})->counter.started = true;
	check(uuidnew_state(layout, epochs[0]) == first && first->counter.started,
		  "one of the last 32 is forgotten");
	check(!uuidnew_state(nth_custom(1), epochs[0])->counter.started,
		  "one of those before is there");
	uuidnew_forget_states();
	check(!uuidnew_state(layout, epochs[0])->counter.started,
		  "the states are not forgotten");
}

/* The first tick that is not before an epoch. */
static void
epochs_are_rounded_up(void **state)
{
	const UuidLayout *layout;

	/* those with a tick of several seconds too: to the second */
	for (int n = 0; (layout = nth_layout(n)) != NULL; n++)
	{
		Tick		own = epoch_tick(layout, layout_epoch(layout));

		check(own.sec == layout->epoch && own.subsec == 0, "%s: its own epoch",
			  layout_name(layout));
		for (uint64 i = layout->custom_epoch ? rounds(100000) : 0; i > 0; i--)
		{
			/* unsigned: the span of timestamps exceeds an int64 */
			uint64		span = (uint64) END_TIMESTAMP - (uint64) MIN_TIMESTAMP;
			int64		epoch =
				(int64) ((uint64) MIN_TIMESTAMP + unit_random_below(span));
			Tick		tick;
			__int128	nsec;
			__int128	start;
			const __int128 tick_nsec = NSECS_PER_SEC / layout->ticks_per_sec;

			if (NSECS_PER_SEC % layout->ticks_per_sec != 0)
				break;
			/* often next to a whole second */
			if (unit_random_below(2))
				epoch = epoch / USECS_PER_SEC * USECS_PER_SEC +
					(int64) unit_random_below(5) - 2;
			tick = epoch_tick(layout, epoch);
			nsec = ((__int128) epoch + EPOCH_POSTGRES * USECS_PER_SEC) *
				NSECS_PER_USEC;
			start =
				(__int128) tick.sec * NSECS_PER_SEC + tick.subsec * tick_nsec;
			check(tick.subsec < layout->ticks_per_sec && start >= nsec &&
				  start - tick_nsec < nsec,
				  "%s: epoch " INT64_FORMAT " is the tick "
				  INT64_FORMAT " s, %u ticks", layout_name(layout), epoch,
				  tick.sec, tick.subsec);
		}
	}
}

/* each without what the one before it left */
#define cmocka_unit_test_new(function)	cmocka_unit_test_setup(function, reset_all)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_new(sequence_counts_in_a_tick),
		cmocka_unit_test_new(clock_set_back_keeps_the_tick),
		cmocka_unit_test_new(v6_starts_at_random),
		cmocka_unit_test_new(v6_continues_and_wraps_at_a_new_tick_only),
		cmocka_unit_test_new(tick_is_used_up_before_it_moves_on),
		cmocka_unit_test_new(fifteen_million_a_second_stay_behind_the_clock),
		cmocka_unit_test_new(sessions_set_back_seldom_count_the_same),
		cmocka_unit_test_new(counts_shared_when_set_back_follow_the_model),
		cmocka_unit_test_new(setting_back_takes_no_room),
		cmocka_unit_test_new(always_greater),
		cmocka_unit_test_new(node_is_random),
		cmocka_unit_test_new(random_sequence_for_a_given_time),
		cmocka_unit_test_new(epochs_have_times_of_their_own),
		cmocka_unit_test_new(epoch_out_of_range_is_refused),
		cmocka_unit_test_new(clock_out_of_range_is_refused),
		cmocka_unit_test_new(last_tick_is_used_up),
		cmocka_unit_test_new(ntp_timestamps_begin_again),
		cmocka_unit_test_new(ticks_of_several_seconds),
		cmocka_unit_test_new(numbered_uuids_of_a_time),
		cmocka_unit_test_new(states_of_chosen_layouts),
		cmocka_unit_test(epochs_are_rounded_up),
	};

	unit_seed();
	return cmocka_run_group_tests_name("sequence", tests, NULL, NULL);
}
