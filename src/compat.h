/*
 * compat.h
 *	  PostgreSQL 14 to 19, and 20 in development: the newest names, made for
 *	  older versions.
 *
 * No other file tests PG_VERSION_NUM.
 */
#ifndef UUIDNEW_COMPAT_H
#define UUIDNEW_COMPAT_H

#if PG_VERSION_NUM < 140000
#error "uuidnew needs PostgreSQL 14 or later"
#endif

/* 16 took the access to varlena out of postgres.h */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 16 declares _PG_init itself */
#if PG_VERSION_NUM < 160000
extern PGDLLEXPORT void _PG_init(void);
#endif

/* 18 renamed it */
#ifndef pg_noreturn
#define pg_noreturn pg_attribute_noreturn()
#endif

/* 19 renamed it, just before its release */
#ifndef pg_always_inline
#define pg_always_inline pg_attribute_always_inline
#endif

/* 16 made one of many; only functions are asked about here */
#if PG_VERSION_NUM < 160000
#define object_aclcheck(classid, objectid, roleid, mode) \
	pg_proc_aclcheck(objectid, roleid, mode)
#endif

/* 15 brought MERGE */
#if PG_VERSION_NUM < 150000
#define CMD_MERGE CMD_NOTHING
#endif

/* 15 renamed it, and refuses unknown names from then on */
#if PG_VERSION_NUM < 150000
#define MarkGUCPrefixReserved(className) EmitWarningsOnPlaceholders(className)
#endif

/* 15 made it say why it failed (include common/md5.h before this file) */
#if PG_VERSION_NUM < 150000
#define pg_md5_binary(buff, len, outbuf, errstr) \
	(*(errstr) = "out of memory", pg_md5_binary(buff, len, outbuf))
#endif

/* 17 made intervals infinite */
#if PG_VERSION_NUM < 170000
#define INTERVAL_NOT_FINITE(i) false
#endif

/* 18 made the columns of GROUP BY a table of their own */
#if PG_VERSION_NUM >= 180000
#define GROUPED_BY_LOOKS false
#else
#define GROUPED_BY_LOOKS true
#endif

/* 15 made shared memory a matter of a hook; MaxBackends is not known before */
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

/* 19 numbers prepared transactions by more bits */
#if PG_VERSION_NUM >= 190000
#define prepared_proc(xid) TwoPhaseGetDummyProc(xid, false)
#else
#define prepared_proc(xid) \
	TwoPhaseGetDummyProc(XidFromFullTransactionId(xid), false)
#endif

/* 19 renamed them */
#if PG_VERSION_NUM < 190000
#define ReplOriginId RepOriginId
#define InvalidReplOriginId InvalidRepOriginId
#endif

/* 18 made a library say its name and version */
#ifdef PG_MODULE_MAGIC_EXT
#define UUIDNEW_MODULE_MAGIC \
	PG_MODULE_MAGIC_EXT(.name = "uuidnew", .version = UUIDNEW_VERSION)
#else
#define UUIDNEW_MODULE_MAGIC PG_MODULE_MAGIC
#endif

#endif							/* UUIDNEW_COMPAT_H */
