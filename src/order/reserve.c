/*
 * reserve.c
 *	  What keeps the order of the server through a crash: time that is reserved
 *	  ahead.
 *
 * Once a second where keys are made, the time to the end of the next second is
 * reserved: no key has a time that is not, and after a start keys begin where
 * the reservation ended.
 *
 * It is kept as the progress of a replication origin.  Core has that in the
 * WAL, in checkpoints and base backups and on standbys, whether they have this
 * library or not: so whichever server goes on, and whatever its clock says, it
 * knows a time after every key that it can see.  The origin has a number that
 * core would give the last of 65,534, and no name: nobody has to create it,
 * nobody can drop it, and no lock on the catalog is needed.
 *
 * A standby can't reserve: there, keys are in order until it restarts.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "replication/origin.h"

#include "order/order.h"

#define ORIGIN			((ReplOriginId) (PG_UINT16_MAX - 1))

#define RESERVE_SECS	2
#define MAX_SLOWNESS	10		/* seconds more on a slow disk, at most */

#define END_OF_9999		INT64CONST(253402300800)	/* 10000-01-01 */

/*
 * uuidnew_order_find_begin - where the last reservation before the start
 * ended.  Not during recovery, in which others may follow.
 */
int64
uuidnew_order_find_begin(void)
{
	ServerOrder *order = uuidnew_server_order;
	uint64		expected = (uint64) NOT_YET_KNOWN;

	/* nothing is reserved before it is known */
	if (pg_atomic_read_u64(&order->begin) == expected)
	{
		uint64		usec = replorigin_get_progress(ORIGIN, false) +
			USECS_PER_SEC - 1;

		(void) pg_atomic_compare_exchange_u64(&order->begin, &expected,
											  usec / USECS_PER_SEC);
	}
	return (int64) pg_atomic_read_u64(&order->begin);
}

/*
 * uuidnew_order_reserve - reserve time for keys of a second, and some more.
 *
 * Several processes may do so at once.  Returns until when time is reserved.
 */
int64
uuidnew_order_reserve(int64 sec)
{
	/* how long this process waited last: by then, time has to be left */
	static int64 slowness = 0;
	ServerOrder *order = uuidnew_server_order;
	int64		until = RESERVE_SECS + slowness +
		Max(sec, uuidnew_order_find_begin());
	uint64		reserved;
	TimestampTz begun = GetCurrentTimestamp();

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
 * (timestamptz) -> void: where the order begins when the server is next
 * started with it, earlier or later than where it would.
 */
PG_FUNCTION_INFO_V1(uuidnew_order_begin_at);
Datum
uuidnew_order_begin_at(PG_FUNCTION_ARGS)
{
	TimestampTz time = PG_GETARG_TIMESTAMPTZ(0);
	int64		sec;

	PreventCommandDuringRecovery("uuidnew_order_begin_at()");
	if (uuidnew_order_scope == SCOPE_SERVER)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\": the order has begun"),
				 errhint("Set it to \"session\", restart the server, and call this before you set it to \"server\" again.")));
	sec = TIMESTAMP_NOT_FINITE(time) ? -1 :
		time / USECS_PER_SEC + EPOCH_POSTGRES + 1;
	if (sec < 1 || sec >= END_OF_9999)
		ereport(ERROR,
				(errcode(ERRCODE_DATETIME_VALUE_OUT_OF_RANGE),
				 errmsg("the order of the server cannot begin before 1970 or after the year 9999")));
	replorigin_advance(ORIGIN, sec * USECS_PER_SEC, InvalidXLogRecPtr,
					   true, true);
	XLogFlush(XactLastRecEnd);
	PG_RETURN_VOID();
}
