/*
 * windowlist.h
 *	  The windows of time: WINDOW(SQL function's C symbol, family, ends).
 *
 * To include it, define WINDOW, which it undefines.
 */

WINDOW(uuid_v6_between, &uuidnew_v6, BETWEEN)
WINDOW(uuid_v7_between, &uuidnew_v7, BETWEEN)
WINDOW(uuid_v7_before, &uuidnew_v7, BEFORE)
WINDOW(uuid_v7_from, &uuidnew_v7, FROM)
WINDOW(uuidv7_between, &uuidnew_uuidv7_family, BETWEEN)
WINDOW(uuidv7_within, &uuidnew_uuidv7_family, WITHIN)
WINDOW(uuidv7_before, &uuidnew_uuidv7_family, BEFORE)
WINDOW(uuidv7_upto, &uuidnew_uuidv7_family, UPTO)
WINDOW(uuidv7_from, &uuidnew_uuidv7_family, FROM)
WINDOW(uuidv7_after, &uuidnew_uuidv7_family, AFTER)
WINDOW(uuid_v8_between, &uuidnew_v8, BETWEEN)

#undef WINDOW
