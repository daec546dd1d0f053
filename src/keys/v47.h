/*
 * v47.h
 *	  UUIDv47, which shows version 7 as version 4: see v47.c.
 */
#ifndef UUIDNEW_V47_H
#define UUIDNEW_V47_H

#include "keys/bits.h"

#define V47_KEY_LEN		16

/* SipHash's key: two little-endian numbers of 8 octets. */
typedef struct V47Key
{
	uint64		k0;
	uint64		k1;
} V47Key;

extern V47Key uuidnew_v47_key(const uint8 octets[V47_KEY_LEN]);
extern uint64 uuidnew_siphash24(V47Key key, const uint8 *octets, size_t len);
extern void uuidnew_v47_mask(V47Key key, const pg_uuid_t *uuid, int version,
							 pg_uuid_t *result);

#endif							/* UUIDNEW_V47_H */
