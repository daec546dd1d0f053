/*
 * horizon_settle.c
 *	  Keys of the time before the order was the server's.
 *
 * Where they are in flight is not known: until their transactions have ended,
 * there is no horizon.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "executor/spi.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "postmaster/interrupt.h"
#include "storage/proc.h"
#include "storage/procarray.h"
#include "utils/builtins.h"

#include "compat.h"
#include "horizon.h"

/* Until then after a change every session has heard of it. */
#define SETTLE_USECS	USECS_PER_SEC

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

	/*
	 * A procedure begins transactions without hearing of the change, and may
	 * be between two.  Of who is not tracked, only the beginning of the
	 * session is known.  Nor does a logical replication worker hear of it
	 * before it has caught up.  The transaction that asks is no exception:
	 * others take the answer as theirs.
	 *
	 * Before its first command a session neither hears of the change nor
	 * shows that it is not tracked, and a login trigger may make keys there.
	 *
	 * The view looks up what a worker waits for later than whether it is in a
	 * transaction, and one may have begun in between: so look twice.
	 */
	for (int look = 0; look < 2 && pids.len == 0; look++)
	{
		/* the transaction may have looked there before the change */
		pgstat_clear_snapshot();
		query_all("SELECT pid FROM pg_catalog.pg_stat_activity "
				  "WHERE CASE WHEN state OPERATOR(pg_catalog.=) 'disabled' "
				  "OR COALESCE(state, 'starting') OPERATOR(pg_catalog.=) 'starting' "
				  "AND backend_type OPERATOR(pg_catalog.=) 'client backend' "
				  "OR backend_type OPERATOR(pg_catalog.~~) 'logical replication %worker' "
				  "AND (xact_start IS NOT NULL "
				  "OR COALESCE(wait_event OPERATOR(pg_catalog.!~~) 'Logical%ApplyMain', true)) "
				  "THEN backend_start OPERATOR(pg_catalog.<) $1 "
				  "ELSE (xact_start IS NOT NULL OR state OPERATOR(pg_catalog.=) 'active' "
				  "AND backend_type OPERATOR(pg_catalog.=) 'client backend') "
				  "AND LEAST(xact_start, query_start) OPERATOR(pg_catalog.<) $1 END "
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

/*
 * uuidnew_horizon_settle - raise an ERROR while such keys may be in flight.
 *
 * Returns the last change of the scope, for uuidnew_horizon_check_heard().
 */
uint32
uuidnew_horizon_settle(void)
{
	ServerOrder *order = uuidnew_server_order;
	FullTransactionId next;
	uint32		asked;
	uint32		change;
	bool		running;
	bool		prepared;

	/*
	 * If the library is preloaded, the postmaster tells of each change.
	 * Otherwise any reload may have been one to session, or back.
	 */
	if (!order->preloaded && PgReloadTime > order->changed_at)
	{
		SpinLockAcquire(&order->mutex);
		if (PgReloadTime > order->changed_at)
			uuidnew_order_changed(PgReloadTime);
		SpinLockRelease(&order->mutex);
	}

	change = pg_atomic_read_u32(&order->changes);
	pg_read_barrier();
	SpinLockAcquire(&order->mutex);
	running = order->running_settled == change;
	prepared = order->prepared_settled == change;
	SpinLockRelease(&order->mutex);
	if (running && prepared)
		return change;

	if (!running)
		settle_running(order->changed_at);

	next = ReadNextFullTransactionId();
	SpinLockAcquire(&order->mutex);
	if (!running || !FullTransactionIdIsValid(order->prepared_before))
	{
		order->running_settled = change;
		know_prepared_before(order, next);
	}
	next = order->prepared_before;
	asked = order->prepared_asked;
	SpinLockRelease(&order->mutex);

	settle_prepared(next);
	SpinLockAcquire(&order->mutex);
	if (asked == order->prepared_asked)
		order->prepared_settled = change;
	SpinLockRelease(&order->mutex);

	if (change != pg_atomic_read_u32(&order->changes))
		not_yet("\"uuidnew.order_scope\" has just been changed.", "Try again.");
	return change;
}

/*
 * uuidnew_horizon_check_heard - raise an ERROR if the scope may be another by now.
 *
 * A statement that runs has not heard that others may be in their sessions'
 * orders by now, or were since the change that was settled.
 */
void
uuidnew_horizon_check_heard(uint32 change)
{
	ServerOrder *order = uuidnew_server_order;
	bool		changed = order->preloaded ?
		pg_atomic_read_u32(&order->left) != 0 : ConfigReloadPending;

	pg_read_barrier();
	changed |= pg_atomic_read_u32(&order->changes) != change;
	if (changed)
		not_yet("While this statement was running, \"uuidnew.order_scope\" may have been changed.",
				"Try again in another statement.  If the configuration has been edited, reload it.");
}
