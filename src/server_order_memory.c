/*
 * server_order_memory.c
 *	  Shared memory of the order of the server (server_order.c), and a process's
 *	  place in it.
 *
 * ServerOrder, then OrderBackends, FirstKeys and PreparedKeys.  It is asked for
 * by a library that is preloaded, and from PostgreSQL 17 on made by the first
 * process that needs it.
 */
#include "postgres.h"

#include "access/twophase.h"
#include "miscadmin.h"
#include "postmaster/autovacuum.h"
#include "replication/walsender.h"
#include "storage/ipc.h"
#include "storage/proc.h"
#include "storage/shmem.h"

#include "compat.h"
#include "server_order.h"

ServerOrder *uuidnew_server_order = NULL;

static bool attached = false;
static int	my_number;
static PGPROC *my_leader;

static shmem_startup_hook_type previous_shmem_startup = NULL;

static Size
backends_offset(void)
{
	return CACHELINEALIGN(sizeof(ServerOrder));
}

static Size
firsts_offset(int nbackends)
{
	return backends_offset() + CACHELINEALIGN(mul_size(nbackends, sizeof(OrderBackend)));
}

static Size
prepared_offset(int nbackends)
{
	return firsts_offset(nbackends) +
		mul_size(mul_size(nbackends, ORDER_LAYOUTS), sizeof(FirstKey));
}

static Size
shared_size(int nbackends)
{
	return prepared_offset(nbackends) +
		mul_size(max_prepared_xacts, sizeof(PreparedKeys));
}

static inline void *
shared_at(Size offset)
{
	return (char *) uuidnew_server_order + offset;
}

OrderBackend *
uuidnew_order_backends(void)
{
	return shared_at(backends_offset());
}

/* The first keys of a layout, by the number of the backend. */
FirstKey *
uuidnew_order_firsts(int layout)
{
	int			nbackends = uuidnew_server_order->nbackends;

	return (FirstKey *) shared_at(firsts_offset(nbackends)) + (Size) layout * nbackends;
}

PreparedKeys *
uuidnew_order_prepared(void)
{
	return shared_at(prepared_offset(uuidnew_server_order->nbackends));
}

static void
initialize(ServerOrder *order)
{
	memset(order, 0, shared_size(MaxBackends));
	order->nbackends = MaxBackends;
	order->nprepared = max_prepared_xacts;
	order->size = shared_size(MaxBackends);
	pg_atomic_init_u64(&order->reserved_until, 0);
	pg_atomic_init_flag(&order->reserving);
	SpinLockInit(&order->mutex);
	for (int i = 0; i < ORDER_LAYOUTS; i++)
		SpinLockInit(&order->layouts[i].layout.mutex);
	LWLockInitialize(&order->prepared_lock, new_lwlock_tranche("uuidnew"));
	pg_atomic_init_u32(&order->changes, 1);
	pg_atomic_init_u32(&order->left, 0);
	order->changed_at = GetCurrentTimestamp();
}

static void
initialize_segment(void *segment SEGMENT_ARG)
{
	initialize(segment);
}

static void
shmem_startup(void)
{
	bool		found;

	if (previous_shmem_startup)
		previous_shmem_startup();

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	uuidnew_server_order = ShmemInitStruct("uuidnew", shared_size(MaxBackends), &found);
	if (!found)
	{
		initialize(uuidnew_server_order);
		uuidnew_server_order->preloaded = true;

		/* the first session to come finds it so */
		if (uuidnew_order_is_servers())
			uuidnew_server_order->running_settled = 1;
		else
			pg_atomic_write_u32(&uuidnew_server_order->left, 1);
	}
	LWLockRelease(AddinShmemInitLock);
}

static void
request_shmem(void)
{
	RequestAddinShmemSpace(shared_size(MAX_BACKENDS_PLANNED));
}

SHMEM_REQUEST_HOOK(request_shmem)

/*
 * uuidnew_order_request_memory - ask for shared memory, if the library is
 * preloaded.
 */
void
uuidnew_order_request_memory(void)
{
	if (!process_shared_preload_libraries_in_progress)
		return;
	REQUEST_SHMEM(request_shmem);
	previous_shmem_startup = shmem_startup_hook;
	shmem_startup_hook = shmem_startup;
}

/*
 * uuidnew_order_attach - shared memory, for a process that needs it.
 *
 * Raises an ERROR where there is none.
 */
void
uuidnew_order_attach(void)
{
	if (attached)
		return;
	if (MyProc == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", and this process has no place in its order")));
	if (uuidnew_server_order == NULL)
		uuidnew_server_order = named_segment("uuidnew", shared_size(MaxBackends),
											 initialize_segment);
	if (uuidnew_server_order == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", but there is no shared memory for it"),
				 errhint("Add \"uuidnew\" to \"shared_preload_libraries\" and restart the server, or set \"uuidnew.order_scope\" to \"session\".")));

	StaticAssertStmt(sizeof(PaddedLayout) == 2 * PG_CACHE_LINE_SIZE, "layout is too long");
	StaticAssertStmt(sizeof(FirstKey) == 64, "first key is too long");

	/* what parallel workers make is their leader's */
	my_leader = MyProc->lockGroupLeader ? MyProc->lockGroupLeader : MyProc;
	my_number = my_leader - ProcGlobal->allProcs;
	if (my_number < 0 || my_number >= uuidnew_server_order->nbackends)
		elog(ERROR, "process number %d is out of range", my_number);
	uuidnew_horizon_attach();
	attached = true;
}

bool
uuidnew_order_is_attached(void)
{
	return attached;
}

/* This process's number, or its leader's. */
int
uuidnew_order_my_number(void)
{
	return my_number;
}

PGPROC *
uuidnew_order_my_leader(void)
{
	return my_leader;
}
