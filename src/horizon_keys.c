/*
 * horizon_keys.c
 *	  Keys in flight, in the order of the server (server_order.c).
 *
 * A backend leaves the first key of each layout that its transaction makes in
 * shared memory, until the transaction has ended for all snapshots to come.
 * Those of prepared transactions are in a place of their own.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "storage/procarray.h"

#include "compat.h"
#include "horizon.h"

/*
 * first_key - the first key of a backend's transaction, if it has made
 * one.
 *
 * One that is being set is above what the caller has seen before.  Sets *left
 * for one that a parallel worker left, but whose transaction has ended.
 */
static bool
first_key(FirstKey *first, int number, KeyPosition *key, bool *left)
{
	PGPROC	   *proc = &ProcGlobal->allProcs[number];
	LocalTransactionId lxid;
	uint32		changes;
	bool		in_flight;
	int			pid;

	do
	{
		changes = pg_atomic_read_u32(&first->changes);
		pg_read_barrier();
		in_flight = pg_atomic_read_u32(&first->in_flight) != 0;
		*key = first->key;
		lxid = first->lxid;
		pid = first->pid;
		pg_read_barrier();
	} while (changes != pg_atomic_read_u32(&first->changes));

	*left = false;
	if (!in_flight || changes % 2 != 0)
		return false;
	if (likely(lxid == InvalidLocalTransactionId))
		return true;
	*left = proc->pid != pid || proc_local_xid(proc) != lxid;
	return !*left;
}

/*
 * uuidnew_clear_left_key - clear a backend's first key if a worker left it.
 *
 * Its transaction has ended, but whether it was prepared is not known: then
 * there is no horizon while any unknown transaction is.
 */
void
uuidnew_clear_left_key(int layout, int number)
{
	ServerOrder *order = uuidnew_server_order;
	OrderedLayout *shared = &order->layouts[layout].layout;
	FirstKey   *first = &uuidnew_order_firsts(layout)[number];
	FullTransactionId next = ReadNextFullTransactionId();
	KeyPosition key;
	bool		left;

	(void) first_key(first, number, &key, &left);
	if (!left)
		return;

	SpinLockAcquire(&order->mutex);
	know_prepared_before(order, next);
	order->prepared_settled = 0;
	SpinLockRelease(&order->mutex);

	/* there may be a new one by now */
	SpinLockAcquire(&shared->mutex);
	(void) first_key(first, number, &key, &left);
	if (left)
		pg_atomic_write_u32(&first->in_flight, 0);
	SpinLockRelease(&shared->mutex);
}

static bool
prepared_in_progress(const PreparedKeys *prepared)
{
	FullTransactionId next;

	if (!FullTransactionIdIsValid(prepared->xid))
		return false;
	next = ReadNextFullTransactionId();

	/* the number may be another transaction's by now */
	if (U64FromFullTransactionId(next) - U64FromFullTransactionId(prepared->xid) >
		(uint64) MaxTransactionId / 2)
		return false;
	return TransactionIdIsInProgress(XidFromFullTransactionId(prepared->xid));
}

/* Have all keys of the current transaction been made in the common order? */
static bool
began_in_order(void)
{
	return uuidnew_order_changed_in == InvalidLocalTransactionId ||
		uuidnew_order_changed_in != proc_local_xid(MyProc);
}

/* Keys of the transaction that is about to be prepared. */
static void
prepare_keys(void)
{
	ServerOrder *order = uuidnew_server_order;
	OrderBackend *backend = &uuidnew_order_backends()[uuidnew_order_my_number()];
	PreparedKeys *prepared = uuidnew_order_prepared();
	FullTransactionId xid;
	uint32		layouts;
	int			my_number = uuidnew_order_my_number();
	bool		left;
	int			i;

	/* of other keys nothing is known: settle_prepared() finds it */
	if (backend->in_order != MyProcPid)
		return;

	layouts = uuidnew_layouts_in_flight |
		pg_atomic_read_u32(&backend->workers_layouts);
	if (layouts == 0)
		return;

	xid = GetTopFullTransactionId();
	LWLockAcquire(&order->prepared_lock, LW_EXCLUSIVE);
	for (i = 0; i < order->nprepared; i++)
		if (!prepared_in_progress(&prepared[i]))
			break;
	if (i == order->nprepared)
		ereport(ERROR,
				(errcode(ERRCODE_CONFIGURATION_LIMIT_EXCEEDED),
				 errmsg("maximum number of prepared transactions reached"),
				 errhint("Increase \"max_prepared_transactions\" (currently %d).",
						 max_prepared_xacts)));
	prepared += i;
	prepared->layouts = 0;
	for (int layout = 0; layout < ORDER_LAYOUTS; layout++)
		if (layouts & (uint32) 1 << layout &&
			first_key(&uuidnew_order_firsts(layout)[my_number], my_number,
					  &prepared->keys[layout], &left))
			prepared->layouts |= (uint32) 1 << layout;
	prepared->xid = xid;
	LWLockRelease(&order->prepared_lock);
}

/* Nothing of this backend is in flight any more. */
static void
clear_keys(uint32 layouts)
{
	int			my_number = uuidnew_order_my_number();

	for (int layout = 0; layout < ORDER_LAYOUTS && layouts >> layout != 0; layout++)
		if (layouts & (uint32) 1 << layout)
			pg_atomic_write_u32(&uuidnew_order_firsts(layout)[my_number].in_flight, 0);
}

static void
xact_callback(XactEvent event, void *arg)
{
	OrderBackend *backend = &uuidnew_order_backends()[uuidnew_order_my_number()];

	switch (event)
	{
		case XACT_EVENT_PRE_PREPARE:
			prepare_keys();
			break;

			/* for new snapshots, the transaction has ended */
		case XACT_EVENT_COMMIT:
		case XACT_EVENT_ABORT:
		case XACT_EVENT_PREPARE:
			{
				uint32		layouts = uuidnew_layouts_in_flight |
					pg_atomic_read_u32(&backend->workers_layouts);

				uuidnew_layouts_in_flight = 0;
				if (layouts != 0)
				{
					pg_write_barrier();
					clear_keys(layouts);
					pg_atomic_write_u32(&backend->workers_layouts, 0);
				}
				backend->in_order = uuidnew_order_is_servers() ? MyProcPid : 0;
				break;
			}

			/* the leader's keys are in flight until it ends */
		case XACT_EVENT_PARALLEL_COMMIT:
		case XACT_EVENT_PARALLEL_ABORT:
			uuidnew_layouts_in_flight = 0;
			break;

		default:
			break;
	}
}

/*
 * uuidnew_horizon_attach - what a process does once, before its first key.
 */
void
uuidnew_horizon_attach(void)
{
	if (!IsParallelWorker())
	{
		ServerOrder *order = uuidnew_server_order;
		OrderBackend *backend = &uuidnew_order_backends()[uuidnew_order_my_number()];
		FullTransactionId next = ReadNextFullTransactionId();

		/* workers may have been here before, for this transaction too */
		backend->attached = MyProcPid;
		pg_memory_barrier();
		for (int layout = 0; layout < ORDER_LAYOUTS; layout++)
			uuidnew_clear_left_key(layout, uuidnew_order_my_number());
		backend->in_order = began_in_order() ? MyProcPid : 0;

		/* with the first key since the server was started */
		if (!RecoveryInProgress() && pg_atomic_read_u32(&order->changes) == 1)
		{
			SpinLockAcquire(&order->mutex);
			if (order->running_settled == 1 &&
				!FullTransactionIdIsValid(order->prepared_before))
				know_prepared_before(order, next);
			SpinLockRelease(&order->mutex);
		}
	}
	RegisterXactCallback(xact_callback, NULL);
}

/*
 * uuidnew_lower_to_first_key - lower a position to the smallest key of a layout
 * in flight.  Returns whether
 * prepared transactions are still known.
 */
bool
uuidnew_lower_to_first_key(LayoutLink *link, KeyPosition *lowest)
{
	ServerOrder *order = uuidnew_server_order;
	PreparedKeys *prepared = uuidnew_order_prepared();
	int			backends;
	KeyPosition key;
	bool		left;
	bool		known;

	pg_read_barrier();
	backends = link->shared->backends;
	for (int i = 0; i < backends; i++)
	{
		if (first_key(&link->firsts[i], i, &key, &left))
		{
			if (position_before(&key, lowest))
				*lowest = key;
		}
		else if (unlikely(left))
			uuidnew_clear_left_key(link->number, i);
	}

	/* after them: a key is here before it is no longer there */
	if (order->nprepared == 0)
		return true;
	LWLockAcquire(&order->prepared_lock, LW_SHARED);
	for (int i = 0; i < order->nprepared; i++)
		if (prepared[i].layouts & (uint32) 1 << link->number &&
			position_before(&prepared[i].keys[link->number], lowest) &&
			prepared_in_progress(&prepared[i]))
			*lowest = prepared[i].keys[link->number];
	LWLockRelease(&order->prepared_lock);

	SpinLockAcquire(&order->mutex);
	known = order->prepared_settled != 0;
	SpinLockRelease(&order->mutex);
	return known;
}

/* The oldest transaction with a key of a layout in flight. */
KeyHolder
uuidnew_key_holder(const OrderedLayout *shared, int number)
{
	ServerOrder *order = uuidnew_server_order;
	FirstKey   *firsts = uuidnew_order_firsts(number);
	PreparedKeys *prepared = uuidnew_order_prepared();
	KeyHolder	holder = {0};
	KeyPosition key;
	bool		left;

	for (int i = 0; i < shared->backends; i++)
		if (first_key(&firsts[i], i, &key, &left) &&
			(!holder.found || position_before(&key, &holder.first)))
		{
			holder.found = true;
			holder.first = key;
			holder.pid = ProcGlobal->allProcs[i].pid;
		}

	LWLockAcquire(&order->prepared_lock, LW_SHARED);
	for (int i = 0; i < order->nprepared; i++)
		if (prepared[i].layouts & (uint32) 1 << number &&
			(!holder.found || position_before(&prepared[i].keys[number], &holder.first)) &&
			prepared_in_progress(&prepared[i]))
		{
			holder.found = true;
			holder.first = prepared[i].keys[number];
			holder.pid = 0;
			holder.xid = XidFromFullTransactionId(prepared[i].xid);
		}
	LWLockRelease(&order->prepared_lock);
	return holder;
}
