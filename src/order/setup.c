/*
 * setup.c
 *	  The setting uuidnew.order_scope, and the shared memory that it needs.
 *
 * Both are there from the server's start to its end: a server is in one order
 * from the first key to the last, or not at all.
 */
#include "postgres.h"

#include "access/twophase.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/guc.h"

#include "order/order.h"

#define ORDER_SCOPE		"uuidnew.order_scope"

typedef enum OrderScope
{
	SCOPE_SESSION, SCOPE_SERVER
} OrderScope;

static const struct config_enum_entry scopes[] = {
	{"session", SCOPE_SESSION, false},
	{"server", SCOPE_SERVER, false},
	{NULL, 0, false}
};

ServerOrder *uuidnew_server_order = NULL;

static int	order_scope = SCOPE_SESSION;	/* uuidnew.order_scope */
static shmem_startup_hook_type previous_shmem_startup = NULL;

/*
 * Shared memory
 */

/* uuidnew_order_size - of shared memory, in octets. */
Size
uuidnew_order_size(int nbackends)
{
	return add_size(offsetof(ServerOrder, first_keys),
					mul_size(nbackends + max_prepared_xacts,
							 sizeof(pg_atomic_uint64)));
}

static void
initialize_order(ServerOrder *order)
{
	memset(order, 0, uuidnew_order_size(MaxBackends));
	pg_atomic_init_u64(&order->begin, (uint64) NOT_YET_KNOWN);
	pg_atomic_init_u64(&order->reserved, (uint64) NOT_YET_KNOWN);
	pg_atomic_init_flag(&order->reserving);
	pg_atomic_init_u32(&order->prepared_known, 0);
	for (int i = 0; i < LAYOUT_NUMBERS; i++)
		SpinLockInit(&order->layouts[i].layout.mutex);
	for (int i = 0; i < MaxBackends + max_prepared_xacts; i++)
		pg_atomic_init_u64(&order->first_keys[i], (uint64) NOT_IN_FLIGHT);
}

static void
shmem_startup(void)
{
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	uuidnew_server_order =
		ShmemInitStruct("uuidnew", uuidnew_order_size(MaxBackends), &found);
	if (!found)
		initialize_order(uuidnew_server_order);
	LWLockRelease(AddinShmemInitLock);
}

static void
request_shmem(void)
{
	RequestAddinShmemSpace(uuidnew_order_size(MAX_BACKENDS_PLANNED));
}

SHMEM_REQUEST_HOOK(request_shmem)

/* uuidnew_order_check - raises an ERROR unless there is the server's order. */
void
uuidnew_order_check(void)
{
	if (uuidnew_server_order == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", but \"uuidnew\" is not preloaded"),
				 errhint("Add \"uuidnew\" to \"shared_preload_libraries\" and restart the server, or set \"uuidnew.order_scope\" to \"session\".")));
}

/*
 * The setting
 */

/*
 * uuidnew_order_is_servers - is the scope "server"?
 *
 * Also where the library is not preloaded: uuidnew_order_check() raises an
 * ERROR then.
 */
bool
uuidnew_order_is_servers(void)
{
	return order_scope == SCOPE_SERVER;
}

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
 * follows it, so that keys can be refused where it asks for an order that
 * nobody keeps.  A value that is none keeps the server from starting, as one
 * of core's settings would: core only warns of it.
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
							 &order_scope,
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
	if (order_scope == SCOPE_SESSION)
		return;

	REQUEST_SHMEM(request_shmem);
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = shmem_startup;
	uuidnew_flight_define();
}
