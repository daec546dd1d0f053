/*
 * server_order.c
 *	  One order of the keys of all sessions: uuidnew.order_scope = server.
 *
 * Each layout's SequenceState (sequence.h) is in shared memory, under a
 * spinlock.  So a key is greater than every key that any session got before the
 * call, and no two keys are alike in time and sequence.
 *
 * To keep this through a crash, time is reserved ahead, some two times a second
 * where keys are made: no key has a time that is not reserved, and after a
 * start keys begin where the reservation ended.  It is kept as the progress of
 * a replication origin, "uuidnew".  Core has this in the WAL, in checkpoints and
 * on standbys, so that whichever server goes on, whatever became of its clock,
 * knows a time after every key that it can see.
 *
 * A standby can't reserve: there, keys are in order until it restarts.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_replication_origin.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "replication/origin.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/lmgr.h"
#include "storage/proc.h"
#include "storage/shmem.h"
#include "utils/builtins.h"
#include "utils/guc.h"

#include "compat.h"
#include "server_order.h"

#define ORIGIN			"uuidnew"

/* How much time is reserved, and with how much left it is done again. */
#define RESERVE_USECS	USECS_PER_SEC
#define RENEW_USECS		(RESERVE_USECS / 2)

enum
{
	SCOPE_SESSION, SCOPE_SERVER
};

static const struct config_enum_entry scopes[] = {
	{"session", SCOPE_SESSION, false},
	{"server", SCOPE_SERVER, false},
	{NULL, 0, false}
};

static int	order_scope = SCOPE_SESSION;
bool		uuidnew_order_shared = false;
LocalTransactionId uuidnew_order_changed_in = InvalidLocalTransactionId;

ServerOrder *uuidnew_server_order = NULL;
uint32		uuidnew_layouts_in_flight = 0;

static bool scope_defined = false;

static bool attached = false;
static int	my_number;
static PGPROC *my_leader;
static LayoutLink links[ORDER_LAYOUTS];
static int	nlinks = 0;

static shmem_startup_hook_type previous_shmem_startup = NULL;

/*
 * Shared memory: ServerOrder, then OrderBackends, FirstKeys and PreparedKeys.
 */

static Size
backends_offset(void)
{
	return MAXALIGN64(sizeof(ServerOrder));
}

static Size
firsts_offset(int nbackends)
{
	return backends_offset() + mul_size(nbackends, sizeof(OrderBackend));
}

static Size
prepared_offset(int nbackends)
{
	return firsts_offset(nbackends) +
		mul_size(mul_size(nbackends, ORDER_LAYOUTS), sizeof(FirstKey));
}

static Size
shared_size(int nbackends)
{
	return prepared_offset(nbackends) +
		mul_size(max_prepared_xacts, sizeof(PreparedKeys));
}

static inline void *
shared_at(Size offset)
{
	return (char *) uuidnew_server_order + offset;
}

OrderBackend *
uuidnew_order_backends(void)
{
	return shared_at(backends_offset());
}

/* The first keys of a layout, by the number of the backend. */
FirstKey *
uuidnew_order_firsts(int layout)
{
	int			nbackends = uuidnew_server_order->nbackends;

	return (FirstKey *) shared_at(firsts_offset(nbackends)) + (Size) layout * nbackends;
}

PreparedKeys *
uuidnew_order_prepared(void)
{
	return shared_at(prepared_offset(uuidnew_server_order->nbackends));
}

static void
initialize(ServerOrder *order)
{
	memset(order, 0, shared_size(MaxBackends));
	order->nbackends = MaxBackends;
	order->nprepared = max_prepared_xacts;
	order->size = shared_size(MaxBackends);
	pg_atomic_init_u64(&order->reserved_until, 0);
	pg_atomic_init_flag(&order->reserving);
	SpinLockInit(&order->mutex);
	for (int i = 0; i < ORDER_LAYOUTS; i++)
		SpinLockInit(&order->layouts[i].layout.mutex);
	LWLockInitialize(&order->prepared_lock, new_lwlock_tranche("uuidnew"));
	pg_atomic_init_u32(&order->changes, 1);
	pg_atomic_init_u32(&order->left, 0);
	order->changed_at = GetCurrentTimestamp();
}

static void
initialize_segment(void *segment SEGMENT_ARG)
{
	initialize(segment);
}

static void
shmem_startup(void)
{
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	uuidnew_server_order = ShmemInitStruct("uuidnew", shared_size(MaxBackends), &found);
	if (!found)
	{
		initialize(uuidnew_server_order);
		uuidnew_server_order->preloaded = true;

		/* the first session to come finds it so */
		if (order_scope == SCOPE_SERVER)
			uuidnew_server_order->running_settled = 1;
		else
			pg_atomic_write_u32(&uuidnew_server_order->left, 1);
	}
	LWLockRelease(AddinShmemInitLock);
}

static void
request_shmem(void)
{
	RequestAddinShmemSpace(shared_size(MAX_BACKENDS_PLANNED));
}

SHMEM_REQUEST_HOOK(request_shmem)

/*
 * uuidnew_order_attach - shared memory, for a process that needs it.
 *
 * Raises an ERROR where there is none.
 */
void
uuidnew_order_attach(void)
{
	if (attached)
		return;
	if (MyProc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", and this process has no place in its order")));
	if (uuidnew_server_order == NULL)
		uuidnew_server_order = named_segment("uuidnew", shared_size(MaxBackends),
											 initialize_segment);
	if (uuidnew_server_order == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", but there is no shared memory for it"),
				 errhint("Add \"uuidnew\" to \"shared_preload_libraries\" and restart the server, or set \"uuidnew.order_scope\" to \"session\".")));

	StaticAssertStmt(sizeof(PaddedLayout) == 2 * PG_CACHE_LINE_SIZE, "layout is too long");
	StaticAssertStmt(sizeof(FirstKey) == 64, "first key is too long");

	/* what parallel workers make is their leader's */
	my_leader = MyProc->lockGroupLeader ? MyProc->lockGroupLeader : MyProc;
	my_number = my_leader - ProcGlobal->allProcs;
	if (my_number < 0 || my_number >= uuidnew_server_order->nbackends)
		elog(ERROR, "process number %d is out of range", my_number);
	uuidnew_horizon_attach();
	attached = true;
}

int
uuidnew_order_my_number(void)
{
	return my_number;
}

/*
 * States
 */

/* Nothing more fits in a tick; a later one may be the state's already. */
static void
use_up(const UuidLayout *layout, SequenceState *state, Tick tick)
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

/* Microseconds since 1970 until which time must be reserved for a tick. */
static uint64
tick_end_usec(const UuidLayout *layout, Tick tick)
{
	if (tick.sec < 0)
		return 1;
	return tick.sec * USECS_PER_SEC +
		(uint64) tick.subsec * USECS_PER_SEC / layout->ticks_per_sec + 1;
}

/* The last tick that begins before a time. */
static Tick
last_tick_before(const UuidLayout *layout, uint64 usec)
{
	Tick		tick = {(usec - 1) / USECS_PER_SEC, 0};

	tick.subsec = layout->ticks(layout, (usec - 1) % USECS_PER_SEC * NSECS_PER_USEC +
								NSECS_PER_USEC - 1);
	return tick;
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
	link->first = &link->firsts[my_number];
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

/*
 * The session's own order: its keys come before those of the common order, and
 * when it leaves that, its own goes on from there.
 */
static void
join_state(LayoutLink *link, SequenceState *own, Tick epoch)
{
	link->own = own;
	for (int i = 0; i < link->nowns; i++)
		if (link->owns[i] == own)
			return;
	if (link->nowns < OWN_STATES)
		link->owns[link->nowns++] = own;

	if (own->started)
	{
		SpinLockAcquire(&link->shared->mutex);
		use_up(&link->layout, &link->shared->state, own->last_tick);
		SpinLockRelease(&link->shared->mutex);
	}
	else
	{
		/* it is the epoch's from now on */
		own->started = true;
		own->epoch = epoch;
		own->last_tick.sec = PG_INT64_MIN;
	}
}

static void
leave(void)
{
	for (int i = 0; i < nlinks; i++)
	{
		LayoutLink *link = &links[i];
		SequenceState state;

		SpinLockAcquire(&link->shared->mutex);
		state = link->shared->state;
		SpinLockRelease(&link->shared->mutex);
		for (int k = 0; k < link->nowns && state.started; k++)
			use_up(&link->layout, link->owns[k], state.last_tick);
	}
	nlinks = 0;
	uuidnew_order_shared = false;
}

/*
 * Reservation
 */

/*
 * Sets a layout's limits by what is reserved.  Returns whether its last tick
 * is within (not must: with enough left).
 */
static bool
set_limits(LayoutLink *link, bool must)
{
	ServerOrder *order = uuidnew_server_order;
	OrderedLayout *shared = link->shared;
	uint64		until = pg_atomic_read_u64(&order->reserved_until);
	Tick		limit;
	Tick		renew;
	bool		enough;

	if (until <= RESERVE_USECS)
		return false;
	pg_read_barrier();
	limit = last_tick_before(&link->layout, until);
	renew = last_tick_before(&link->layout, until - RENEW_USECS);

	SpinLockAcquire(&shared->mutex);
	if (!shared->restored)
	{
		if (order->restored_until > 0)
		{
			Tick		tick = last_tick_before(&link->layout, order->restored_until);

			if (link->layout.secs_per_tick > 1)
				tick = tick_of_seconds(&link->layout, tick, shared->epoch);
			use_up(&link->layout, &shared->state, tick);
		}
		shared->restored = true;
	}
	if (tick_after(limit, shared->limit))
	{
		shared->limit = limit;
		shared->renew = renew;
	}
	enough = !tick_after(shared->state.last_tick, must ? shared->limit : shared->renew);
	SpinLockRelease(&shared->mutex);
	return enough;
}

/* The origin, locked so that it is not dropped, and by one process at a time. */
static ReplOriginId
lock_origin(void)
{
	ReplOriginId origin;

	/* until PostgreSQL 15 this keeps it, then the other lock */
	LockRelationOid(ReplicationOriginRelationId, RowExclusiveLock);
	for (;;)
	{
		origin = replorigin_by_name(ORIGIN, true);
		if (origin == InvalidReplOriginId)
			ereport(ERROR,
					(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
					 errmsg("\"uuidnew.order_scope\" is \"server\", but there is no replication origin \"%s\" to keep the order through a restart",
							ORIGIN),
					 errhint("As a superuser, run SELECT pg_replication_origin_create('%s').",
							 ORIGIN)));
		LockSharedObject(ReplicationOriginRelationId, origin, 0, ShareUpdateExclusiveLock);
		if (replorigin_by_name(ORIGIN, true) == origin)
			return origin;
		UnlockSharedObject(ReplicationOriginRelationId, origin, 0, ShareUpdateExclusiveLock);
	}
}

static void
unlock_origin(ReplOriginId origin)
{
	UnlockSharedObject(ReplicationOriginRelationId, origin, 0, ShareUpdateExclusiveLock);
	UnlockRelationOid(ReplicationOriginRelationId, RowExclusiveLock);
}

/*
 * Reserves time for a layout's last tick and some more.
 */
static void
reserve(LayoutLink *link, bool must)
{
	ServerOrder *order = uuidnew_server_order;
	OrderedLayout *shared = link->shared;
	ReplOriginId origin;

	if (set_limits(link, must))
		return;

	/* while one reserves, others go on as long as they can */
	if (!pg_atomic_test_set_flag(&order->reserving) && !must)
		return;

	origin = lock_origin();
	if (!order->register_read)
	{
		uint64		until = replorigin_get_progress(origin, false);

		/* what was replayed or restored: see the top of this file */
		order->restored_until = until;
		order->register_read = true;
		pg_write_barrier();
	}
	if (!set_limits(link, must))
	{
		ClockTime	now = clock_now();
		Tick		last_tick;
		uint64		until;

		SpinLockAcquire(&shared->mutex);
		last_tick = shared->state.last_tick;
		SpinLockRelease(&shared->mutex);

		until = tick_end_usec(&link->layout, last_tick);
		if (now.sec > 0)
			until = Max(until, (uint64) now.sec * USECS_PER_SEC + now.nsec / NSECS_PER_USEC);
		until = Max(until, order->restored_until) + RESERVE_USECS;
		until = Max(until, pg_atomic_read_u64(&order->reserved_until));

		replorigin_advance(origin, until, InvalidXLogRecPtr, false, true);
		XLogFlush(XactLastRecEnd);
		pg_atomic_write_u64(&order->reserved_until, until);
		(void) set_limits(link, must);
	}
	pg_atomic_clear_flag(&order->reserving);
	unlock_origin(origin);
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

	/* a parallel worker's leader, or another worker, may have made one */
	if (pg_atomic_read_u32(&first->in_flight))
		return;
	pg_atomic_write_u32(&first->changes, pg_atomic_read_u32(&first->changes) + 1);
	pg_write_barrier();
	first->key = *position;
	first->lxid = InvalidLocalTransactionId;
	if (unlikely(IsParallelWorker() &&
				 uuidnew_order_backends()[my_number].attached != my_leader->pid))
	{
		first->lxid = proc_local_xid(my_leader);
		first->pid = my_leader->pid;
	}
	pg_atomic_write_u32(&first->in_flight, 1);
	pg_write_barrier();
	pg_atomic_write_u32(&first->changes, pg_atomic_read_u32(&first->changes) + 1);
	if (link->shared->backends <= my_number)
		link->shared->backends = my_number + 1;
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
		uuidnew_clear_left_key(link->number, my_number);
		pg_atomic_fetch_or_u32(&uuidnew_order_backends()[my_number].workers_layouts, mask);
	}

	for (;;)
	{
		uint64		random = entropy_uint64();
		Tick		now = tick_now(layout);
		bool		fits;
		bool		renew = false;
		bool		beyond = false;

		SpinLockAcquire(&shared->mutex);

		/* here the sequence counts on by one, however far the clock is behind */
		if (tick_after(shared->state.last_tick, now) && shared->state.started)
			now = shared->state.last_tick;
		fits = sequence_next(layout, &shared->state, epoch, now, prefix, random, &payload);
		if (likely(fits))
		{
			Tick		tick = shared->state.last_tick;

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
			uuidnew_time_out_of_range(layout, SINCE_1970(epoch.sec * USECS_PER_SEC));
		if (likely(!beyond))
		{
			if (is_first)
				uuidnew_layouts_in_flight |= mask;
			if (unlikely(renew))
				reserve(link, false);
			return payload;
		}
		/* the UUID is given up: its time is not reserved */
		reserve(link, true);
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

	if (order_scope == SCOPE_SESSION)
	{
		leave();
		return uuidnew_generate(layout, state, epoch, prefix);
	}
	link = uuidnew_order_link(layout, epoch);
	if (unlikely(state != link->own))
		join_state(link, state, epoch);
	return return_payload(uuidnew_order_next(link, epoch, prefix, true, NULL),
						  layout->version);
}

/*
 * The setting
 */

bool
uuidnew_order_is_servers(void)
{
	return order_scope == SCOPE_SERVER;
}

/*
 * uuidnew_order_changed - transactions from before this time may have made keys
 * that the common order does not know.
 */
void
uuidnew_order_changed(TimestampTz at)
{
	uuidnew_server_order->changed_at = at;
	pg_write_barrier();
	pg_atomic_fetch_add_u32(&uuidnew_server_order->changes, 1);
}

/* The postmaster, if it has the library, is the first to see a change. */
static void
assign_order_scope(int scope, void *extra)
{
	/* a session that was in the common order leaves it with its next key */
	uuidnew_order_shared = scope == SCOPE_SERVER || nlinks > 0;
	if (scope == order_scope || !scope_defined)
		return;
	if (scope == SCOPE_SERVER)
	{
		if (MyProc != NULL)
			uuidnew_order_changed_in = proc_local_xid(MyProc);
		if (!IsUnderPostmaster && uuidnew_server_order != NULL)
		{
			uuidnew_order_changed(GetCurrentTimestamp());
			pg_atomic_write_u32(&uuidnew_server_order->left, 0);
		}
	}
	else if (attached)
		uuidnew_order_backends()[my_number].in_order = 0;
	else if (!IsUnderPostmaster && uuidnew_server_order != NULL)
		pg_atomic_write_u32(&uuidnew_server_order->left, 1);
}

/*
 * uuidnew_order_define - define the setting, and ask for shared memory if the
 * library is preloaded.
 */
void
uuidnew_order_define(void)
{
	DefineCustomEnumVariable("uuidnew.order_scope",
							 "Sets whose UUIDs are in one order.",
							 "\"session\": each session's; \"server\": those of all sessions, kept through restart and failover.",
							 &order_scope,
							 SCOPE_SESSION,
							 scopes,
							 PGC_SIGHUP,
							 0,
							 NULL,
							 assign_order_scope,
							 NULL);
	scope_defined = true;

	if (process_shared_preload_libraries_in_progress)
	{
		REQUEST_SHMEM(request_shmem);
		previous_shmem_startup = shmem_startup_hook;
		shmem_startup_hook = shmem_startup;
	}
}
