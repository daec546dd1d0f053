/*
 * system_functions.h
 *	  Errors for IDs of other systems, and UUIDs as text: see systems.h.
 */
#ifndef UUIDNEW_SYSTEM_FUNCTIONS_H
#define UUIDNEW_SYSTEM_FUNCTIONS_H

#include "sql/arguments.h"
#include "systems/systems.h"

/* The rule is a sentence of systemlist.h, which marks it for translation. */
#define id_rule(system)	errdetail("%s", _((system)->rule))

pg_noreturn extern void uuidnew_invalid_id_text(const IdSystem *system,
												const text *value);

#endif							/* UUIDNEW_SYSTEM_FUNCTIONS_H */
