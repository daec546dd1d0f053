/*
 * setup.c
 *	  The setting uuidnew.order_scope, which does not change while the server
 *	  runs: either all keys are in the order or none.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "postmaster/bgworker.h"
#include "utils/guc.h"

#include "order/order.h"

#define ORDER_SCOPE		"uuidnew.order_scope"

static const struct config_enum_entry scopes[] = {
	{"session", SCOPE_SESSION, false},
	{"server", SCOPE_SERVER, false},
	{NULL, 0, false}
};

PGDLLEXPORT void uuidnew_report_kept(Datum arg);

/* A background worker: reports that the server no longer keeps its order. */
void
uuidnew_report_kept(Datum arg)
{
	if (uuidnew_order_kept_until() != 0)
		ereport(LOG,
				(errmsg("\"uuidnew.order_scope\" is \"session\", but the server has kept an order before"),
				 errdetail("UUIDs are in the order of each session only, and may be smaller than before."),
				 errhint("Set it to \"server\", or give the order up with uuidnew_order_give_up().")));
}

/* The worker starts once recovery has ended, when the origin is known. */
static void
start_worker(void)
{
	BackgroundWorker worker = {
		.bgw_name = "uuidnew order",
		.bgw_flags = BGWORKER_SHMEM_ACCESS,
		.bgw_start_time = BgWorkerStart_RecoveryFinished,
		.bgw_restart_time = BGW_NEVER_RESTART,
		.bgw_library_name = "uuidnew",
		.bgw_function_name = "uuidnew_report_kept",
	};

	RegisterBackgroundWorker(&worker);
}

static void
assign_order_scope(int scope, void *extra)
{
	uuidnew_generate_hook = scope == SCOPE_SESSION ? NULL :
		uuidnew_order_generate;
}

/*
 * uuidnew_order_define - define the setting, and prepare for "server" if it is
 * preloaded with that value.
 *
 * Only the server's configuration sets it.  A library that is not preloaded
 * refuses keys if it is "server".  Invalid values are FATAL, as in core.
 */
void
uuidnew_order_define(void)
{
	const char *asked = GetConfigOption(ORDER_SCOPE, true, false);
	bool		preloaded = process_shared_preload_libraries_in_progress;

	asked = pstrdup(asked != NULL ? asked : "");
	DefineCustomEnumVariable(ORDER_SCOPE,
							 "Sets whose UUIDs are in one order.",
							 "\"session\": the UUIDs of each session; \"server\": the UUIDs of all sessions, even after a restart or failover.",
							 &uuidnew_order_scope,
							 SCOPE_SESSION,
							 scopes,
							 preloaded ? PGC_POSTMASTER : PGC_SIGHUP,
							 0,
							 NULL,
							 assign_order_scope,
							 NULL);
	if (!preloaded)
		return;
	if (asked[0] != '\0' &&
		pg_strcasecmp(asked, GetConfigOption(ORDER_SCOPE, false, false)) != 0)
		ereport(FATAL,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("invalid value for parameter \"%s\": \"%s\"",
						ORDER_SCOPE, asked),
				 errhint("Available values: session, server.")));
	if (uuidnew_order_scope == SCOPE_SESSION)
		start_worker();
	else
	{
		uuidnew_order_request_shared();
		RegisterXactCallback(uuidnew_flight_end, NULL);
	}
}
