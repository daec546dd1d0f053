/*
 * server_order.c
 *	  One order of the keys of all sessions: uuidnew.order_scope = server.
 *
 * Each layout's SequenceState (sequence.h) is in shared memory, under a
 * spinlock.  So a key is greater than every key that any session got before the
 * call, and no two keys are alike in time and sequence.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/proc.h"

#include "compat.h"
#include "server_order.h"

uint32		uuidnew_layouts_in_flight = 0;

static LayoutLink links[ORDER_LAYOUTS];
static int	nlinks = 0;

/*
 * uuidnew_order_use_up - let nothing more fit in a tick; a later one may be the
 * state's already.
 */
void
uuidnew_order_use_up(const UuidLayout *layout, SequenceState *state, Tick tick)
{
	NodePrefix	none = {0, 0};

	if (state->started && tick_after(state->last_tick, tick))
		return;
	state->started = true;
	state->last_tick = tick;
	state->sequence = low_bits(layout->sequence_bits);
	state->lending = true;
	state->overflow = low_bits(usable_overflow_bits(layout, none));
	state->prefix = none;
}

/*
 * The epochs of a layout share a state, which has times, not timestamps.  But
 * ticks longer than a second are counted from the epoch on: then each epoch has
 * its own.
 */
static Tick
own_epoch(const UuidLayout *layout, Tick epoch)
{
	Tick		none = {0, 0};

	return layout->secs_per_tick > 1 ? epoch : none;
}

/* Layouts with a name always have room. */
static int
named_layouts(void)
{
	return uuidnew_v6.nlayouts + uuidnew_v7.nlayouts + uuidnew_v8.nlayouts;
}

/*
 * uuidnew_order_link - a layout's shared state.
 *
 * Raises an ERROR if there are too many layouts.
 */
static LayoutLink *
make_link(const UuidLayout *layout, Tick epoch)
{
	ServerOrder *order;
	const char *name = layout->name ? layout->name : "";
	LayoutLink *link;
	OrderedLayout *shared = NULL;
	int			number;
	bool		found = false;
	bool		room;

	uuidnew_order_attach();
	order = uuidnew_server_order;
	if (layout->secs_per_tick > MAX_AHEAD_SECS)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("a tick of %u seconds is too long for \"uuidnew.order_scope\" = \"server\"",
						layout->secs_per_tick),
				 errhint("Use a layout with a tick of at most %d seconds.", MAX_AHEAD_SECS)));

	SpinLockAcquire(&order->mutex);
	for (number = 0; number < order->nlayouts; number++)
	{
		shared = &order->layouts[number].layout;
		if (shared->version == layout->version && strcmp(shared->name, name) == 0 &&
			tick_equal(shared->epoch, epoch))
		{
			found = true;
			break;
		}
	}
	room = !layout->by_numbers || order->nby_numbers < ORDER_LAYOUTS - named_layouts();
	if (!found && room)
	{
		shared = &order->layouts[number].layout;
		shared->ticks_per_sec = layout->ticks_per_sec;
		shared->version = layout->version;
		shared->epoch = epoch;
		strlcpy(shared->name, name, ORDER_NAME_LEN);

		/* before the first key, time has to be reserved */
		shared->limit.sec = shared->renew.sec = PG_INT64_MIN;
		order->nlayouts++;
		order->nby_numbers += layout->by_numbers;
		found = true;
	}
	SpinLockRelease(&order->mutex);
	if (!found)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("too many layouts by numbers for \"uuidnew.order_scope\" = \"server\""),
				 errdetail("Since the server was started, keys of %d have been made.",
						   ORDER_LAYOUTS - named_layouts()),
				 errhint("Restart the server, and use fewer.")));

	link = &links[nlinks++];
	memset(link, 0, sizeof(*link));
	link->source = layout;
	link->layout = *layout;
	if (layout->name != NULL)
		link->layout.name = shared->name;
	link->shared = shared;
	link->number = number;
	link->firsts = uuidnew_order_firsts(number);
	link->first = &link->firsts[uuidnew_order_my_number()];
	return link;
}

LayoutLink *
uuidnew_order_link(const UuidLayout *layout, Tick epoch)
{
	epoch = own_epoch(layout, epoch);
	for (int i = 0; i < nlinks; i++)
	{
		/* of those given by numbers only the name stays */
		if (!layout->by_numbers ?
			links[i].source == layout :
			links[i].layout.by_numbers && strcmp(links[i].layout.name, layout->name) == 0 &&
			tick_equal(links[i].shared->epoch, epoch))
			return &links[i];
	}
	return make_link(layout, epoch);
}

pg_noreturn static void
too_far_ahead(const UuidLayout *layout, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
			 errmsg("UUIDs of version %d are too far ahead of the clock", layout->version),
			 layout->name != NULL ?
			 errdetail("Ticks of the layout \"%s\" were used up for more than %d seconds.",
					   layout->name, MAX_AHEAD_SECS) : 0,
			 errhint("%s", hint)));
}

/*
 * The session's own order: its keys come before those of the common order, and
 * when it leaves that, its own goes on from there.
 */
static void
join_state(LayoutLink *link, SequenceState *own, Tick epoch)
{
	bool		known = false;

	for (int i = 0; i < link->nowns && !known; i++)
		known = link->owns[i] == own;
	if (known)
		;
	else if (own->started)
	{
		SequenceState *state = &link->shared->state;
		int64		clock_sec = uuidnew_clock.highest.sec;
		bool		near;

		SpinLockAcquire(&link->shared->mutex);
		if (state->started)
			clock_sec = Max(clock_sec, state->last_tick.sec);
		near = own->last_tick.sec < clock_sec ||
			own->last_tick.sec - clock_sec <= MAX_AHEAD_SECS;
		if (near)
			uuidnew_order_use_up(&link->layout, state, own->last_tick);
		SpinLockRelease(&link->shared->mutex);
		if (!near)
			too_far_ahead(&link->layout, "Disconnect: a new session takes its place in the order of all.");
	}
	else
	{
		/* it is the epoch's from now on */
		own->started = true;
		own->epoch = epoch;
		own->last_tick.sec = PG_INT64_MIN;
	}
	if (!known && link->nowns < OWN_STATES)
		link->owns[link->nowns++] = own;
	link->own = own;
}

/* The session's own order goes on after a tick of the common one. */
static void
go_on_after(LayoutLink *link, SequenceState *own, Tick tick)
{
	const UuidLayout *layout = &link->layout;
	Tick		epoch = {layout->epoch, 0};

	uuidnew_order_use_up(layout, own, tick);

	/* v6 starts at random, where other sessions do not */
	if (layout->sequence_continues && tick_equal(own->last_tick, tick) &&
		enter_tick(layout, own, epoch, tick_successor(layout, tick)))
	{
		/* not at the last, where the node counts */
		own->sequence = entropy_uint64() % low_bits(layout->sequence_bits);
		own->lending = false;
	}
}

static void
leave(void)
{
	ServerOrder *order = uuidnew_server_order;

	/* who asks for a horizon may hear of the change later */
	if (order != NULL && !order->preloaded)
	{
		TimestampTz now = GetCurrentTimestamp();

		SpinLockAcquire(&order->mutex);
		uuidnew_order_changed(now);
		SpinLockRelease(&order->mutex);
	}

	for (int i = 0; i < nlinks; i++)
	{
		LayoutLink *link = &links[i];
		SequenceState state;

		SpinLockAcquire(&link->shared->mutex);
		state = link->shared->state;
		SpinLockRelease(&link->shared->mutex);
		for (int k = 0; k < link->nowns && state.started; k++)
		{
			/* it may be another layout's by now */
			if (!link->layout.by_numbers ||
				uuidnew_custom_state_is(link->owns[k], &link->layout))
				go_on_after(link, link->owns[k], state.last_tick);
		}
	}
	nlinks = 0;
	uuidnew_order_shared = false;
}

/*
 * Generation
 */

/* Does a standby make the key?  Once it was promoted, never again. */
static inline bool
in_recovery(void)
{
	static bool recovered = false;

	if (likely(recovered))
		return false;
	recovered = !RecoveryInProgress();
	return !recovered;
}

/* The spinlock is held. */
static inline void
set_first_key(LayoutLink *link, const KeyPosition *position)
{
	FirstKey   *first = link->first;
	int			number = uuidnew_order_my_number();
	PGPROC	   *leader = uuidnew_order_my_leader();

	/* a parallel worker's leader, or another worker, may have made one */
	if (pg_atomic_read_u32(&first->in_flight))
		return;
	pg_atomic_write_u32(&first->changes, pg_atomic_read_u32(&first->changes) + 1);
	pg_write_barrier();
	first->key = *position;
	first->lxid = InvalidLocalTransactionId;
	if (unlikely(IsParallelWorker() &&
				 uuidnew_order_backends()[number].attached != leader->pid))
	{
		first->lxid = proc_local_xid(leader);
		first->pid = leader->pid;
	}
	pg_atomic_write_u32(&first->in_flight, 1);
	pg_write_barrier();
	pg_atomic_write_u32(&first->changes, pg_atomic_read_u32(&first->changes) + 1);
	if (link->shared->backends <= number)
		link->shared->backends = number + 1;
}

/*
 * Another tick that the clock has not come to: may it be used?  The spinlock is
 * held.
 */
static bool
lend_tick(OrderedLayout *shared, ClockTime clock)
{
	Tick		last = shared->state.last_tick;

	if (!tick_equal(shared->lent, last))
		shared->clock_sec = last.sec;
	shared->clock_sec = Max(shared->clock_sec, clock.sec);
	return last.sec - shared->clock_sec < MAX_AHEAD_SECS;
}

/*
 * A layout's lock is held for some nanoseconds: who has to wait for it looks again
 * soon.  SpinLockAcquire() would sleep for a millisecond too early, as its looks
 * take the cache line away from the holder.
 */
static inline void
lock_state(slock_t *mutex)
{
	if (likely(!TAS(mutex)))
		return;
	for (int tries = 0, delay = 1; tries < 50; tries++)
	{
		for (int i = 0; i < delay; i++)
			SPIN_DELAY();
		if (!TAS_SPIN(mutex))
			return;
		delay = Min(2 * delay, 64);
	}
	SpinLockAcquire(mutex);
}

/*
 * uuidnew_order_next - the next UUID of a layout in the server's order, and its
 * position.
 *
 * in_flight: it is a key of the current transaction.  Raises 22008 for a time
 * that the layout can't hold.
 */
UuidPayload
uuidnew_order_next(LayoutLink *link, Tick epoch, NodePrefix prefix,
				   bool in_flight, KeyPosition *position)
{
	const UuidLayout *layout = &link->layout;
	OrderedLayout *shared = link->shared;
	uint32		mask = (uint32) 1 << link->number;
	bool		is_first = in_flight && (uuidnew_layouts_in_flight & mask) == 0;
	bool		reserves = !in_recovery();
	UuidPayload payload;

	if (unlikely(is_first && IsParallelWorker()))
	{
		int			number = uuidnew_order_my_number();

		uuidnew_clear_left_key(link->number, number);
		pg_atomic_fetch_or_u32(&uuidnew_order_backends()[number].workers_layouts, mask);
	}

	for (;;)
	{
		uint64		random = entropy_uint64();
		ClockTime	clock = clock_now();
		Tick		now = {clock.sec, layout->ticks(layout, clock.nsec)};
		bool		lends = false;
		bool		fits;
		bool		renew = false;
		bool		beyond = false;

		if (unlikely(layout->secs_per_tick > 1))
			now = tick_of_seconds(layout, now, epoch);

		lock_state(&shared->mutex);
		if (shared->state.started && !tick_after(now, shared->state.last_tick))
		{
			/*
			 * here the sequence counts on by one, however far the clock is
			 * behind
			 */
			now = shared->state.last_tick;
			lends = !tick_has_room(layout, &shared->state, prefix);
			if (unlikely(lends) && !lend_tick(shared, clock))
			{
				SpinLockRelease(&shared->mutex);
				too_far_ahead(layout, "Wait, or use a layout with a finer tick or fewer bits of your own.");
			}
		}
		fits = sequence_next(layout, &shared->state, epoch, now, prefix, random, &payload);
		if (likely(fits))
		{
			Tick		tick = shared->state.last_tick;

			if (unlikely(lends))
				shared->lent = tick;
			if (unlikely(reserves && tick_after(tick, shared->renew)))
			{
				renew = true;
				beyond = tick_after(tick, shared->limit);
			}
			if (unlikely(is_first || position != NULL) && !beyond)
			{
				KeyPosition here = {tick, {payload.hi ^ shared->state.time_bits.hi,
				payload.lo ^ shared->state.time_bits.lo}};

				if (is_first)
					set_first_key(link, &here);
				if (position != NULL)
					*position = here;
			}
		}
		SpinLockRelease(&shared->mutex);

		if (unlikely(!fits))
			uuidnew_time_out_of_range(layout, tick_timestamp(layout, epoch));
		if (likely(!beyond))
		{
			if (is_first)
				uuidnew_layouts_in_flight |= mask;
			if (unlikely(renew))
				uuidnew_order_reserve(link, false);
			return payload;
		}
		/* the UUID is given up: its time is not reserved */
		uuidnew_order_reserve(link, true);
	}
}

/*
 * uuidnew_order_generate - uuidnew_generate, unless the session is on its own.
 */
Datum
uuidnew_order_generate(const UuidLayout *layout, SequenceState *state, Tick epoch,
					   NodePrefix prefix)
{
	LayoutLink *link;

	if (!uuidnew_order_is_servers())
	{
		uuidnew_order_check_scope();
		leave();
		return uuidnew_generate(layout, state, epoch, prefix);
	}
	link = uuidnew_order_link(layout, epoch);
	if (unlikely(state != link->own))
		join_state(link, state, epoch);
	return return_payload(uuidnew_order_next(link, epoch, prefix, true, NULL),
						  layout->version);
}
