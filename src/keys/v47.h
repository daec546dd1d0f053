/*
 * v47.h
 *	  UUIDv47, version 7 UUIDs that look like version 4: see v47.c.
 */
#ifndef UUIDNEW_V47_H
#define UUIDNEW_V47_H

#include "keys/bits.h"

#define V47_KEY_LEN		16

extern uint64 uuidnew_siphash24(const uint8 key[V47_KEY_LEN],
								const uint8 *octets, size_t len);
extern void uuidnew_v47_mask(const uint8 key[V47_KEY_LEN],
							 const pg_uuid_t *uuid, int version,
							 pg_uuid_t *result);

#endif							/* UUIDNEW_V47_H */
