/*
 * machine_id.h
 *	  The settings uuidnew.machine_id and uuidnew.machine_id_bits.
 */
#ifndef UUIDNEW_MACHINE_ID_H
#define UUIDNEW_MACHINE_ID_H

#include "keys/sequence.h"

#define MACHINE_ID_MAX_BITS		32

extern int	uuidnew_machine_id_bits;
extern uint64 uuidnew_machine_id;

extern void uuidnew_machine_id_define(void);
extern NodePrefix uuidnew_machine_id_checked(void);

/* machine_id_prefix - the machine id as the leading bits of a node. */
static inline NodePrefix
machine_id_prefix(void)
{
	NodePrefix	none = {0, 0, false};

	if (likely(uuidnew_machine_id_bits == 0))
		return none;
	return uuidnew_machine_id_checked();
}

#endif							/* UUIDNEW_MACHINE_ID_H */
