/*
 * horizon.c
 *	  The UUID below which nothing is in flight: uuid_v7_horizon and the like.
 *
 * In the order of the server (server_order.c), a backend leaves the first key
 * of each layout that its transaction makes in shared memory, until the
 * transaction has ended for all snapshots to come.  The horizon is a key made
 * now, or the smallest of those: what is smaller is visible, or never will be.
 *
 * Keys made before the order was the server's are in no such place: until their
 * transactions have ended, there is no horizon.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/twophase.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "nodes/pathnodes.h"
#include "nodes/supportnodes.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/snapmgr.h"

#include "arguments.h"
#include "compat.h"
#include "server_order.h"
#include "v7.h"

/* Until then after a change every session has heard of it. */
#define SETTLE_USECS	USECS_PER_SEC

/*
 * Keys in flight
 */

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
	order->prepared_before = next;
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
				order->prepared_before = next;
			SpinLockRelease(&order->mutex);
		}
	}
	RegisterXactCallback(xact_callback, NULL);
}

/*
 * Keys of the time before
 */

pg_noreturn static void
not_yet(const char *detail, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
			 errmsg("the horizon is not known yet"),
			 errdetail_internal("%s", detail),
			 errhint("%s", hint)));
}

/* Rows of a query, as a superuser sees them; freed with the SPI connection. */
static void
query_all(const char *query, Oid *types, Datum *values)
{
	Oid			user;
	int			context;
	int			result;

	GetUserIdAndSecContext(&user, &context);
	SetUserIdAndSecContext(BOOTSTRAP_SUPERUSERID,
						   context | SECURITY_LOCAL_USERID_CHANGE);
	result = SPI_execute_with_args(query, types == NULL ? 0 : 1, types, values, NULL,
								   false, 0);
	SetUserIdAndSecContext(user, context);
	if (result != SPI_OK_SELECT)
		elog(ERROR, "SPI_execute_with_args failed: %s", SPI_result_code_string(result));
}

/*
 * Raises an ERROR while a transaction is running that may have made keys of
 * its session's own order.
 */
static void
settle_running(TimestampTz since)
{
	Oid			type = TIMESTAMPTZOID;
	Datum		until = TimestampTzGetDatum(since + SETTLE_USECS);
	StringInfoData pids;

	/* a session that has not heard of the change may still begin one */
	for (int i = 0; i < SETTLE_USECS / 10000 && GetCurrentTimestamp() < since + SETTLE_USECS; i++)
	{
		CHECK_FOR_INTERRUPTS();
		pg_usleep(10000);
	}

	initStringInfo(&pids);
	SPI_connect();

	/* the transaction may have looked there before the change */
	pgstat_clear_snapshot();

	/*
	 * A procedure begins transactions without hearing of the change.  Of who
	 * is not tracked, only the beginning of the session is known.
	 */
	query_all("SELECT pid FROM pg_catalog.pg_stat_activity "
			  "WHERE pid OPERATOR(pg_catalog.<>) pg_catalog.pg_backend_pid() "
			  "AND CASE WHEN state OPERATOR(pg_catalog.=) 'disabled' "
			  "THEN backend_start OPERATOR(pg_catalog.<) $1 "
			  "ELSE xact_start IS NOT NULL AND LEAST(xact_start, query_start) OPERATOR(pg_catalog.<) $1 END "
			  "ORDER BY pid", &type, &until);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		int			pid = DatumGetInt32(SPI_getbinval(SPI_tuptable->vals[i],
													  SPI_tuptable->tupdesc, 1, &isnull));
		PGPROC	   *proc = BackendPidGetProc(pid);

		if (proc == NULL || uuidnew_order_backends()[proc - ProcGlobal->allProcs].in_order == pid)
			continue;
		appendStringInfo(&pids, "%s%d", pids.len > 0 ? ", " : "", pid);
	}
	if (pids.len > 0)
		not_yet(psprintf("Transactions that began before \"uuidnew.order_scope\" was \"server\" are running: process %s.",
						 pids.data),
				"Try again when they have ended, or end them.");
	SPI_finish();
}

/* The same for prepared transactions, of the time before a restart too. */
static void
settle_prepared(FullTransactionId before)
{
	ServerOrder *order = uuidnew_server_order;
	PreparedKeys *known = uuidnew_order_prepared();
	StringInfoData gids;

	initStringInfo(&gids);
	SPI_connect();
	query_all("SELECT transaction, gid FROM pg_catalog.pg_prepared_xact() ORDER BY gid",
			  NULL, NULL);
	for (uint64 i = 0; i < SPI_processed; i++)
	{
		bool		isnull;
		TransactionId xid = DatumGetTransactionId(SPI_getbinval(SPI_tuptable->vals[i],
																SPI_tuptable->tupdesc, 1,
																&isnull));
		bool		found = false;

		if (!TransactionIdPrecedes(xid, XidFromFullTransactionId(before)))
			continue;
		LWLockAcquire(&order->prepared_lock, LW_SHARED);
		for (int k = 0; k < order->nprepared && !found; k++)
			found = FullTransactionIdIsValid(known[k].xid) &&
				XidFromFullTransactionId(known[k].xid) == xid;
		LWLockRelease(&order->prepared_lock);
		if (!found)
			appendStringInfo(&gids, "%s\"%s\"", gids.len > 0 ? ", " : "",
							 SPI_getvalue(SPI_tuptable->vals[i], SPI_tuptable->tupdesc, 2));
	}
	if (gids.len > 0)
		not_yet(psprintf("Of these prepared transactions it is not known which keys they made: %s.",
						 gids.data),
				"Commit them or roll them back.");
	SPI_finish();
}

static void
settle(void)
{
	ServerOrder *order = uuidnew_server_order;
	FullTransactionId next;
	uint32		change;
	bool		running;
	bool		prepared;

	/*
	 * If the library is preloaded, the postmaster tells of each change.
	 * Otherwise any reload may have been one to session, or back.
	 */
	if (!order->preloaded && PgReloadTime > order->changed_at)
		uuidnew_order_changed(PgReloadTime);

	change = pg_atomic_read_u32(&order->changes);
	pg_read_barrier();
	SpinLockAcquire(&order->mutex);
	running = order->running_settled == change;
	prepared = order->prepared_settled == change;
	SpinLockRelease(&order->mutex);
	if (running && prepared)
		return;

	if (!running)
		settle_running(order->changed_at);

	next = ReadNextFullTransactionId();
	SpinLockAcquire(&order->mutex);
	if (!running || !FullTransactionIdIsValid(order->prepared_before))
	{
		order->running_settled = change;
		order->prepared_before = next;
	}
	next = order->prepared_before;
	SpinLockRelease(&order->mutex);

	settle_prepared(next);
	SpinLockAcquire(&order->mutex);
	if (FullTransactionIdEquals(next, order->prepared_before))
		order->prepared_settled = change;
	SpinLockRelease(&order->mutex);

	if (change != pg_atomic_read_u32(&order->changes))
		not_yet("\"uuidnew.order_scope\" has just been changed.", "Try again.");
}

/*
 * Horizons
 */

static void
check_use(void)
{
	if (!uuidnew_order_is_servers())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon with \"uuidnew.order_scope\" = \"session\""),
				 errhint("Set it to \"server\" in the server's configuration.")));
	if (RecoveryInProgress())
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no horizon during recovery"),
				 errhint("Ask the primary server.")));
	if (IsolationUsesXactSnapshot() && FirstSnapshotSet)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the snapshot of this transaction is older than a horizon"),
				 errdetail("Rows below the horizon may be missing in it."),
				 errhint("Use the isolation level READ COMMITTED.")));
}

/*
 * A statement that runs has not heard that others may be in their sessions'
 * orders by now.
 */
static void
check_heard(void)
{
	ServerOrder *order = uuidnew_server_order;

	if (order->preloaded ? pg_atomic_read_u32(&order->left) != 0 : ConfigReloadPending)
		not_yet("While this statement was running, \"uuidnew.order_scope\" may have been changed.",
				"Try again in another statement.");
}

/*
 * Lowers a position to the smallest key of a layout in flight.  Returns whether
 * prepared transactions are still known.
 */
static bool
find_first(LayoutLink *link, KeyPosition *lowest)
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

static Datum
horizon(const UuidLayout *layout, TimestampTz epoch_time)
{
	Tick		epoch = epoch_tick(layout, epoch_time);
	LayoutLink *link;
	KeyPosition lowest;
	UuidPayload payload;

	check_use();
	link = uuidnew_order_link(layout, epoch);
	do
	{
		CHECK_FOR_INTERRUPTS();
		settle();

		/* all keys from now on are above this one */
		(void) uuidnew_order_next(link, epoch, machine_id_prefix(), false, &lowest);
	} while (!find_first(link, &lowest));
	check_heard();

	if (!encode_tick(layout, lowest.tick, epoch, &payload))
		uuidnew_time_out_of_range(layout, epoch_time);
	payload.hi |= lowest.rest.hi;
	payload.lo |= lowest.rest.lo;
	return return_payload(payload, layout->version);
}

/* () -> uuid */
PG_FUNCTION_INFO_V1(uuid_v6_horizon);
Datum
uuid_v6_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = uuidnew_v6.default_layout;

	return horizon(layout, layout_epoch(layout));
}

/* ([layout]) -> uuid */
PG_FUNCTION_INFO_V1(uuid_v7_horizon);
Datum
uuid_v7_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, &uuidnew_v7);

	return horizon(layout, layout_epoch(layout));
}

/* () -> uuid */
PG_FUNCTION_INFO_V1(uuidv7_horizon);
Datum
uuidv7_horizon(PG_FUNCTION_ARGS)
{
	return horizon(uuidnew_v7_rfc9562, layout_epoch(uuidnew_v7_rfc9562));
}

/* ([layout [, epoch]]) -> uuid */
PG_FUNCTION_INFO_V1(uuid_v8_horizon);
Datum
uuid_v8_horizon(PG_FUNCTION_ARGS)
{
	const UuidLayout *layout = layout_arg(fcinfo, 0, &uuidnew_v8);

	return horizon(layout, epoch_arg(fcinfo, 1, layout));
}

/*
 * Planner support: in a statement that reads a table, the snapshot is older
 * than the horizon.
 */

static bool
reads_table(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, Query))
	{
		Query	   *query = castNode(Query, node);
		int			target = query->commandType == CMD_INSERT ? query->resultRelation : 0;
		int			number = 0;
		ListCell   *cell;

		foreach(cell, query->rtable)
		{
			RangeTblEntry *rte = lfirst_node(RangeTblEntry, cell);

			if (++number != target && rte->rtekind == RTE_RELATION)
				return true;
		}
		return query_tree_walker(query, reads_table, context, 0);
	}
	return expression_tree_walker(node, reads_table, context);
}

PG_FUNCTION_INFO_V1(uuid_horizon_support);
Datum
uuid_horizon_support(PG_FUNCTION_ARGS)
{
	Node	   *request = (Node *) PG_GETARG_POINTER(0);
	PlannerInfo *root;
	ListCell   *cell;
	bool		reads = false;

	if (!IsA(request, SupportRequestSimplify))
		PG_RETURN_POINTER(NULL);

	root = ((SupportRequestSimplify *) request)->root;
	if (root != NULL && root->glob != NULL)
		foreach(cell, root->glob->subroots)
			reads |= reads_table((Node *) lfirst_node(PlannerInfo, cell)->parse, NULL);
	for (; root != NULL && !reads; root = root->parent_root)
		reads = reads_table((Node *) root->parse, NULL);
	if (reads)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("%s() cannot be called in a statement that reads a table",
						get_func_name(((SupportRequestSimplify *) request)->fcall->funcid)),
				 errdetail("The statement would not see all rows below the horizon."),
				 errhint("Call it in a statement of its own, before.")));
	PG_RETURN_POINTER(NULL);
}

/*
 * State
 */

/* The oldest transaction with a key of a layout in flight. */
typedef struct Holder
{
	bool		found;
	KeyPosition first;
	int			pid;			/* 0: prepared */
	TransactionId xid;
} Holder;

static Holder
find_holder(const OrderedLayout *shared, int number)
{
	ServerOrder *order = uuidnew_server_order;
	FirstKey   *firsts = uuidnew_order_firsts(number);
	PreparedKeys *prepared = uuidnew_order_prepared();
	Holder		holder = {0};
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

static TimestampTz
tick_time(const OrderedLayout *shared, Tick tick)
{
	return SINCE_1970(tick.sec * USECS_PER_SEC +
					  (int64) tick.subsec * USECS_PER_SEC / shared->ticks_per_sec);
}

#define ORDER_COLUMNS	10

/* () -> setof (scope, ...): a row for each layout; only the scope without one */
PG_FUNCTION_INFO_V1(uuidnew_order);
Datum
uuidnew_order(PG_FUNCTION_ARGS)
{
	FuncCallContext *context;
	Datum		values[ORDER_COLUMNS] = {0};
	bool		nulls[ORDER_COLUMNS];

	if (SRF_IS_FIRSTCALL())
	{
		MemoryContext old;
		TupleDesc	desc;

		context = SRF_FIRSTCALL_INIT();
		old = MemoryContextSwitchTo(context->multi_call_memory_ctx);
		if (get_call_result_type(fcinfo, NULL, &desc) != TYPEFUNC_COMPOSITE)
			elog(ERROR, "return type must be a row type");
		context->tuple_desc = BlessTupleDesc(desc);
		context->max_calls = 1;
		if (uuidnew_order_is_servers())
		{
			uuidnew_order_attach();
			context->max_calls = Max(uuidnew_server_order->nlayouts, 1);
		}
		MemoryContextSwitchTo(old);
	}

	context = SRF_PERCALL_SETUP();
	if (context->call_cntr >= context->max_calls)
		SRF_RETURN_DONE(context);

	memset(nulls, true, sizeof(nulls));
	values[0] = CStringGetTextDatum(uuidnew_order_is_servers() ? "server" : "session");
	nulls[0] = false;
	if (uuidnew_order_is_servers() && uuidnew_server_order->nlayouts > 0)
	{
		int			number = context->call_cntr;
		OrderedLayout *shared = &uuidnew_server_order->layouts[number].layout;
		uint64		reserved = pg_atomic_read_u64(&uuidnew_server_order->reserved_until);
		Holder		holder = find_holder(shared, number);
		bool		started;
		Tick		last_tick;

		SpinLockAcquire(&shared->mutex);
		started = shared->state.started;
		last_tick = shared->state.last_tick;
		SpinLockRelease(&shared->mutex);

		values[1] = Int32GetDatum(shared->version);
		values[2] = CStringGetTextDatum(shared->name);
		nulls[1] = false;
		nulls[2] = shared->name[0] == '\0';
		if (started)
		{
			TimestampTz last_time = tick_time(shared, last_tick);
			Interval   *ahead = palloc0(sizeof(Interval));

			ahead->time = Max(last_time - GetCurrentTimestamp(), 0);
			values[3] = TimestampTzGetDatum(last_time);
			values[4] = IntervalPGetDatum(ahead);
			nulls[3] = nulls[4] = false;
		}
		values[5] = TimestampTzGetDatum(SINCE_1970((int64) reserved));
		nulls[5] = reserved == 0;
		if (holder.found)
		{
			values[6] = TimestampTzGetDatum(tick_time(shared, holder.first.tick));
			values[7] = Int32GetDatum(holder.pid);
			values[8] = TransactionIdGetDatum(holder.xid);
			nulls[6] = false;
			nulls[7] = holder.pid == 0;
			nulls[8] = !TransactionIdIsValid(holder.xid);
		}
		values[9] = Int64GetDatum((int64) uuidnew_server_order->size);
		nulls[9] = false;
	}
	SRF_RETURN_NEXT(context,
					HeapTupleGetDatum(heap_form_tuple(context->tuple_desc, values, nulls)));
}
