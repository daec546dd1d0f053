/*
 * setup.c
 *	  The setting uuidnew.order_scope, and what the server does with it.
 *
 * They last from the server's start to its end: a server is in one order from
 * the first key to the last, or not at all.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/shmem.h"
#include "utils/guc.h"

#include "order/order.h"

#define ORDER_SCOPE		"uuidnew.order_scope"

static const struct config_enum_entry scopes[] = {
	{"session", SCOPE_SESSION, false},
	{"server", SCOPE_SERVER, false},
	{NULL, 0, false}
};

static shmem_startup_hook_type previous_shmem_startup = NULL;

static void
shmem_startup(void)
{
	if (previous_shmem_startup)
		previous_shmem_startup();
	uuidnew_order_share();
}

static void
request_shmem(void)
{
	RequestAddinShmemSpace(uuidnew_order_size(MAX_BACKENDS_PLANNED));
}

SHMEM_REQUEST_HOOK(request_shmem)

static void
assign_order_scope(int scope, void *extra)
{
	uuidnew_generate_hook = scope == SCOPE_SESSION ? NULL :
		uuidnew_order_generate;
}

/*
 * uuidnew_order_define - define the setting and, where it is "server", what
 * that needs.
 *
 * Only the server's configuration sets it.  A library that is not preloaded
 * follows it, so that it refuses keys when "server" is configured.  An invalid
 * value is FATAL, as for core's settings.
 */
void
uuidnew_order_define(void)
{
	const char *asked = GetConfigOption(ORDER_SCOPE, true, false);
	bool		preloaded = process_shared_preload_libraries_in_progress;

	asked = pstrdup(asked != NULL ? asked : "");
	DefineCustomEnumVariable(ORDER_SCOPE,
							 "Sets whose UUIDs are in one order.",
							 "\"session\": each session's; \"server\": those of all sessions, kept through restart and failover.",
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
		return;

	REQUEST_SHMEM(request_shmem);
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = shmem_startup;
	uuidnew_flight_define();
}
