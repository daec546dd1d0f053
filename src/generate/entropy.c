/*
 * entropy.c
 *	  Strong random bits, read in blocks.
 *
 * A call of pg_strong_random costs a microsecond for 8 octets and little more
 * for 8192, so a backend reads a block and returns parts of it.  It wipes each
 * part, so that its memory never reveals a key that was generated, and at most
 * a block of the next keys.
 */
#include "postgres.h"

#include "generate/clock.h"
#include "generate/entropy.h"
#include "generate/states.h"

EntropyBlock uuidnew_entropy;

/*
 * uuidnew_entropy_refill - reads another block.
 *
 * Another library may generate UUIDs in the postmaster.  A new session forgets
 * the states it inherits: all would count the same sequence in the same tick.
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
