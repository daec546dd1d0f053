/*
 * tick.h
 *	  Ticks, the smallest time steps of a layout, and times as ticks.
 */
#ifndef UUIDNEW_TICK_H
#define UUIDNEW_TICK_H

#include "keys/layout.h"

/* Seconds since 1970, and the ticks of a layout that follow. */
typedef struct Tick
{
	int64		sec;
	uint32		subsec;			/* 0 to ticks_per_sec - 1 */
} Tick;

static inline bool
tick_after(Tick a, Tick b)
{
	return a.sec > b.sec || (a.sec == b.sec && a.subsec > b.subsec);
}

static inline bool
tick_equal(Tick a, Tick b)
{
	return a.sec == b.sec && a.subsec == b.subsec;
}

static inline Tick
tick_successor(const UuidLayout *layout, Tick tick)
{
	if (++tick.subsec == layout->ticks_per_sec)
	{
		tick.subsec = 0;
		tick.sec += Max(layout->secs_per_tick, 1);
	}
	return tick;
}

/* seconds_of - the seconds since 1970 and microseconds of a TimestampTz. */
static inline int64
seconds_of(int64 time, int64 *usec)
{
	int64		second = time / USECS_PER_SEC;

	*usec = time % USECS_PER_SEC;
	if (*usec < 0)
	{
		second--;
		*usec += USECS_PER_SEC;
	}
	return second + EPOCH_POSTGRES;
}

/* tick_at_time - the tick of a TimestampTz and nanoseconds below it. */
static inline Tick
tick_at_time(const UuidLayout *layout, int64 time, uint32 nanoseconds)
{
	int64		usec;
	int64		sec = seconds_of(time, &usec);

	return (Tick)
	{
		sec, layout_ticks(layout,
						  usec * NSECS_PER_USEC + nanoseconds)
	};
}

/*
 * epoch_tick - an epoch, TimestampTz, as a tick: rounded up, so that a UUID is
 * never ahead of the clock, or to a second if ticks are longer, because those
 * count from the epoch.
 */
static inline Tick
epoch_tick(const UuidLayout *layout, int64 epoch)
{
	Tick		tick = {layout->epoch, 0};
	int64		usec;

	if (likely(epoch == layout_epoch(layout)))
		return tick;

	tick.sec = seconds_of(epoch, &usec);
	if (usec > 0)
	{
		/* rounded up: one tick after the last whole nanosecond */
		tick.subsec = layout_ticks(layout, usec * NSECS_PER_USEC - 1);
		if (unlikely(layout->secs_per_tick > 1))
			return (Tick) {tick.sec + 1, 0};
		tick = tick_successor(layout, tick);
	}
	return tick;
}

/* tick_timestamp - where a tick begins, truncated to a microsecond. */
static inline int64
tick_timestamp(const UuidLayout *layout, Tick tick)
{
	return (tick.sec - EPOCH_POSTGRES) * USECS_PER_SEC +
		(int64) tick.subsec * USECS_PER_SEC / layout->ticks_per_sec;
}

/*
 * encode_tick - the timestamp bits of a tick, counted from an epoch; false if
 * the layout can't hold it.
 */
static inline bool
encode_tick(const UuidLayout *layout, Tick tick, Tick epoch,
			UuidPayload *time_bits)
{
	int64		sec = tick.sec - epoch.sec;

	if (tick.subsec < epoch.subsec)
	{
		tick.subsec += layout->ticks_per_sec;
		sec--;
	}
	if (sec < 0)
		return false;
	if (unlikely((uint64) sec > (layout->span_usecs - 1) / USECS_PER_SEC))
	{
		/* the layout's default epoch stands for the era of the clock */
		if (layout->era_secs == 0 || epoch.sec != layout->epoch)
			return false;
		sec %= layout->era_secs;
	}
	*time_bits = layout->encode(layout, sec, tick.subsec - epoch.subsec);

	/* a range may begin and end within a second */
	return layout_in_range(layout, *time_bits);
}

#endif							/* UUIDNEW_TICK_H */
