/*
 * random_input.c
 *	  Runs a fuzz target without libFuzzer, on random inputs.
 *
 * libFuzzer is not there for every machine.  INPUTS in the environment is how
 * many to run; they are the same in every run.
 */
#include "postgres.h"

#include <stdlib.h>

#include "fuzz.h"

int
main(void)
{
	const char *given = getenv("INPUTS");
	long		inputs = given ? atol(given) : 100000;
	uint64		random = 1;

	for (long i = 0; i < inputs; i++)
	{
		uint8		data[256];
		size_t		size;

		for (size = 0; size < sizeof(data); size++)
		{
			/* xorshift64 */
			random ^= random << 13;
			random ^= random >> 7;
			random ^= random << 17;
			data[size] = (uint8) (random >> 32);
		}
		LLVMFuzzerTestOneInput(data, random % (sizeof(data) + 1));
	}
	return 0;
}
