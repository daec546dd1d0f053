/*
 * flight.c
 *	  Keys in flight: keys of transactions that have not ended.
 *
 * A backend keeps the time of its transaction's first key in shared memory
 * until all later snapshots know that the transaction has ended.  All keys of
 * the transaction, in all layouts and parallel workers, have this time or a
 * later one.
 *
 * When a transaction is prepared, its time moves to the place of the prepared
 * transaction.  No process notices there that it has ended, so the place keeps
 * the time until the next transaction is prepared in the same place.
 *
 * Older snapshots do not see the last transactions that have committed, so
 * these are kept.  Rows of aborted transactions are never visible.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/transam.h"
#include "access/twophase.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/snapmgr.h"

#include "order/order.h"

uint32		uuidnew_layouts_in_flight = 0;
int			uuidnew_known_horizons = 0;
pg_atomic_uint64 *uuidnew_first_key = NULL;

/* uuidnew_flight_attach - find the place of the backend, or its leader's. */
void
uuidnew_flight_attach(void)
{
	PGPROC	   *proc = MyProc;

	uuidnew_order_require_shared("order");
	if (proc->lockGroupLeader != NULL)
		proc = proc->lockGroupLeader;
	Assert(proc - ProcGlobal->allProcs < MaxBackends);
	uuidnew_first_key =
		&uuidnew_server_order->first_keys[proc - ProcGlobal->allProcs];
}

/*
 * uuidnew_set_in_flight - the transaction has its first key of a layout.
 *
 * The layout's lock is held, so every process that gets a later key of the
 * layout sees this one in flight.
 */
void
uuidnew_set_in_flight(const UuidLayout *layout, Tick tick)
{
	TimestampTz time = tick_timestamp(layout, tick);
	uint64		first = pg_atomic_read_u64(uuidnew_first_key);

	/* a leader and its parallel workers share a place */
	while (time < (TimestampTz) first &&
		   !pg_atomic_compare_exchange_u64(uuidnew_first_key, &first,
										   (uint64) time))
		;
	uuidnew_layouts_in_flight |= (uint32) 1 << layout->number;
}

/* A transaction with keys has committed, or a prepared one has ended. */
static void
keep_ended(KeyTransaction transaction)
{
	ServerOrder *order = uuidnew_server_order;
	uint64		n;

	SpinLockAcquire(&order->ended_mutex);
	n = pg_atomic_read_u64(&order->nended);
	order->ended[n % order->ended_slots] = transaction;
	pg_write_barrier();
	pg_atomic_write_u64(&order->nended, n + 1);
	SpinLockRelease(&order->ended_mutex);
}

/* The ID that the next transaction gets */
static uint64
next_xid(void)
{
	return U64FromFullTransactionId(ReadNextFullTransactionId());
}

/*
 * Smaller transaction IDs are from before the start, or the promotion: the
 * first caller after recovery decides.  IDs that older sessions already have
 * then count as unknown.
 */
static uint64
start_xid(uint64 next)
{
	uint64		start = 0;

	(void) pg_atomic_compare_exchange_u64(&uuidnew_server_order->start_xid,
										  &start, next);
	return start != 0 ? start : next;
}

/* Does a snapshot not see a transaction?  It sees all before the last 2^31. */
static bool
is_unseen(uint64 xid, uint64 next, Snapshot snapshot)
{
	return (int64) (next - xid) <= PG_INT32_MAX &&
		XidInMVCCSnapshot((TransactionId) xid, snapshot);
}

/*
 * From now on, the keys are in flight at the prepared transaction's place, on
 * which this process still holds the lock.  Snapshots may not yet see the last
 * transaction that was prepared in the place.
 */
static void
move_to_prepared(FullTransactionId xid, TimestampTz first)
{
	KeyTransaction *place = uuidnew_server_order->prepared +
		(prepared_proc(xid) - PreparedXactProcs);

	if (place->first != NOT_IN_FLIGHT)
		keep_ended(*place);
	LWLockAcquire(TwoPhaseStateLock, LW_EXCLUSIVE);
	*place = (KeyTransaction) {U64FromFullTransactionId(xid), first};
	LWLockRelease(TwoPhaseStateLock);
}

/*
 * uuidnew_flight_end - a transaction has ended, and new snapshots know it.
 *
 * Transactions that a parallel worker runs before it joins its leader's are
 * ignored.
 */
void
uuidnew_flight_end(XactEvent event, void *arg)
{
	FullTransactionId xid = GetTopFullTransactionIdIfAny();
	TimestampTz first;

	if (IsParallelWorker() ||
		(event != XACT_EVENT_COMMIT && event != XACT_EVENT_ABORT &&
		 event != XACT_EVENT_PREPARE))
		return;
	if (uuidnew_first_key == NULL)
		uuidnew_flight_attach();

	/* a new process ends a transaction without an ID before it gets one */
	if (unlikely(pg_atomic_read_u64(&uuidnew_server_order->start_xid) == 0) &&
		!RecoveryInProgress())
		(void) start_xid(next_xid());

	uuidnew_known_horizons = 0;
	uuidnew_layouts_in_flight = 0;
	first = (TimestampTz) pg_atomic_read_u64(uuidnew_first_key);
	if (event == XACT_EVENT_PREPARE)
		move_to_prepared(xid, first);
	if (first == NOT_IN_FLIGHT)
		return;

	/* without an ID, it has written no rows */
	if (event == XACT_EVENT_COMMIT && FullTransactionIdIsValid(xid))
		keep_ended((KeyTransaction) {U64FromFullTransactionId(xid), first});
	pg_write_barrier();
	pg_atomic_write_u64(uuidnew_first_key, (uint64) NOT_IN_FLIGHT);
}

/*
 * uuidnew_oldest_in_flight - the time of the first key in flight, or
 * NOT_IN_FLIGHT.
 *
 * Prepared transactions are in flight if the snapshot does not see them.
 * *holder is the key's place: a backend, or MaxBackends + a prepared one.
 */
TimestampTz
uuidnew_oldest_in_flight(Snapshot snapshot, int *holder)
{
	ServerOrder *order = uuidnew_server_order;
	TimestampTz oldest = NOT_IN_FLIGHT;
	uint64		next;

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

	/* last, because PREPARE copies a time here before it clears it there */
	pg_read_barrier();
	LWLockAcquire(TwoPhaseStateLock, LW_SHARED);
	next = next_xid();
	for (int i = 0; i < max_prepared_xacts; i++)
	{
		KeyTransaction *place = &order->prepared[i];

		if (place->first < oldest &&
			is_unseen(place->xid, next, snapshot))
		{
			oldest = place->first;
			*holder = MaxBackends + i;
		}
	}
	LWLockRelease(TwoPhaseStateLock);
	return oldest;
}

/*
 * uuidnew_oldest_unseen - the time of the first key of all transactions that
 * have committed and are unseen by a snapshot, or NOT_IN_FLIGHT.
 *
 * Transactions are kept in the order in which they ended, but a process keeps
 * its own a little later, and a prepared one is kept when its place is used
 * again.  So after the first unseen one, each process and each place may have
 * left one seen transaction.  Raises an ERROR if unseen ones may be lost.
 */
TimestampTz
uuidnew_oldest_unseen(Snapshot snapshot)
{
	ServerOrder *order = uuidnew_server_order;
	const int	max_seen = MaxBackends + max_prepared_xacts;
	TimestampTz oldest = NOT_IN_FLIGHT;
	uint64		end = pg_atomic_read_u64(&order->nended);
	uint64		next = next_xid();
	uint64		n = end;
	int			nseen = 0;

	while (n > 0 && nseen <= max_seen && end - n < order->ended_slots - 1)
	{
		KeyTransaction *transaction = &order->ended[--n % order->ended_slots];

		if (is_unseen(transaction->xid, next, snapshot))
			oldest = Min(oldest, transaction->first);
		else
			nseen++;
	}
	pg_read_barrier();
	end = pg_atomic_read_u64(&order->nended);
	if ((n > 0 && nseen <= max_seen) || end - n >= order->ended_slots)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the snapshot is too old for a horizon"),
				 errdetail("About %d transactions with keys have committed since the snapshot was taken.",
						   ENDED_KEPT),
				 errhint("Request the horizon earlier in the statement or transaction, or in a new one.")));
	return oldest;
}

/*
 * uuidnew_check_snapshot - raises an ERROR if a snapshot may not see
 * transactions whose keys are unknown: transactions of another server, which
 * ended during recovery, or transactions that were prepared before the start.
 */
void
uuidnew_check_snapshot(Snapshot snapshot)
{
	uint64		next = next_xid();

	if (snapshot->takenDuringRecovery)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon for a snapshot that was taken during recovery"),
				 errhint("Begin a new transaction.")));
	if (next - ((TransactionId) next - snapshot->xmin) < start_xid(next))
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the horizon is not known yet"),
				 errdetail("Transaction %u may have been prepared before the server started or was promoted; its keys are unknown.",
						   snapshot->xmin),
				 errhint("Commit or roll back the transactions in the view pg_prepared_xacts, and begin a new transaction.")));
}
