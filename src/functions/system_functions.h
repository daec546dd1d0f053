/*
 * system_functions.h
 *	  Errors for IDs of other systems (systems.h), and a setting of one.
 */
#ifndef UUIDNEW_SYSTEM_FUNCTIONS_H
#define UUIDNEW_SYSTEM_FUNCTIONS_H

#include "call/arguments.h"
#include "systems/systems.h"

/* The rule is a sentence of systemlist.h, which marks it for translation. */
#define id_rule(system)	errdetail("%s", _((system)->rule))

pg_noreturn extern void uuidnew_invalid_id_text(const IdSystem *system,
												const text *value);
extern void uuidnew_vb_define(void);

#endif							/* UUIDNEW_SYSTEM_FUNCTIONS_H */
