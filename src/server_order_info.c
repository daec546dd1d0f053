/*
 * server_order_info.c
 *	  uuidnew_order(): the state of the order of the server.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"

#include "compat.h"
#include "horizon.h"

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
		KeyHolder	holder = uuidnew_key_holder(shared, number);
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
