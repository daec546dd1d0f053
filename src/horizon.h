/*
 * horizon.h
 *	  Between horizon.c and what it needs: keys in flight (horizon_keys.c), and
 *	  those of the time before (horizon_settle.c).
 */
#ifndef UUIDNEW_HORIZON_H
#define UUIDNEW_HORIZON_H

#include "server_order.h"

/* A transaction with a key in flight. */
typedef struct KeyHolder
{
	bool		found;
	KeyPosition first;
	int			pid;			/* 0: prepared */
	TransactionId xid;
} KeyHolder;

extern bool uuidnew_lower_to_first_key(LayoutLink *link, KeyPosition *lowest);
extern KeyHolder uuidnew_key_holder(const OrderedLayout *shared, int number);
extern uint32 uuidnew_horizon_settle(void);
extern void uuidnew_horizon_check_heard(uint32 change);

/*
 * know_prepared_before - of which prepared transactions the keys have to be
 * known, from now on.  The spinlock is held.
 *
 * Who asked later may have been faster.
 */
static inline void
know_prepared_before(ServerOrder *order, FullTransactionId next)
{
	if (FullTransactionIdPrecedes(order->prepared_before, next))
		order->prepared_before = next;
	order->prepared_asked++;
}

#endif							/* UUIDNEW_HORIZON_H */
