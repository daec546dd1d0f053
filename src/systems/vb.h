/*
 * vb.h
 *	  Groupon's Locality UUID, version b: see vb.c.
 */
#ifndef UUIDNEW_VB_H
#define UUIDNEW_VB_H

#include "keys/bits.h"

#define VB_VERSION			0xB
#define VB_INCREMENT		198491317	/* of the counter, in mode variable */
#define VB_MAC_BITS			28
#define VB_MSEC_BITS		48

typedef enum VbMode
{
	VB_VARIABLE,
	VB_SEQUENTIAL,
	VB_JAVA						/* for readers: variable, by Groupon's Java */
} VbMode;

typedef struct VbFields
{
	uint32		counter;
	uint16		process_id;
	uint32		mac_fragment;	/* 28 bits */
	uint64		msec;			/* since 1970, 48 bits */
} VbFields;

extern void uuidnew_vb_pack(VbMode mode, VbFields fields, pg_uuid_t *uuid);
extern bool uuidnew_vb_unpack(VbMode mode, const pg_uuid_t *uuid,
							  VbFields *fields);
extern bool uuidnew_vb_counter_is_known(VbMode mode, uint32 counter);
extern bool uuidnew_vb_parse_mac(const char *text, uint32 *mac_fragment);
extern void uuidnew_vb_move_time(const pg_uuid_t *uuid, bool to_front,
								 pg_uuid_t *result);

#endif							/* UUIDNEW_VB_H */
