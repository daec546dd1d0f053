/*
 * v7.h
 *	  Version 7, the draft's and RFC 9562's: see v7.c.
 *
 * Pure: test/unit runs it without a server.
 */
#ifndef UUIDNEW_V7_H
#define UUIDNEW_V7_H

#include "layout.h"

extern const UuidLayout *const uuidnew_v7_rfc9562;

extern bool uuidnew_v7_convert(const UuidLayout *from, const UuidLayout *to,
							   const pg_uuid_t *uuid, pg_uuid_t *result);

#endif							/* UUIDNEW_V7_H */
