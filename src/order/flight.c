/*
 * flight.c
 *	  Keys in flight: those of transactions that have not ended.
 *
 * A backend leaves the time of its transaction's first key in shared memory,
 * until the transaction has ended for all snapshots to come.  No other key of
 * the transaction is from before that time, of whatever layout.  Where it is
 * prepared, the time goes to the place of the prepared transaction.
 *
 * What parallel workers make is their leader's, and ends with it.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/procarray.h"

#include "order/order.h"

uint32		uuidnew_layouts_in_flight = 0;
pg_atomic_uint64 *uuidnew_first_key = NULL;

/* The backend's place, or its leader's */
static void
find_place(void)
{
	PGPROC	   *leader = MyProc->lockGroupLeader;
	int			number = (leader ? leader : MyProc) - ProcGlobal->allProcs;

	if (number >= 0 && number < MaxBackends)
		uuidnew_first_key = &uuidnew_server_order->first_keys[number];
}

/*
 * uuidnew_flight_attach - what a process does once, before its first key.
 *
 * Raises an ERROR if it has no place in the order.
 */
void
uuidnew_flight_attach(void)
{
	uuidnew_order_check();
	if (MyProc != NULL)
		find_place();
	if (uuidnew_first_key == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", and this process has no place in its order")));
}

/*
 * uuidnew_set_in_flight - a key of the transaction was made, the first of its
 * layout.  The layout's lock is held: who gets a later key of it sees this.
 */
void
uuidnew_set_in_flight(TimestampTz time)
{
	uint64		first = pg_atomic_read_u64(uuidnew_first_key);

	/* parallel workers have the same place */
	while (time < (TimestampTz) first &&
		   !pg_atomic_compare_exchange_u64(uuidnew_first_key, &first,
										   (uint64) time))
		;
}

/*
 * The transaction is prepared: its keys are in flight at the prepared
 * transaction's place from now on.  This process still holds the lock on it.
 */
static void
keep_prepared(void)
{
	ServerOrder *order = uuidnew_server_order;
	PGPROC	   *proc = prepared_proc(GetTopFullTransactionIdIfAny());
	int			number = MaxBackends + (proc - PreparedXactProcs);

	pg_atomic_write_u64(&order->first_keys[number],
						pg_atomic_read_u64(uuidnew_first_key));
}

/*
 * For new snapshots, the transaction has ended.
 *
 * A parallel worker's own ones, before it joins its leader's, end nothing.
 */
static void
end_transaction(XactEvent event, void *arg)
{
	const uint64 none = (uint64) NOT_IN_FLIGHT;

	if (IsParallelWorker() ||
		(event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT &&
		 event != XACT_EVENT_PREPARE))
		return;
	if (uuidnew_first_key == NULL)
		find_place();
	if (uuidnew_first_key == NULL)
		return;

	if (event == XACT_EVENT_PREPARE)
		keep_prepared();
	uuidnew_layouts_in_flight = 0;
	if (pg_atomic_read_u64(uuidnew_first_key) != none)
	{
		pg_write_barrier();
		pg_atomic_write_u64(uuidnew_first_key, none);
	}
}

/* uuidnew_flight_define - see every transaction end, from the start on. */
void
uuidnew_flight_define(void)
{
	RegisterXactCallback(end_transaction, NULL);
}

/*
 * uuidnew_oldest_in_flight - the time of the first key in flight, or
 * NOT_IN_FLIGHT.
 *
 * Sets *holder to its place: a backend's number, or that of a prepared
 * transaction after those.
 */
TimestampTz
uuidnew_oldest_in_flight(int *holder)
{
	ServerOrder *order = uuidnew_server_order;
	TimestampTz oldest = NOT_IN_FLIGHT;

	*holder = -1;
	for (int i = 0; i < MaxBackends; i++)
	{
		TimestampTz first =
			(TimestampTz) pg_atomic_read_u64(&order->first_keys[i]);

		if (first < oldest)
		{
			oldest = first;
			*holder = i;
		}
	}
	if (max_prepared_xacts == 0)
		return oldest;

	/*
	 * After them, as a key is here before it is no longer there.  The lock
	 * keeps a place from being given to another transaction.
	 */
	pg_read_barrier();
	LWLockAcquire(TwoPhaseStateLock, LW_SHARED);
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		pg_atomic_uint64 *place = &order->first_keys[MaxBackends + i];
		TimestampTz first = (TimestampTz) pg_atomic_read_u64(place);

		if (first >= oldest)
			continue;
		if (TransactionIdIsInProgress(PreparedXactProcs[i].xid))
		{
			oldest = first;
			*holder = MaxBackends + i;
		}
		else
			pg_atomic_write_u64(place, (uint64) NOT_IN_FLIGHT);
	}
	LWLockRelease(TwoPhaseStateLock);
	return oldest;
}

/*
 * uuidnew_check_prepared - raises an ERROR while a transaction is open that
 * was prepared before the server's start: which keys it made is not known.
 */
void
uuidnew_check_prepared(void)
{
	ServerOrder *order = uuidnew_server_order;
	StringInfoData xids;

	if (likely(pg_atomic_read_u32(&order->prepared_known) != 0))
		return;
	initStringInfo(&xids);
	LWLockAcquire(TwoPhaseStateLock, LW_SHARED);
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		PGPROC	   *proc = &PreparedXactProcs[i];
		VirtualTransactionId vxid;

		GET_VXID_FROM_PGPROC(vxid, *proc);
		if (TransactionIdIsValid(proc->xid) &&
			VirtualTransactionIdIsRecoveredPreparedXact(vxid) &&
			TransactionIdIsInProgress(proc->xid))
			appendStringInfo(&xids, "%s%u", xids.len > 0 ? ", " : "",
							 proc->xid);
	}
	LWLockRelease(TwoPhaseStateLock);
	if (xids.len > 0)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the horizon is not known yet"),
				 errdetail("Of these prepared transactions it is not known which keys they made: %s.",
						   xids.data),
				 errhint("Commit them or roll them back; the view pg_prepared_xacts has their names.")));
	pg_atomic_write_u32(&order->prepared_known, 1);
}
