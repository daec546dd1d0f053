/*
 * shared.c
 *	  The shared memory of the order of the server.
 */
#include "postgres.h"

#include "access/twophase.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "order/order.h"

int			uuidnew_order_scope = SCOPE_SESSION;
ServerOrder *uuidnew_server_order = NULL;

static shmem_startup_hook_type previous_shmem_startup = NULL;

static uint64
ended_slots(int nbackends)
{
	return ENDED_KEPT + nbackends + max_prepared_xacts;
}

static Size
shared_size(int nbackends)
{
	return add_size(add_size(offsetof(ServerOrder, first_keys),
							 mul_size(nbackends, sizeof(pg_atomic_uint64))),
					mul_size(max_prepared_xacts + ended_slots(nbackends),
							 sizeof(KeyTransaction)));
}

static void
request_shmem(void)
{
	RequestAddinShmemSpace(shared_size(MAX_BACKENDS_PLANNED));
}

SHMEM_REQUEST_HOOK(request_shmem)

static void
shmem_startup(void)
{
	Size		size = shared_size(MaxBackends);
	ServerOrder *order;
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();
	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	order = ShmemInitStruct("uuidnew", size, &found);
	if (!found)
	{
		memset(order, 0, size);
		order->prepared = (KeyTransaction *) &order->first_keys[MaxBackends];
		order->ended = order->prepared + max_prepared_xacts;
		order->ended_slots = ended_slots(MaxBackends);
		pg_atomic_init_u64(&order->begin, (uint64) NOT_YET_KNOWN);
		pg_atomic_init_u64(&order->reserved, (uint64) NOT_YET_KNOWN);
		pg_atomic_init_flag(&order->reserving);
		order->start_offset = (int64) time(NULL) - uuidnew_steady_sec();
		pg_atomic_init_u64(&order->clock_offset, (uint64) NOT_YET_KNOWN);
		pg_atomic_init_u64(&order->start_xid, 0);
		SpinLockInit(&order->ended_mutex);
		pg_atomic_init_u64(&order->nended, 0);
		for (int i = 0; i < LAYOUT_NUMBERS; i++)
			SpinLockInit(&order->layouts[i].mutex);
		for (int i = 0; i < MaxBackends; i++)
			pg_atomic_init_u64(&order->first_keys[i],
							   (uint64) NOT_IN_FLIGHT);
		for (int i = 0; i < max_prepared_xacts; i++)
			order->prepared[i].first = NOT_IN_FLIGHT;
	}
	uuidnew_server_order = order;
	LWLockRelease(AddinShmemInitLock);
}

/* uuidnew_order_request_shared - have the server allocate the memory. */
void
uuidnew_order_request_shared(void)
{
	REQUEST_SHMEM(request_shmem);
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = shmem_startup;
}

/*
 * uuidnew_order_require_shared - raises an ERROR, there is no "what", unless
 * the setting is "server" and the library is preloaded.
 */
void
uuidnew_order_require_shared(const char *what)
{
	if (uuidnew_order_scope == SCOPE_SESSION)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("there is no %s with \"uuidnew.order_scope\" = \"session\"", what),
				 errhint("Set it to \"server\" in the server's configuration, and restart the server.")));
	if (uuidnew_server_order == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", but \"uuidnew\" is not preloaded"),
				 errhint("Add \"uuidnew\" to \"shared_preload_libraries\" and restart the server, or set \"uuidnew.order_scope\" to \"session\".")));
}
