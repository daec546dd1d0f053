/*
 * order.c
 *	  Keys in the order of the server: uuidnew.order_scope = server.
 *
 * What counts in each layout (sequence.h) is in shared memory, under a
 * spinlock.  So a key is greater than every key of its layout that any session
 * got before the call, and no two keys are alike in time and sequence.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "miscadmin.h"

#include "order/order.h"

/*
 * How many seconds use may take a layout's time ahead, when its ticks are used
 * up.  A node of the caller's own may use them up at will: there it gets an
 * error, and others go on.
 */
#define MAX_AHEAD			60
#define OWN_NODE_AHEAD		1

typedef enum CountResult
{
	COUNTED, NOT_RESERVED, TOO_FAR_AHEAD
} CountResult;

/* Anyone can make up any number of layouts by numbers. */
pg_noreturn static void
no_place_in_order(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("a layout by numbers has no place in the order of the server"),
			 errhint("Use a layout with a name, or set \"uuidnew.order_scope\" to \"session\".")));
}

pg_noreturn static void
too_far_ahead(const UuidLayout *layout, int limit)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("UUIDs of version %d are too far ahead of the clock", layout->version),
			 layout->name != NULL ?
			 errdetail("Ticks of the layout \"%s\" are used up for more than %d s.",
					   layout->name, limit) : 0,
			 errhint("Wait, or use a layout with a finer tick, or no node of your own.")));
}

/*
 * Time
 */

/* The clock, but not from before the order's begin */
static inline ClockTime
clock_from_begin(void)
{
	int64		begin =
		(int64) pg_atomic_read_u64(&uuidnew_server_order->begin);
	ClockTime	clock = clock_now();

	if (unlikely(begin == NOT_YET_KNOWN) && !RecoveryInProgress())
		begin = uuidnew_order_find_begin();
	if (unlikely(clock.sec < begin))
		clock = (ClockTime) {begin, 0};
	return clock;
}

/* Raises an ERROR if only the order's begin is what a layout can't hold. */
static void
check_begin(const UuidLayout *layout, Tick epoch)
{
	int64		begin = uuidnew_order_find_begin();
	UuidPayload time_bits;

	if (encode_tick(layout, tick_of(layout, uuidnew_clock.last), epoch,
					&time_bits))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the order of the server begins at %s, which is out of range for UUID version %d",
						timestamptz_to_str(SINCE_1970(begin * USECS_PER_SEC)),
						layout->version),
				 errhint("Use another layout, or move the beginning back with uuidnew_order_begin_at().")));
}

/*
 * A time for a key, in the last second that is reserved or after.
 *
 * One process reserves more, and others go on until the second is over.  On a
 * disk so slow that what was reserved is over when it is flushed, the key gets
 * the last time of it.
 */
static ClockTime
reserve_for(ClockTime clock, int64 *reserved)
{
	ServerOrder *order = uuidnew_server_order;

	if (RecoveryInProgress())
	{
		*reserved = PG_INT64_MAX;
		return clock;
	}
	if (clock.sec < *reserved && !pg_atomic_test_set_flag(&order->reserving))
		return clock;

	*reserved = uuidnew_order_reserve(clock.sec);
	clock = clock_from_begin();
	if (clock.sec >= *reserved)
		clock = (ClockTime) {*reserved - 1, NSECS_PER_SEC - 1};
	return clock;
}

/*
 * Counting
 */

static inline int
max_ahead(NodePrefix prefix)
{
	return prefix.is_own ? OWN_NODE_AHEAD : MAX_AHEAD;
}

/*
 * By how many seconds has use taken the layout's time ahead?
 *
 * Each second by which the clock goes on is one less, whatever it shows: one
 * that was an hour ahead for a moment stops nobody for an hour.
 */
static int
secs_ahead(OrderedLayout *shared)
{
	int64		clock_sec = uuidnew_clock.last.sec;
	int64		passed = clock_sec - shared->clock_sec;

	/* one second back, it was read just before another session's */
	if (passed > 0 || passed < -1)
		shared->clock_sec = clock_sec;
	if (passed > 0)
		shared->ahead -= Min(passed, shared->ahead);
	return shared->ahead;
}

/* The layout's next count, from a time on.  Its lock is held. */
static pg_always_inline CountResult
count_next(const UuidLayout *layout, OrderedLayout *shared, Tick now,
		   int64 reserved, NodePrefix prefix, uint64 random)
{
	SequenceState *state = &shared->state;
	Tick		tick = now;
	bool		new_tick = true;
	int			ahead = 0;

	if (state->started && !tick_after(now, state->last_tick))
	{
		new_tick = !tick_has_room(layout, state, prefix);
		tick = state->last_tick;
		if (new_tick)
			tick = tick_successor(layout, tick);
		ahead = tick.sec - state->last_tick.sec;
		if (unlikely(ahead > 0) &&
			secs_ahead(shared) + ahead > max_ahead(prefix))
			return TOO_FAR_AHEAD;
	}
	if (unlikely(tick.sec >= reserved))
		return NOT_RESERVED;
	if (unlikely(ahead > 0))
		shared->ahead += ahead;

	state->last_tick = tick;
	sequence_count(layout, state, new_tick, prefix, random);
	return COUNTED;
}

/* The session's own state takes over a tick; false if it can't be held. */
static inline bool
own_tick(const UuidLayout *layout, SequenceState *own, Tick epoch, Tick tick)
{
	return (tick_equal(tick, own->last_tick) &&
			tick_equal(epoch, own->epoch)) ||
		enter_tick(layout, own, epoch, tick);
}

/*
 * The next UUID of a layout.  in_flight: it is a key of the transaction.
 *
 * Nothing but counting is done under the lock, which others wait for.  The
 * session's own state keeps the bits of the last tick.
 */
static pg_always_inline bool
order_next(const UuidLayout *layout, Tick epoch, NodePrefix prefix,
		   bool in_flight, Tick *tick, UuidPayload *payload)
{
	uint64		random = entropy_uint64();
	OrderedLayout *shared;
	SequenceState *own = own_state(layout);
	uint32		mask = (uint32) 1 << layout->number;
	bool		is_first;
	CountResult result;

	if (unlikely(uuidnew_first_key == NULL))
		uuidnew_flight_attach();
	if (unlikely(layout->by_numbers))
		no_place_in_order();
	shared = &uuidnew_server_order->layouts[layout->number].layout;
	is_first = in_flight && (uuidnew_layouts_in_flight & mask) == 0;

	for (;;)
	{
		int64		reserved =
			(int64) pg_atomic_read_u64(&uuidnew_server_order->reserved);
		ClockTime	clock;

		/* what is reserved has a begin: who sees the one sees the other */
		pg_read_barrier();
		clock = clock_from_begin();

		/* nothing is reserved or counted for a time that is refused */
		if (unlikely(!own_tick(layout, own, epoch, tick_of(layout, clock))))
		{
			check_begin(layout, epoch);
			return false;
		}
		if (unlikely(clock.sec + 1 >= reserved))
			clock = reserve_for(clock, &reserved);

		SpinLockAcquire(&shared->mutex);
		result = count_next(layout, shared, tick_of(layout, clock), reserved,
							prefix, random);
		*tick = shared->state.last_tick;
		own->sequence = shared->state.sequence;
		own->overflow = shared->state.overflow;
		if (unlikely(is_first) && result == COUNTED)
			uuidnew_set_in_flight(tick_timestamp(layout, *tick));
		SpinLockRelease(&shared->mutex);

		if (likely(result == COUNTED))
			break;
		if (result == TOO_FAR_AHEAD)
			too_far_ahead(layout, max_ahead(prefix));

		/* the last tick is used up, and the next one in another second */
		CHECK_FOR_INTERRUPTS();
		(void) uuidnew_order_reserve(tick->sec + 1);
	}

	if (unlikely(is_first))
		uuidnew_layouts_in_flight |= mask;
	if (unlikely(!own_tick(layout, own, epoch, *tick)))
		return false;
	*payload = counted_payload(layout, own, sequence_is_used_up(layout, own),
							   prefix, random);
	return true;
}

/*
 * uuidnew_order_next - the next UUID for a horizon, which is no key; false if
 * the layout can't hold the time.
 */
bool
uuidnew_order_next(const UuidLayout *layout, Tick epoch, NodePrefix prefix,
				   Tick *tick, UuidPayload *payload)
{
	return order_next(layout, epoch, prefix, false, tick, payload);
}

/* uuidnew_order_generate - the GenerateHook: keys in the server's order. */
bool
uuidnew_order_generate(const UuidLayout *layout, Tick epoch, NodePrefix prefix,
					   pg_uuid_t *uuid)
{
	Tick		tick;
	UuidPayload payload;

	if (!order_next(layout, epoch, prefix, true, &tick, &payload))
		return false;
	uuid_pack(payload, layout->version, uuid);
	return true;
}
