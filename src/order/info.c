/*
 * info.c
 *	  What uuidnew_order() shows of the order of the server.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/builtins.h"
#include "utils/snapmgr.h"

#include "order/order.h"
#include "call/arguments.h"

/* The columns of the SQL function */
enum
{
	SCOPE, VERSION, LAYOUT, LAST_TIME, RESERVED_UNTIL, HELD_SINCE,
	HELD_BY_PID, HELD_BY_XID, ORDER_COLUMNS
};

/* Columns that are the same for all layouts */
static void
set_common(Datum *values, bool *nulls)
{
	ServerOrder *order = uuidnew_server_order;
	KeyTransaction *places = order->prepared;
	int64		reserved = (int64) pg_atomic_read_u64(&order->reserved);
	int			holder;
	TimestampTz oldest = uuidnew_oldest_in_flight(GetActiveSnapshot(),
												  &holder);

	if (reserved != NOT_YET_KNOWN)
		SET_VALUE(RESERVED_UNTIL,
				  TimestampTzGetDatum(SINCE_1970(reserved * USECS_PER_SEC)));
	if (holder >= 0)
		SET_VALUE(HELD_SINCE, TimestampTzGetDatum(oldest));
	if (holder >= MaxBackends)
		SET_VALUE(HELD_BY_XID,
				  TransactionIdGetDatum((TransactionId)
										places[holder - MaxBackends].xid));
	else if (holder >= 0)
		SET_VALUE(HELD_BY_PID,
				  Int32GetDatum(ProcGlobal->allProcs[holder].pid));
}

/* Columns of a layout.  Returns false if it has no key since the start. */
static bool
set_layout(const UuidLayout *layout, Datum *values, bool *nulls)
{
	OrderedLayout *shared =
		&uuidnew_server_order->layouts[layout->number];
	SequenceCounter counter;

	SpinLockAcquire(&shared->mutex);
	counter = shared->counter;
	SpinLockRelease(&shared->mutex);
	if (!counter.started)
		return false;

	SET_VALUE(VERSION, Int32GetDatum(layout->version));
	if (layout->name != NULL)
		SET_VALUE(LAYOUT, CStringGetTextDatum(layout->name));
	SET_VALUE(LAST_TIME,
			  TimestampTzGetDatum(tick_timestamp(layout, counter.last_tick)));
	return true;
}

/* (number of a layout) -> (scope, ...): only the scope if it has no key */
PG_FUNCTION_INFO_V1(uuidnew_state_of_order);
Datum
uuidnew_state_of_order(PG_FUNCTION_ARGS)
{
	bool		is_servers = uuidnew_order_scope == SCOPE_SERVER;
	const UuidLayout *layout = uuidnew_nth_layout(PG_GETARG_INT32(0));
	TupleDesc	desc = uuidnew_result_desc(fcinfo, ORDER_COLUMNS,
										   CurrentMemoryContext);
	Datum		values[ORDER_COLUMNS] = {0};
	bool		nulls[ORDER_COLUMNS];

	memset(nulls, true, sizeof(nulls));
	SET_VALUE(SCOPE, CStringGetTextDatum(is_servers ? "server" : "session"));
	if (is_servers)
	{
		uuidnew_order_require_shared("order");
		if (layout != NULL && set_layout(layout, values, nulls))
			set_common(values, nulls);
	}
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(desc, values, nulls)));
}
