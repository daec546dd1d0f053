/*
 * entropy.c
 *	  Strong random bits, read in blocks.
 *
 * One call of pg_strong_random costs a microsecond for 8 octets and little
 * more for 8192, so a backend reads a block and hands it out.  Octets are
 * wiped as they are handed out: memory that is read later has those of at most
 * a block of keys to come, and none of a key that was made.
 */
#include "postgres.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "generate/states.h"

EntropyBlock uuidnew_entropy;

/*
 * uuidnew_entropy_refill - read another block.
 *
 * A library may make UUIDs in the postmaster.  Sessions that went on from
 * there would all count the same sequence in the same tick, so they start
 * anew.
 */
void
uuidnew_entropy_refill(void)
{
	EntropyBlock *block = &uuidnew_entropy;

	if (block->pid != 0 && block->pid != MyProcPid)
	{
		uuidnew_forget_states();
		uuidnew_clock_forget();
	}
	block->nwords = 0;
	if (!pg_strong_random(block->words, sizeof(block->words)))
		ereport(ERROR,
				(errcode(ERRCODE_INTERNAL_ERROR),
				 errmsg("could not generate random values")));
	block->pid = MyProcPid;
	block->nwords = ENTROPY_WORDS;
}
