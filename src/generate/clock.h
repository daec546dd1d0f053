/*
 * clock.h
 *	  The clock for generated UUIDs.
 */
#ifndef UUIDNEW_CLOCK_H
#define UUIDNEW_CLOCK_H

#include <time.h>

#include "compat.h"

/* Seconds, the setting uuidnew.max_clock_leap; 0: no limit */
extern int	uuidnew_max_clock_leap;

typedef struct ClockTime
{
	int64		sec;			/* since 1970-01-01 00:00:00 UTC */
	uint32		nsec;
} ClockTime;

/* What was logged of the clock */
typedef enum ClockReport
{
	NO_REPORT, REPORTED_BACK, REPORTED_LEAP
} ClockReport;

typedef struct ClockHistory
{
	ClockTime	highest;		/* the latest time ever read */
	ClockTime	last;
	int64		offset;			/* clock less steady clock, in seconds, when
								 * the second of highest began */
	ClockReport reported;		/* since the highest was read */
} ClockHistory;

extern ClockHistory uuidnew_clock;

extern void uuidnew_clock_define(void);
extern void uuidnew_clock_moved(ClockTime now);
extern int64 uuidnew_steady_sec(void);
extern void uuidnew_clock_check_leap(int64 secs, ClockReport *reported,
									 const char *hint);
extern ClockTime uuidnew_clock_failed(void);
extern void uuidnew_clock_forget(void);

static inline bool
clock_before(ClockTime a, ClockTime b)
{
	return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

/*
 * clock_now - the system clock, read once.
 *
 * Raises an ERROR if it has leapt ahead, which can only be in a new second.
 */
static inline ClockTime
clock_now(void)
{
	ClockHistory *history = &uuidnew_clock;
	struct timespec ts;
	ClockTime	now;

	if (unlikely(clock_gettime(CLOCK_REALTIME, &ts) != 0))
		return uuidnew_clock_failed();
	now.sec = ts.tv_sec;
	now.nsec = ts.tv_nsec;

	if (unlikely(now.sec != history->highest.sec ||
				 now.nsec < history->highest.nsec))
		uuidnew_clock_moved(now);
	else
	{
		/* not a = b = now, because gcc would read b back */
		history->highest = now;
		history->last = now;
		history->reported = NO_REPORT;
	}
	return now;
}

#endif							/* UUIDNEW_CLOCK_H */
