/*
 * order.h
 *	  One order of the keys of all sessions, uuidnew.order_scope = server, and
 *	  the horizon below which none is in flight.
 *
 * From outside, only uuidnew_order_define() is called.
 */
#ifndef UUIDNEW_ORDER_H
#define UUIDNEW_ORDER_H

#include "port/atomics.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "generate/generate.h"

/* uuidnew.order_scope: whose keys are in one order? */
typedef enum OrderScope
{
	SCOPE_SESSION, SCOPE_SERVER
} OrderScope;

/* In first_keys: no key in flight.  Later than any time. */
#define NOT_IN_FLIGHT		PG_INT64_MAX

/* Before the first reservation since the start */
#define NOT_YET_KNOWN		PG_INT64_MIN

/*
 * What all sessions share of a layout.  The state's time bits and epoch are
 * not used: who makes a key encodes its own.
 */
typedef struct OrderedLayout
{
	slock_t		mutex;
	int			ahead;			/* seconds that use has taken, by the clock */
	int64		clock_sec;		/* that stood at this second */
	SequenceState state;
} OrderedLayout;

/* Each in a cache line of its own */
typedef union PaddedLayout
{
	OrderedLayout layout;
	char		pad[PG_CACHE_LINE_SIZE];
} PaddedLayout;

typedef struct ServerOrder
{
	PaddedLayout layouts[LAYOUT_NUMBERS];

	/*
	 * Seconds since 1970: no key is from before the first, and none from the
	 * second on (reserve.c).  They change once a second.
	 */
	pg_atomic_uint64 begin;
	pg_atomic_uint64 reserved;
	pg_atomic_flag reserving;	/* a hint */

	/* No transaction is open that was prepared before the start. */
	pg_atomic_uint32 prepared_known;

	/*
	 * For each of MaxBackends, then for each transaction that may be prepared
	 * (max_prepared_xacts), the time of the first of its keys in flight
	 * (flight.c).
	 */
	pg_atomic_uint64 first_keys[FLEXIBLE_ARRAY_MEMBER];
} ServerOrder;

/* shared.c */

/* The setting, a value of OrderScope */
extern int	uuidnew_order_scope;

/* NULL: the library is not preloaded */
extern ServerOrder *uuidnew_server_order;

extern Size uuidnew_order_size(int nbackends);
extern void uuidnew_order_share(void);
extern void uuidnew_order_check(void);

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

/* flight.c */

/* Of this process's transaction; NULL: not attached */
extern pg_atomic_uint64 *uuidnew_first_key;

/* Layouts of which this process has made a key in its transaction */
extern uint32 uuidnew_layouts_in_flight;

extern void uuidnew_flight_define(void);
extern void uuidnew_flight_attach(void);
extern void uuidnew_set_in_flight(TimestampTz time);
extern TimestampTz uuidnew_oldest_in_flight(int *holder);
extern void uuidnew_check_prepared(void);

#endif							/* UUIDNEW_ORDER_H */
