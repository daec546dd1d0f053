/*
 * reserve.c
 *	  Time reserved ahead, which keeps the order of the server even through a
 *	  crash.
 *
 * No key has a time that is not reserved.  The end of the reservation is the
 * progress of a replication origin, which core keeps in the WAL, checkpoints
 * and base backups and on standbys, even without this library.  It is origin
 * 65534, the last one that core would assign: without a name, it cannot be
 * dropped.  A standby can't reserve: its keys are in order until it restarts.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "replication/origin.h"

#include "keys/verdict.h"
#include "order/order.h"
#include "call/arguments.h"

#define ORIGIN			((ReplOriginId) (PG_UINT16_MAX - 1))

#define RESERVE_SECS	2
#define MAX_SLOWNESS	10		/* seconds more on a slow disk, at most */

/* Report an order that begins more seconds than this ahead of the clock. */
#define REPORT_AHEAD	60

/* After a longer stop of the server, its order has to be moved. */
#define MAX_STOPPED		(366 * (int64) SECS_PER_DAY)

static void
report_begin(int elevel, int64 begin)
{
	int64		ahead = begin - (int64) time(NULL);

	if (ahead > REPORT_AHEAD)
		ereport(elevel,
				(errmsg("the order of the server begins %lld seconds ahead of the system clock",
						(long long) ahead)));
}

/* uuidnew_order_kept_until - the origin's end; 0 without a reservation. */
int64
uuidnew_order_kept_until(void)
{
	return (int64) (replorigin_get_progress(ORIGIN, false) / USECS_PER_SEC);
}

/*
 * uuidnew_order_find_begin - where the last reservation before the start
 * ended; NOT_YET_KNOWN during recovery, because others may follow.
 */
int64
uuidnew_order_find_begin(void)
{
	ServerOrder *order = uuidnew_server_order;
	uint64		expected = (uint64) NOT_YET_KNOWN;

	/* nothing is reserved before it is known */
	if (pg_atomic_read_u64(&order->begin) == expected && !RecoveryInProgress())
	{
		int64		begin = uuidnew_order_kept_until();

		if (pg_atomic_compare_exchange_u64(&order->begin, &expected,
										   (uint64) begin))
			report_begin(LOG, begin);
	}
	return (int64) pg_atomic_read_u64(&order->begin);
}

/*
 * uuidnew_order_reserve - reserve time for keys of a second, and some more.
 *
 * Several processes may do so at once.  Returns the end of the reservation.
 */
int64
uuidnew_order_reserve(int64 sec)
{
	/* seconds that this process's last flush took; reserve as many more */
	static int64 slowness = 0;
	ServerOrder *order = uuidnew_server_order;
	int64		until = RESERVE_SECS + slowness +
		Max(sec, uuidnew_order_find_begin());
	uint64		reserved;
	TimestampTz begun = GetCurrentTimestamp();

	if (RecoveryInProgress())
		return PG_INT64_MAX;
	replorigin_advance(ORIGIN, until * USECS_PER_SEC, InvalidXLogRecPtr,
					   false, true);
	XLogFlush(XactLastRecEnd);
	slowness = (GetCurrentTimestamp() - begun) / USECS_PER_SEC;
	slowness = Min(Max(slowness, 0), MAX_SLOWNESS);

	reserved = pg_atomic_read_u64(&order->reserved);
	while ((int64) reserved < until &&
		   !pg_atomic_compare_exchange_u64(&order->reserved, &reserved,
										   (uint64) until))
		;
	pg_atomic_clear_flag(&order->reserving);
	return Max(until, (int64) reserved);
}

/*
 * uuidnew_order_check_clock - reads the clock.  Raises an ERROR if it leapt
 * ahead since it was last accepted, or since the server's start: the order
 * would keep that time.
 *
 * How long the server was stopped is not known, so the first time after a
 * start is compared with the order's begin.  A time near the begin is always
 * accepted: that is how an administrator accepts the clock.  During recovery,
 * the begin is where the primary's reservation ends.
 *
 * The clock is read last: a process that is stopped must not delay it.
 */
ClockTime
uuidnew_order_check_clock(void)
{
	ServerOrder *order = uuidnew_server_order;
	int64		begin = (int64) pg_atomic_read_u64(&order->begin);
	int64		accepted = (int64) pg_atomic_read_u64(&order->clock_offset);
	int64		steady = uuidnew_steady_sec();
	ClockTime	clock = clock_now();
	int64		offset = clock.sec - steady;
	int64		leap = offset - accepted;

	if (begin == NOT_YET_KNOWN)
		begin = uuidnew_order_kept_until();
	if (accepted == NOT_YET_KNOWN)
	{
		leap = offset - order->start_offset;
		if (begin > 0 && clock.sec - begin > MAX_STOPPED)
			leap = clock.sec - begin;
	}
	if (clock.sec <= begin + uuidnew_max_clock_leap)
		leap = 0;
	uuidnew_clock_check_leap(leap, &order->reported,
							 "run SELECT uuidnew_order_begin_after(uuidv7_at(now()))");
	pg_atomic_write_u64(&order->clock_offset, (uint64) offset);
	return clock;
}

/* (uuid) -> void: all keys from now on have a time after this UUID's. */
PG_FUNCTION_INFO_V1(uuidnew_order_begin_after);
Datum
uuidnew_order_begin_after(PG_FUNCTION_ARGS)
{
	TimestampTz uuid_time;
	uint64		begin;
	int64		sec;
	int64		usec;

	PreventCommandDuringRecovery("uuidnew_order_begin_after()");
	uuidnew_order_require_shared("order to move");
	if (!time_in_uuid(PG_GETARG_UUID_P(0), &uuid_time))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the time of the UUID is not known"),
				 errhint("Use a UUID of version 1, 6 or 7; for another one, use uuidv7_at() with its time.")));
	sec = seconds_of(uuid_time, &usec) + 1;
	if (sec - clock_now().sec > MAX_STOPPED)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the time of the UUID is more than a year ahead of the system clock"),
				 errhint("Correct the clock, or use the greatest UUID that the server has generated.")));
	begin = (uint64) uuidnew_order_find_begin();

	/* without an order, as a first key: the clock would leap from the UUID */
	if (begin == 0 && clock_now().sec - sec > SECS_PER_DAY)
		sec = uuidnew_order_check_clock().sec;

	/* first, so that a crash can't undo it */
	(void) uuidnew_order_reserve(sec);
	while ((int64) begin < sec &&
		   !pg_atomic_compare_exchange_u64(&uuidnew_server_order->begin,
										   &begin, (uint64) sec))
		;

	/* accept the clock for good, not only while it is near the begin */
	if (clock_now().sec <= sec + uuidnew_max_clock_leap)
		(void) uuidnew_order_check_clock();
	report_begin(NOTICE, sec);
	PG_RETURN_VOID();
}
