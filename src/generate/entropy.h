/*
 * entropy.h
 *	  Random bits for generated UUIDs.
 */
#ifndef UUIDNEW_ENTROPY_H
#define UUIDNEW_ENTROPY_H

#include "miscadmin.h"

#define ENTROPY_BLOCK	8192
#define ENTROPY_WORDS	(ENTROPY_BLOCK / sizeof(uint64))

typedef struct EntropyBlock
{
	uint64		words[ENTROPY_WORDS];
	int			nwords;			/* not used yet, at the beginning */
	int			pid;			/* of the process that read the block */
} EntropyBlock;

extern EntropyBlock uuidnew_entropy;

extern void uuidnew_entropy_refill(void);

/*
 * entropy_prepare - makes sure that there are random bits, or raises an ERROR.
 *
 * Here a new process forgets the random bits and states of its parent, so
 * callers that use a state call this first.
 */
static inline void
entropy_prepare(void)
{
	EntropyBlock *block = &uuidnew_entropy;

	if (unlikely(block->nwords == 0) || unlikely(block->pid != MyProcPid))
		uuidnew_entropy_refill();
}

/* entropy_uint64 - 64 new random bits; raises the same error. */
static inline uint64
entropy_uint64(void)
{
	EntropyBlock *block = &uuidnew_entropy;
	uint64		result;

	entropy_prepare();
	result = block->words[--block->nwords];
	block->words[block->nwords] = 0;
	return result;
}

#endif							/* UUIDNEW_ENTROPY_H */
