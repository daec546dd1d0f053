/*
 * system_functions.h
 *	  An error for invalid text, and the setting of version b.
 */
#ifndef UUIDNEW_SYSTEM_FUNCTIONS_H
#define UUIDNEW_SYSTEM_FUNCTIONS_H

#include "call/arguments.h"
#include "systems/systems.h"

pg_noreturn extern void uuidnew_invalid_text(const char *type,
											 const char *rule,
											 const text *value);
extern void uuidnew_vb_define(void);

#endif							/* UUIDNEW_SYSTEM_FUNCTIONS_H */
