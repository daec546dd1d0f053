/*
 * order.h
 *	  One order of the keys of all sessions, uuidnew.order_scope = server, and
 *	  the horizon below which no row can appear.
 */
#ifndef UUIDNEW_ORDER_H
#define UUIDNEW_ORDER_H

#include "access/xact.h"
#include "port/atomics.h"
#include "storage/spin.h"
#include "utils/snapshot.h"
#include "utils/timestamp.h"

#include "generate/generate.h"

/* uuidnew.order_scope: whose keys are in one order? */
typedef enum OrderScope
{
	SCOPE_SESSION, SCOPE_SERVER
} OrderScope;

/* Instead of the time of a first key: no key; sorts after every time. */
#define NOT_IN_FLIGHT		PG_INT64_MAX

/* Before the first reservation since the start */
#define NOT_YET_KNOWN		PG_INT64_MIN

/* What all sessions share of a layout, in a cache line of its own */
typedef struct OrderedLayout
{
	slock_t		mutex;
	int			ahead;			/* seconds by which keys lead the clock */
	int64		clock_sec;		/* clock second of the last update */
	SequenceCounter counter;
}			pg_attribute_aligned(PG_CACHE_LINE_SIZE)
OrderedLayout;

/* A transaction that has generated keys */
typedef struct KeyTransaction
{
	uint64		xid;			/* full, as its 32 bits may be in use again */
	TimestampTz first;			/* the time of its first key */
} KeyTransaction;

/* Committed transactions that are kept, beside one for each place */
#define ENDED_KEPT			16384

typedef struct ServerOrder
{
	OrderedLayout layouts[LAYOUT_NUMBERS];

	/* seconds since 1970: all keys are from begin on, and before reserved */
	pg_atomic_uint64 begin;
	pg_atomic_uint64 reserved;
	pg_atomic_flag reserving;	/* by some process; only a hint */

	/* clock less steady clock, in seconds: at the start, last accepted */
	int64		start_offset;
	pg_atomic_uint64 clock_offset;
	ClockReport reported;

	/* smaller transaction IDs are from before the start; 0: unknown */
	pg_atomic_uint64 start_xid;

	/* Number nended - 1 is the last; number n is in slot n % ended_slots. */
	slock_t		ended_mutex;
	uint64		ended_slots;
	pg_atomic_uint64 nended;
	KeyTransaction *ended;

	KeyTransaction *prepared;	/* a place for each of max_prepared_xacts */

	/* for each of MaxBackends, the time of the first of its keys in flight */
	pg_atomic_uint64 first_keys[FLEXIBLE_ARRAY_MEMBER];
} ServerOrder;

/* shared.c */

extern int	uuidnew_order_scope;	/* the setting, an OrderScope */
extern ServerOrder *uuidnew_server_order;	/* NULL if not preloaded */

extern void uuidnew_order_request_shared(void);
extern void uuidnew_order_require_shared(const char *what);

/* setup.c */

extern void uuidnew_order_define(void);

/* order.c */

extern bool uuidnew_order_next(const UuidLayout *layout, Tick epoch,
							   NodePrefix prefix, Tick *tick,
							   UuidPayload *payload);
extern bool uuidnew_order_generate(const UuidLayout *layout, Tick epoch,
								   NodePrefix prefix, pg_uuid_t *uuid);

/* reserve.c */

extern int64 uuidnew_order_find_begin(void);
extern int64 uuidnew_order_reserve(int64 sec);
extern int64 uuidnew_order_kept_until(void);
extern ClockTime uuidnew_order_check_clock(void);

/* flight.c */

/* The place of this process's transaction; NULL until it is attached */
extern pg_atomic_uint64 *uuidnew_first_key;

/* Layouts of which this process has generated a key in its transaction */
extern uint32 uuidnew_layouts_in_flight;

/* Horizons that are known in this process's transaction */
extern int	uuidnew_known_horizons;

extern void uuidnew_flight_end(XactEvent event, void *arg);
extern void uuidnew_flight_attach(void);
extern void uuidnew_set_in_flight(const UuidLayout *layout, Tick tick);
extern TimestampTz uuidnew_oldest_in_flight(Snapshot snapshot, int *holder);
extern TimestampTz uuidnew_oldest_unseen(Snapshot snapshot);
extern void uuidnew_check_snapshot(Snapshot snapshot);

#endif							/* UUIDNEW_ORDER_H */
