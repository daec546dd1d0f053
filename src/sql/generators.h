/*
 * generators.h
 *	  A new UUID as an SQL function returns it: see generators.c.
 */
#ifndef UUIDNEW_GENERATORS_H
#define UUIDNEW_GENERATORS_H

#include "generate/generate.h"
#include "sql/arguments.h"

extern Datum uuidnew_next_uuid(const UuidLayout *layout);

#endif							/* UUIDNEW_GENERATORS_H */
