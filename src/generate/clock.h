/*
 * clock.h
 *	  The clock that generated UUIDs are made from: see clock.c.
 */
#ifndef UUIDNEW_CLOCK_H
#define UUIDNEW_CLOCK_H

#include <time.h>

typedef struct ClockTime
{
	int64		sec;			/* since 1970-01-01 00:00:00 UTC */
	uint32		nsec;
} ClockTime;

typedef struct ClockHistory
{
	ClockTime	highest;		/* the latest time ever read */
	ClockTime	last;
	bool		reported;		/* that the clock is behind the highest */
} ClockHistory;

extern ClockHistory uuidnew_clock;

extern void uuidnew_clock_went_back(ClockTime now);
extern ClockTime uuidnew_clock_failed(void);
extern void uuidnew_clock_forget(void);

static inline bool
clock_before(ClockTime a, ClockTime b)
{
	return a.sec < b.sec || (a.sec == b.sec && a.nsec < b.nsec);
}

/* clock_now - the system clock, read once. */
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

	if (unlikely(clock_before(now, history->highest)))
		uuidnew_clock_went_back(now);
	else
	{
		/* not a chain: gcc would read back what it has just written */
		history->highest = now;
		history->last = now;
		history->reported = false;
	}
	return now;
}

#endif							/* UUIDNEW_CLOCK_H */
