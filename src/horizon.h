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

#endif							/* UUIDNEW_HORIZON_H */
