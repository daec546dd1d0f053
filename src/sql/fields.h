/*
 * fields.h
 *	  The fields of a UUID as SQL values: see fields.c.
 */
#ifndef UUIDNEW_FIELDS_H
#define UUIDNEW_FIELDS_H

#include "keys/layout.h"

extern Datum uuidnew_node_datum(const UuidLayout *layout, uint64 node);

#endif							/* UUIDNEW_FIELDS_H */
