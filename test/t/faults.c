/*
 * faults.c
 *	  Failures of the system that a server can be told to meet: 004_faults.pl
 *	  loads it into the server with LD_PRELOAD.
 *
 * While there is a file "random" in the directory that UUIDNEW_FAULTS names,
 * OpenSSL has no random octets; while there is "clock", the system clock can't
 * be read.
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

extern int	RAND_bytes(unsigned char *octets, int count);

static int
is_told_to_fail(const char *what)
{
	const char *directory = getenv("UUIDNEW_FAULTS");
	int			saved_errno = errno;
	char		path[1024];
	int			found;

	if (directory == NULL)
		return 0;
	snprintf(path, sizeof(path), "%s/%s", directory, what);
	found = access(path, F_OK) == 0;
	errno = saved_errno;
	return found;
}

int
RAND_bytes(unsigned char *octets, int count)
{
	int			(*next) (unsigned char *, int);

	if (is_told_to_fail("random"))
		return 0;
	next = (int (*) (unsigned char *, int)) dlsym(RTLD_NEXT, "RAND_bytes");
	return next(octets, count);
}

int
clock_gettime(clockid_t clock, struct timespec *time)
{
	int			(*next) (clockid_t, struct timespec *);

	if (clock == CLOCK_REALTIME && is_told_to_fail("clock"))
	{
		errno = EINVAL;
		return -1;
	}
	next = (int (*) (clockid_t, struct timespec *)) dlsym(RTLD_NEXT, "clock_gettime");
	return next(clock, time);
}
