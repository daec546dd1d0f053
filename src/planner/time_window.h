/*
 * time_window.h
 *	  Windows of time, since <= time < until: see time_window.c.
 */
#ifndef UUIDNEW_TIME_WINDOW_H
#define UUIDNEW_TIME_WINDOW_H

#include "fmgr.h"
#include "utils/timestamp.h"

#include "keys/layout.h"

/* Arguments: (id, since, until [, layout [, epoch]]) */
#define ARG_ID		0
#define ARG_SINCE	1
#define ARG_UNTIL	2
#define ARG_LAYOUT	3
#define ARG_EPOCH	4

extern void uuidnew_window_bound(const UuidLayout *layout, TimestampTz epoch,
								 int end, const TimestampTz *time,
								 pg_uuid_t *bound);

#endif							/* UUIDNEW_TIME_WINDOW_H */
