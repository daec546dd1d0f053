/*
 * server_order_store.c
 *	  What keeps the order of the server (server_order.c) through a crash: time
 *	  that is reserved ahead.
 *
 * Some two times a second where keys are made, time is reserved: no key has a
 * time that is not, and after a start keys begin where the reservation ended.
 * It is kept as the progress of a replication origin, "uuidnew".  Core has this
 * in the WAL, in checkpoints and on standbys, so that whichever server goes on,
 * whatever became of its clock, knows a time after every key that it can see.
 *
 * A standby can't reserve: there, keys are in order until it restarts.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_replication_origin.h"
#include "replication/origin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "compat.h"
#include "server_order.h"

#define ORIGIN			"uuidnew"

/* How much time is reserved, and with how much left it is done again. */
#define RESERVE_USECS	USECS_PER_SEC
#define RENEW_USECS		(RESERVE_USECS / 2)

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
			uuidnew_order_use_up(&link->layout, &shared->state, tick);
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

/*
 * An origin that is rolled back would leave its progress to the next of its
 * number, which may be a subscription's.
 */
static void
check_committed(void)
{
	HeapTuple	tuple = SearchSysCache1(REPLORIGNAME, CStringGetTextDatum(ORIGIN));
	bool		committed;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for replication origin \"%s\"", ORIGIN);
	committed = !TransactionIdIsCurrentTransactionId(HeapTupleHeaderGetXmin(tuple->t_data));
	ReleaseSysCache(tuple);
	if (!committed)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("replication origin \"%s\" was created in this transaction", ORIGIN),
				 errhint("Commit, then make UUIDs.")));
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
		{
			check_committed();
			return origin;
		}
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
 * uuidnew_order_reserve - reserve time for a layout's last tick and some more.
 *
 * must: it is beyond what is reserved.  Otherwise another process may do it.
 */
void
uuidnew_order_reserve(LayoutLink *link, bool must)
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
