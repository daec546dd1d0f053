/*
 * info.c
 *	  uuidnew_order(): the state of the order of the server.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/builtins.h"

#include "order/order.h"
#include "call/arguments.h"

/* The columns, in the order of the SQL function's */
enum
{
	SCOPE, VERSION, LAYOUT, LAST_TIME, AHEAD, RESERVED_UNTIL, HELD_SINCE,
	HELD_BY_PID, HELD_BY_XID, SHARED_BYTES, ORDER_COLUMNS
};

/* Columns that are the same for all layouts */
static void
set_common(Datum *values, bool *nulls)
{
	ServerOrder *order = uuidnew_server_order;
	int64		reserved = (int64) pg_atomic_read_u64(&order->reserved);
	int			holder;
	TimestampTz oldest = uuidnew_oldest_in_flight(&holder);

	if (reserved != NOT_YET_KNOWN)
		SET_VALUE(RESERVED_UNTIL,
				  TimestampTzGetDatum(SINCE_1970(reserved * USECS_PER_SEC)));
	if (holder >= 0)
		SET_VALUE(HELD_SINCE, TimestampTzGetDatum(oldest));
	if (holder >= MaxBackends)
		SET_VALUE(HELD_BY_XID,
				  TransactionIdGetDatum(PreparedXactProcs[holder -
														  MaxBackends].xid));
	else if (holder >= 0)
		SET_VALUE(HELD_BY_PID,
				  Int32GetDatum(ProcGlobal->allProcs[holder].pid));
	SET_VALUE(SHARED_BYTES,
			  Int64GetDatum((int64) uuidnew_order_size(MaxBackends)));
}

/* Those of a layout.  Returns false if it has made no key. */
static bool
set_layout(const UuidLayout *layout, Datum *values, bool *nulls)
{
	OrderedLayout *shared =
		&uuidnew_server_order->layouts[layout->number].layout;
	Interval   *ahead = palloc0(sizeof(Interval));
	TimestampTz last_time;
	bool		started;
	Tick		last_tick;

	SpinLockAcquire(&shared->mutex);
	started = shared->state.started;
	last_tick = shared->state.last_tick;
	SpinLockRelease(&shared->mutex);
	if (!started)
		return false;

	last_time = tick_timestamp(layout, last_tick);
	ahead->time = Max(last_time - GetCurrentTimestamp(), 0);
	SET_VALUE(VERSION, Int32GetDatum(layout->version));
	if (layout->name != NULL)
		SET_VALUE(LAYOUT, CStringGetTextDatum(layout->name));
	SET_VALUE(LAST_TIME, TimestampTzGetDatum(last_time));
	SET_VALUE(AHEAD, IntervalPGetDatum(ahead));
	return true;
}

/*
 * () -> setof (scope, ...): a row for each layout that has made keys; only the
 * scope if none has
 */
PG_FUNCTION_INFO_V1(uuidnew_order);
Datum
uuidnew_order(PG_FUNCTION_ARGS)
{
	bool		is_servers = uuidnew_order_scope == SCOPE_SERVER;
	FuncCallContext *context;
	const UuidLayout *layout;
	Datum		values[ORDER_COLUMNS] = {0};
	bool		nulls[ORDER_COLUMNS];
	bool		found = false;
	int		   *number;
	HeapTuple	tuple;

	if (SRF_IS_FIRSTCALL())
	{
		if (is_servers)
			uuidnew_order_check();
		context = SRF_FIRSTCALL_INIT();
		context->tuple_desc =
			uuidnew_result_desc(fcinfo, ORDER_COLUMNS,
								context->multi_call_memory_ctx);
		context->user_fctx =
			MemoryContextAllocZero(context->multi_call_memory_ctx,
								   sizeof(int));
	}

	context = SRF_PERCALL_SETUP();
	number = context->user_fctx;
	memset(nulls, true, sizeof(nulls));
	while (is_servers && !found &&
		   (layout = uuidnew_layout((*number)++)) != NULL)
		found = set_layout(layout, values, nulls);
	if (!found && context->call_cntr > 0)
		SRF_RETURN_DONE(context);

	SET_VALUE(SCOPE, CStringGetTextDatum(is_servers ? "server" : "session"));
	if (found)
		set_common(values, nulls);
	tuple = heap_form_tuple(context->tuple_desc, values, nulls);
	SRF_RETURN_NEXT(context, HeapTupleGetDatum(tuple));
}
