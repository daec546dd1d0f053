/*
 * order.c
 *	  Keys in the order of the server: uuidnew.order_scope = server.
 *
 * The counter of each layout (sequence.h) is in shared memory, under a
 * spinlock.  So a key is greater than every key of its layout that any session
 * got before the call, and no two keys have the same time and sequence.
 */
#include "postgres.h"

#include "miscadmin.h"

#include "order/order.h"

/*
 * How far, in seconds, heavy use may push a layout's time ahead of the clock.
 * A caller can use up ticks at will with a custom node, so it gets an error
 * earlier than other sessions.
 */
#define MAX_AHEAD			60
#define OWN_NODE_AHEAD		1

pg_noreturn static void
too_far_ahead(const UuidLayout *layout, int limit)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("UUIDs of version %d are too far ahead of the clock", layout->version),
			 layout->name != NULL ?
			 errdetail("All ticks of layout \"%s\" are in use up to %d s ahead of the clock.",
					   layout->name, limit) : 0,
			 errhint("Slow down, use a layout with a finer tick, or omit the node.")));
}

/* A time of the clock, or the order's begin if that is later */
static inline ClockTime
from_begin(ClockTime clock)
{
	int64		begin =
		(int64) pg_atomic_read_u64(&uuidnew_server_order->begin);

	if (unlikely(begin == NOT_YET_KNOWN))
		begin = uuidnew_order_find_begin();
	if (unlikely(clock.sec < begin))
		clock = (ClockTime) {begin, 0};
	return clock;
}

/*
 * The layout can't hold the time.  Returns false, or raises an ERROR if it
 * could hold the time of the clock.
 */
static bool
refuse_time(const UuidLayout *layout, Tick epoch)
{
	int64		begin = uuidnew_order_find_begin();
	ClockTime	clock = uuidnew_order_check_clock();
	UuidPayload time_bits;

	if (encode_tick(layout, tick_of(layout, clock), epoch, &time_bits))
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the order of the server begins at %s, which is out of range for UUID version %d",
						timestamptz_to_str(SINCE_1970(begin * USECS_PER_SEC)),
						layout->version),
				 errhint("Use another layout, or give the order up with uuidnew_order_give_up().")));
	return false;
}

/*
 * A time for a key, in the last second that is reserved or after.
 *
 * One process reserves more, and the others continue until the second is over.
 * Only the time that has been checked is reserved, and is the key's: the clock
 * may have leapt before, or leap after.
 */
static ClockTime
reserve_for(ClockTime clock, int64 *reserved)
{
	if (clock.sec < *reserved &&
		!pg_atomic_test_set_flag(&uuidnew_server_order->reserving))
		return clock;

	clock = uuidnew_order_check_clock();
	*reserved = uuidnew_order_reserve(clock.sec);
	return from_begin(clock);
}

/*
 * By how many seconds has use pushed the layout's time ahead?
 *
 * The lead shrinks by one per elapsed second, whatever the clock shows: a
 * clock that was an hour ahead for a moment does not stop keys for an hour.
 */
static int
secs_ahead(OrderedLayout *shared)
{
	int64		clock_sec = uuidnew_clock.last.sec;
	int64		passed = clock_sec - shared->clock_sec;

	/* -1: another session read the clock later, but got the lock earlier */
	if (passed > 0 || passed < -1)
		shared->clock_sec = clock_sec;
	if (passed > 0)
		shared->ahead -= Min(passed, shared->ahead);
	return shared->ahead;
}

/*
 * Counts a key from a time on, and copies the layout's counter.  Returns false
 * if the time was not reserved, and has to be read again.
 *
 * One counter serves all sessions, so it needs no random steps (rule 4).
 * Nothing else is done under the lock, because other sessions wait for it.
 */
static pg_always_inline bool
count_key(const UuidLayout *layout, OrderedLayout *shared, Tick now,
		  int64 reserved, NodePrefix prefix, uint64 random, bool in_flight,
		  SequenceCounter *counter)
{
	const int	limit = prefix.is_own ? OWN_NODE_AHEAD : MAX_AHEAD;
	NextTick	next;
	int64		ahead;
	bool		allowed;
	bool		counted;

	SpinLockAcquire(&shared->mutex);
	next = sequence_tick(layout, &shared->counter, now, prefix);
	ahead = next.tick.sec - Max(shared->counter.last_tick.sec, now.sec);
	allowed = likely(ahead <= 0) || secs_ahead(shared) + ahead <= limit;
	counted = allowed && next.tick.sec < reserved;
	if (likely(counted))
	{
		if (unlikely(ahead > 0))
			shared->ahead += ahead;
		sequence_count(layout, &shared->counter, next, prefix, random);
		if (in_flight &&
			(uuidnew_layouts_in_flight & (uint32) 1 << layout->number) == 0)
			uuidnew_set_in_flight(layout, next.tick);
	}
	*counter = shared->counter;
	SpinLockRelease(&shared->mutex);

	if (unlikely(!allowed))
		too_far_ahead(layout, limit);
	if (unlikely(!counted))
	{
		CHECK_FOR_INTERRUPTS();
		(void) uuidnew_order_reserve(next.tick.sec);
	}
	return counted;
}

/* Custom layouts are unlimited, so shared memory has no slots for them. */
static inline OrderedLayout *
shared_layout(const UuidLayout *layout)
{
	if (unlikely(uuidnew_first_key == NULL))
		uuidnew_flight_attach();
	if (unlikely(layout->is_custom))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("custom layouts are not supported when \"uuidnew.order_scope\" is \"server\""),
				 errhint("Use a built-in layout, or set \"uuidnew.order_scope\" to \"session\".")));
	return &uuidnew_server_order->layouts[layout->number];
}

/* The next UUID, a key if in_flight; false if its time is out of range */
static pg_always_inline bool
order_next(const UuidLayout *layout, Tick epoch, NodePrefix prefix,
		   bool in_flight, Tick *tick, UuidPayload *payload)
{
	uint64		random = entropy_uint64();
	OrderedLayout *shared = shared_layout(layout);
	SequenceCounter counter;
	ClockTime	clock;
	int64		reserved;
	UuidPayload time_bits;

	do
	{
		reserved = (int64) pg_atomic_read_u64(&uuidnew_server_order->reserved);

		/* read begin last: whoever sees a reservation must see its begin */
		pg_read_barrier();
		clock = from_begin(clock_now());

		/* nothing is reserved or counted for a time that is refused */
		*tick = tick_of(layout, clock);
		if (unlikely(!encode_tick(layout, *tick, epoch, &time_bits)))
			return refuse_time(layout, epoch);
		if (unlikely(clock.sec + 1 >= reserved))
			clock = reserve_for(clock, &reserved);
	} while (!count_key(layout, shared, tick_of(layout, clock), reserved,
						prefix, random, in_flight, &counter));

	if (unlikely(!tick_equal(*tick, counter.last_tick)) &&
		!encode_tick(layout, counter.last_tick, epoch, &time_bits))
		return false;
	*tick = counter.last_tick;
	*payload = counted_payload(layout, &counter,
							   sequence_is_used_up(layout, &counter),
							   time_bits, prefix, random);
	return true;
}

/* uuidnew_order_next - the next UUID, for a horizon: it is not a key. */
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
