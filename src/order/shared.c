/*
 * shared.c
 *	  What all sessions share of the order of the server.
 */
#include "postgres.h"

#include "access/twophase.h"
#include "miscadmin.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"

#include "order/order.h"

int			uuidnew_order_scope = SCOPE_SESSION;
ServerOrder *uuidnew_server_order = NULL;

/* uuidnew_order_size - of shared memory, in octets. */
Size
uuidnew_order_size(int nbackends)
{
	return add_size(offsetof(ServerOrder, first_keys),
					mul_size(nbackends + max_prepared_xacts,
							 sizeof(pg_atomic_uint64)));
}

/* uuidnew_order_share - find the shared memory, or fill it in. */
void
uuidnew_order_share(void)
{
	Size		size = uuidnew_order_size(MaxBackends);
	ServerOrder *order;
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	order = ShmemInitStruct("uuidnew", size, &found);
	if (!found)
	{
		memset(order, 0, size);
		pg_atomic_init_u64(&order->begin, (uint64) NOT_YET_KNOWN);
		pg_atomic_init_u64(&order->reserved, (uint64) NOT_YET_KNOWN);
		pg_atomic_init_flag(&order->reserving);
		pg_atomic_init_u32(&order->prepared_known, 0);
		for (int i = 0; i < LAYOUT_NUMBERS; i++)
			SpinLockInit(&order->layouts[i].layout.mutex);
		for (int i = 0; i < MaxBackends + max_prepared_xacts; i++)
			pg_atomic_init_u64(&order->first_keys[i],
							   (uint64) NOT_IN_FLIGHT);
	}
	uuidnew_server_order = order;
	LWLockRelease(AddinShmemInitLock);
}

/* uuidnew_order_check - raises an ERROR unless the memory is shared. */
void
uuidnew_order_check(void)
{
	if (uuidnew_server_order == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("\"uuidnew.order_scope\" is \"server\", but \"uuidnew\" is not preloaded"),
				 errhint("Add \"uuidnew\" to \"shared_preload_libraries\" and restart the server, or set \"uuidnew.order_scope\" to \"session\".")));
}
