/*
 * entropy.c
 *	  Strong random bits, read in blocks.
 *
 * One call of pg_strong_random costs a microsecond for 8 octets and little
 * more for 8192, so a backend reads a block and hands it out.  Octets are
 * wiped as they leave: whoever reads the memory later can't foresee keys that
 * are not made yet from those that are, nor the other way round.
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
