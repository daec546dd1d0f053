/*
 * server_order_scope.c
 *	  The setting uuidnew.order_scope, and what a change of it starts.
 *
 * Only the server's configuration sets it, so that no session is in another
 * order unseen.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "storage/proc.h"
#include "utils/guc.h"

#include "compat.h"
#include "server_order.h"

enum
{
	SCOPE_SESSION, SCOPE_SERVER
};

static const struct config_enum_entry scopes[] = {
	{"session", SCOPE_SESSION, false},
	{"server", SCOPE_SERVER, false},
	{NULL, 0, false}
};

static int	order_scope = SCOPE_SESSION;
bool		uuidnew_order_shared = false;
LocalTransactionId uuidnew_order_changed_in = InvalidLocalTransactionId;

static bool scope_defined = false;
static int	scope_assigned = 0;

/* Did this process count itself in "left", and when? */
static bool left_counted = false;
static uint32 left_change;
static TimestampTz left_statement;

/* Was the value refused that it had before the library was loaded? */
static bool scope_refused = false;

bool
uuidnew_order_is_servers(void)
{
	return order_scope == SCOPE_SERVER;
}

/*
 * uuidnew_order_check_scope - raises an ERROR if the scope is a session's for
 * want of a valid value only.
 */
void
uuidnew_order_check_scope(void)
{
	if (scope_refused)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the value of \"uuidnew.order_scope\" was refused"),
				 errdetail("Only the server's configuration sets it, to \"session\" or \"server\"; no session, role or database does."),
				 errhint("Correct it, and connect again.")));
}

/*
 * uuidnew_order_changed - transactions from before this time may have made keys
 * that the common order does not know.
 */
void
uuidnew_order_changed(TimestampTz at)
{
	uuidnew_server_order->changed_at = at;
	pg_write_barrier();
	pg_atomic_fetch_add_u32(&uuidnew_server_order->changes, 1);
}

/*
 * This process is in its own order; others need not be.
 *
 * If the library is not preloaded, the next key tells of it, in leave().
 */
static void
count_left(ServerOrder *order)
{
	uint32		change = pg_atomic_read_u32(&order->changes);

	if (order->preloaded)
	{
		if (left_counted && left_change == change)
			return;
		left_counted = IsUnderPostmaster;
		left_change = change;
		left_statement = GetCurrentStatementStartTimestamp();
		pg_atomic_fetch_add_u32(&order->left, 1);
	}
	uuidnew_order_shared = true;
}

/*
 * It is back.  It was not gone if it did nothing since: a process that restores
 * the settings of another one gives each its default first.
 */
static void
uncount_left(ServerOrder *order, bool made_none)
{
	if (left_counted && made_none &&
		left_change == pg_atomic_read_u32(&order->changes) &&
		left_statement == GetCurrentStatementStartTimestamp())
		pg_atomic_fetch_sub_u32(&order->left, 1);
	left_counted = false;
}

/*
 * The postmaster, if it has the library, is the first to see a change to server.
 * One to session may be seen before it is told to reread the configuration: a
 * process that hears of an earlier reload late reads the file as it is by then.
 */
static void
assign_order_scope(int scope, void *extra)
{
	ServerOrder *order = uuidnew_server_order;
	bool		was_shared = uuidnew_order_shared;

	scope_assigned++;
	scope_refused = false;

	/* a session that was in the common order leaves it with its next key */
	if (scope == SCOPE_SERVER)
		uuidnew_order_shared = true;
	if (!scope_defined)
		return;
	if (scope == SCOPE_SERVER && !IsUnderPostmaster && order != NULL &&
		pg_atomic_read_u32(&order->left) != 0)
	{
		uuidnew_order_changed(GetCurrentTimestamp());
		pg_atomic_write_u32(&order->left, 0);
	}

	/*
	 * Also if it has not heard that the scope was server meanwhile.
	 *
	 * A parallel worker's scope is none before it is its leader's.  The
	 * process that writes the log has given up shared memory.
	 */
	if (scope == SCOPE_SESSION && order != NULL &&
		(MyProc != NULL || !IsUnderPostmaster) && !IsParallelWorker())
		count_left(order);
	if (scope == order_scope)
		return;
	if (scope == SCOPE_SERVER)
	{
		if (MyProc != NULL)
			uuidnew_order_changed_in = proc_local_xid(MyProc);
		if (uuidnew_order_changed_in == InvalidLocalTransactionId &&
			uuidnew_order_is_attached())
			uuidnew_order_backends()[uuidnew_order_my_number()].in_order = MyProcPid;
		uncount_left(order, was_shared);
	}
	else if (uuidnew_order_is_attached())
		uuidnew_order_backends()[uuidnew_order_my_number()].in_order = 0;
}

/*
 * uuidnew_order_define - define the setting, and ask for shared memory if the
 * library is preloaded.
 */
void
uuidnew_order_define(void)
{
	const char *value = GetConfigOption("uuidnew.order_scope", true, false);
	bool		has_value = value != NULL && value[0] != '\0';

	DefineCustomEnumVariable("uuidnew.order_scope",
							 "Sets whose UUIDs are in one order.",
							 "\"session\": each session's; \"server\": those of all sessions, kept through restart and failover.",
							 &order_scope,
							 SCOPE_SESSION,
							 scopes,
							 PGC_SIGHUP,
							 0,
							 NULL,
							 assign_order_scope,
							 NULL);
	scope_defined = true;

	/*
	 * Until now anyone could give it any value, in place of the
	 * configuration's.  One that is refused leaves no more than a warning,
	 * and the default.
	 */
	if (has_value && scope_assigned == 1)
		scope_refused = uuidnew_order_shared = true;

	uuidnew_order_request_memory();
}
