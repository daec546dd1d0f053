/*
 * server_order.h
 *	  One order of the keys of all sessions: uuidnew.order_scope = server.
 *
 * Between server_order*.c, which make keys, and horizon*.c, which know of keys
 * in flight; generate.h has what others need.
 */
#ifndef UUIDNEW_SERVER_ORDER_H
#define UUIDNEW_SERVER_ORDER_H

#include "access/transam.h"
#include "port/atomics.h"
#include "storage/lock.h"
#include "storage/lwlock.h"
#include "storage/spin.h"
#include "utils/timestamp.h"

#include "generate.h"

/* All layouts with a name, and some that are given by numbers */
#define ORDER_LAYOUTS	24
#define ORDER_NAME_LEN	48

/*
 * How far the time of a layout whose ticks are used up may run ahead of the clock.
 * All layouts share what is reserved: one must not take the others into the far
 * future.  For the same reason no tick is longer.
 */
#define MAX_AHEAD_SECS	600

/* A key, whatever epoch its time counts from. */
typedef struct KeyPosition
{
	Tick		tick;
	UuidPayload rest;			/* all but the timestamp */
} KeyPosition;

/*
 * The first key of a layout that a backend made in its transaction.
 *
 * It is set under the layout's spinlock, and cleared and read without one.
 */
typedef union FirstKey
{
	struct
	{
		pg_atomic_uint32 changes;	/* odd while it is set */
		pg_atomic_uint32 in_flight; /* is there one? */
		KeyPosition key;

		/*
		 * Of a parallel worker whose leader is not attached, and so won't
		 * clear it: the leader's transaction.  Otherwise 0.
		 */
		LocalTransactionId lxid;
		int			pid;
	};
	char		pad[64];		/* a cache line of its own */
} FirstKey;

/*
 * What all sessions share of a layout.  What each UUID changes is in the first
 * cache line, as that goes from processor to processor.
 */
typedef struct OrderedLayout
{
	slock_t		mutex;
	SequenceState state;
	bool		restored;		/* is the state beyond the register's time? */
	Tick		renew;			/* beyond it, time is to be reserved */
	Tick		limit;			/* no key goes beyond it */
	Tick		lent;			/* the last tick that the clock had not come
								 * to */
	int64		clock_sec;		/* where the clock was then, or the order
								 * began */
	int			backends;		/* FirstKeys above are not used */

	/* never changed */
	uint32		ticks_per_sec;
	int			version;
	Tick		epoch;			/* see own_epoch() */
	char		name[ORDER_NAME_LEN];
} OrderedLayout;

typedef union PaddedLayout
{
	OrderedLayout layout;
	char		pad[PG_CACHE_LINE_SIZE * 2];
} PaddedLayout;

/* What all sessions share of one backend. */
typedef union OrderBackend
{
	struct
	{
		/* layouts of which parallel workers made the first key */
		pg_atomic_uint32 workers_layouts;

		/*
		 * the process, if all of its transaction's keys are in the common
		 * order
		 */
		int			in_order;

		int			attached;	/* the process that clears its keys */
	};
	char		pad[64];
} OrderBackend;

/* A prepared transaction that made keys. */
typedef struct PreparedKeys
{
	FullTransactionId xid;		/* 0: not in use */
	uint32		layouts;		/* which keys are set */
	KeyPosition keys[ORDER_LAYOUTS];
} PreparedKeys;

typedef struct ServerOrder
{
	/* first, and so at the beginning of cache lines */
	PaddedLayout layouts[ORDER_LAYOUTS];

	bool		preloaded;
	int			nbackends;
	int			nprepared;
	Size		size;

	/* microseconds since 1970: see server_order_store.c */
	pg_atomic_uint64 reserved_until;
	pg_atomic_flag reserving;	/* a hint */
	bool		register_read;	/* under the lock of the origin */
	uint64		restored_until;

	/*
	 * How often the scope became server, as far as is known, and when it did
	 * last.  The postmaster counts, which takes no lock.
	 */
	pg_atomic_uint32 changes;
	TimestampTz changed_at;
	pg_atomic_uint32 left;		/* not 0: the scope is session again, or a
								 * session's is; if preloaded */

	slock_t		mutex;			/* of what follows */
	int			nlayouts;
	int			nby_numbers;	/* of these, given by numbers */

	/* The change since which no older transaction is running any more */
	uint32		running_settled;

	/* ... and none is prepared, of those below */
	uint32		prepared_settled;
	FullTransactionId prepared_before;
	uint32		prepared_asked; /* how often that was set */

	LWLock		prepared_lock;
} ServerOrder;

/* The states of a layout that a session has, one for each epoch */
#define OWN_STATES		32

/* How a process refers to a layout's shared state. */
typedef struct LayoutLink
{
	const UuidLayout *source;
	UuidLayout	layout;			/* the source may not stay */
	OrderedLayout *shared;
	FirstKey   *first;			/* of this backend, or its leader's */
	FirstKey   *firsts;			/* of all */
	int			number;

	/* The session's own states, and the last one used: see join_state(). */
	SequenceState *own;
	SequenceState *owns[OWN_STATES];
	int			nowns;
} LayoutLink;

/* server_order.c */

/* Layouts of which this process has made a key in its transaction. */
extern uint32 uuidnew_layouts_in_flight;

extern LayoutLink *uuidnew_order_link(const UuidLayout *layout, Tick epoch);
extern UuidPayload uuidnew_order_next(LayoutLink *link, Tick epoch, NodePrefix prefix,
									  bool in_flight, KeyPosition *position);
extern void uuidnew_order_use_up(const UuidLayout *layout, SequenceState *state, Tick tick);

/* server_order_memory.c */

extern ServerOrder *uuidnew_server_order;

extern void uuidnew_order_request_memory(void);
extern void uuidnew_order_attach(void);
extern bool uuidnew_order_is_attached(void);
extern int	uuidnew_order_my_number(void);
extern PGPROC *uuidnew_order_my_leader(void);
extern OrderBackend *uuidnew_order_backends(void);
extern FirstKey *uuidnew_order_firsts(int layout);
extern PreparedKeys *uuidnew_order_prepared(void);

/* server_order_store.c */

extern void uuidnew_order_reserve(LayoutLink *link, bool must);

/* server_order_scope.c */

/* The transaction, if any, in which the scope became server. */
extern LocalTransactionId uuidnew_order_changed_in;

extern bool uuidnew_order_is_servers(void);
extern void uuidnew_order_check_scope(void);
extern void uuidnew_order_changed(TimestampTz at);

/* horizon_keys.c */

extern void uuidnew_horizon_attach(void);
extern void uuidnew_clear_left_key(int layout, int number);

static inline bool
position_before(const KeyPosition *a, const KeyPosition *b)
{
	if (!tick_equal(a->tick, b->tick))
		return tick_after(b->tick, a->tick);
	return a->rest.hi < b->rest.hi ||
		(a->rest.hi == b->rest.hi && a->rest.lo < b->rest.lo);
}

#endif							/* UUIDNEW_SERVER_ORDER_H */
