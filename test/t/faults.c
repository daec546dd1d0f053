/*
 * faults.c
 *	  Failures of the system that a server can be told to meet: faults.pl
 *	  loads it into the server with LD_PRELOAD.
 *
 * While there is a file "random" in the directory that UUIDNEW_FAULTS names,
 * OpenSSL has no random octets; while there is "clock", the system clock can't
 * be read, while there is "hour", it is an hour behind, and while there is
 * "day", it is a day ahead; while there is "memory", large allocations fail;
 * while there is "disk", the WAL takes 2.2 seconds to come there.  A process for
 * which there is "pause.PID" waits where it has read the clock, while that is
 * there as "paused".
 */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Only a session that collects many values asks for so much. */
#define LARGE	(1024 * 1024)

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

static void
pause_if_told(void)
{
	const char *directory = getenv("UUIDNEW_FAULTS");
	int			saved_errno = errno;
	char		told[1024];
	char		paused[1024];

	if (directory == NULL)
		return;
	snprintf(told, sizeof(told), "%s/pause.%d", directory, (int) getpid());
	snprintf(paused, sizeof(paused), "%s/paused", directory);
	if (rename(told, paused) == 0)
	{
		while (access(paused, F_OK) == 0)
			usleep(10000);
	}
	errno = saved_errno;
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
	int			result;

	if (clock == CLOCK_REALTIME && is_told_to_fail("clock"))
	{
		errno = EINVAL;
		return -1;
	}
	next = (int (*) (clockid_t, struct timespec *)) dlsym(RTLD_NEXT,
														  "clock_gettime");
	result = next(clock, time);
	if (clock == CLOCK_REALTIME && result == 0 && is_told_to_fail("hour"))
		time->tv_sec -= 3600;
	if (clock == CLOCK_REALTIME && result == 0 && is_told_to_fail("day"))
		time->tv_sec += 86400;
	if (clock == CLOCK_REALTIME)
		pause_if_told();
	return result;
}

int
fdatasync(int file)
{
	int			(*next) (int);

	struct timespec left = {2, 200000000};

	/* no signal makes a disk faster */
	while (is_told_to_fail("disk") && nanosleep(&left, &left) != 0)
		;
	next = (int (*) (int)) dlsym(RTLD_NEXT, "fdatasync");
	return next(file);
}

void *
malloc(size_t size)
{
	static void *(*next) (size_t);

	if (size >= LARGE && is_told_to_fail("memory"))
	{
		errno = ENOMEM;
		return NULL;
	}
	if (next == NULL)
		next = (void *(*) (size_t)) dlsym(RTLD_NEXT, "malloc");
	return next(size);
}

void *
realloc(void *old, size_t size)
{
	static void *(*next) (void *, size_t);

	if (size >= LARGE && is_told_to_fail("memory"))
	{
		errno = ENOMEM;
		return NULL;
	}
	if (next == NULL)
		next = (void *(*) (void *, size_t)) dlsym(RTLD_NEXT, "realloc");
	return next(old, size);
}
