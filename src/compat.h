/*
 * compat.h
 *	  The newest names of PostgreSQL 14 to 20, for older versions.
 *
 * No other file tests PG_VERSION_NUM.
 */
#ifndef UUIDNEW_COMPAT_H
#define UUIDNEW_COMPAT_H

#if PG_VERSION_NUM < 140000
#error "uuidnew needs PostgreSQL 14 or later"
#endif

#if PG_VERSION_NUM < 150000
/* renamed in 15, which rejects unknown settings */
#define MarkGUCPrefixReserved(className) EmitWarningsOnPlaceholders(className)

/* without the reason for failure (include common/md5.h before this file) */
#define pg_md5_binary(buff, len, outbuf, errstr) \
	(*(errstr) = "out of memory", pg_md5_binary(buff, len, outbuf))
#endif

#if PG_VERSION_NUM < 160000
extern PGDLLEXPORT void _PG_init(void);

/* one function for all classes in 16; uuidnew only checks functions */
#define object_aclcheck(classid, objectid, roleid, mode) \
	pg_proc_aclcheck(objectid, roleid, mode)
#else
/* moved out of postgres.h */
#include "varatt.h"
#endif

/* 17 added infinite intervals */
#if PG_VERSION_NUM < 170000
#define INTERVAL_NOT_FINITE(i) false
#endif

/* 18 moved the expressions of GROUP BY into a range table entry */
#if PG_VERSION_NUM >= 180000
#define GROUPED_EXPRESSIONS(root) \
	((root)->group_rtindex == 0 ? NIL : \
	 planner_rt_fetch((root)->group_rtindex, root)->groupexprs)
#else
#define GROUPED_EXPRESSIONS(root) \
	get_sortgrouplist_exprs((root)->parse->groupClause, \
							(root)->parse->targetList)
#endif

/* renamed in 18 */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* renamed in 19, just before its release */
#ifndef pg_always_inline
#define pg_always_inline pg_attribute_always_inline
#endif

#if PG_VERSION_NUM < 190000
/* 32-bit transaction ids */
#define prepared_proc(xid) \
	TwoPhaseGetDummyProc(XidFromFullTransactionId(xid), false)
#define ReplOriginId RepOriginId
#define InvalidReplOriginId InvalidRepOriginId
#else
#define prepared_proc(xid) TwoPhaseGetDummyProc(xid, false)
#endif

/* 15 added a hook to request shared memory; before, MaxBackends is unknown */
#if PG_VERSION_NUM >= 150000
#define MAX_BACKENDS_PLANNED MaxBackends
#define SHMEM_REQUEST_HOOK(request) \
	static shmem_request_hook_type previous_shmem_request = NULL; \
	static void \
	request##_hook(void) \
	{ \
		if (previous_shmem_request) \
			previous_shmem_request(); \
		request(); \
	}
#define REQUEST_SHMEM(request) \
	(previous_shmem_request = shmem_request_hook, \
	 shmem_request_hook = request##_hook)
#else
#define MAX_BACKENDS_PLANNED \
	(MaxConnections + autovacuum_max_workers + 1 + max_worker_processes + \
	 max_wal_senders)
#define SHMEM_REQUEST_HOOK(request)
#define REQUEST_SHMEM(request) request()
#endif

/* 18 added the name and version of a library */
#ifdef PG_MODULE_MAGIC_EXT
#define UUIDNEW_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "uuidnew", .version = UUIDNEW_VERSION)
#else
#define UUIDNEW_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#endif							/* UUIDNEW_COMPAT_H */
