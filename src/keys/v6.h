/*
 * v6.h
 *	  Versions 1 and 6, which hold the same fields: see v6.c.
 */
#ifndef UUIDNEW_V6_H
#define UUIDNEW_V6_H

#include "keys/layout.h"

extern bool uuidnew_v1_unix_ms_to_v1(const pg_uuid_t *wrong, pg_uuid_t *v1);
extern void uuidnew_v1_pack(UuidPayload v6, pg_uuid_t *v1);
extern int64 uuidnew_v1_timestamp(const pg_uuid_t *v1);
extern void uuidnew_v1_to_v6(const pg_uuid_t *v1, pg_uuid_t *v6);
extern void uuidnew_v6_to_v1(const pg_uuid_t *v6, pg_uuid_t *v1);

#endif							/* UUIDNEW_V6_H */
