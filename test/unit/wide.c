/*
 * wide.c
 *	  Division of unsigned 128-bit numbers, where a compiler without __int128
 *	  calls for it.
 *
 * Clang has _BitInt(128) on 32-bit machines, but its library has no division
 * for it.
 */
#include "postgres.h"

#ifndef __SIZEOF_INT128__

typedef unsigned _BitInt(128)
Wide;

/* As 128 bits are passed to such a function and come back */
typedef struct Words
{
	uint32		word[4];
} Words;

extern Words __udivti3(Words a, Words b);
extern Words __umodti3(Words a, Words b);

/* The quotient, or the remainder */
static Words
divide(Words a, Words b, bool want_rest)
{
	Wide		dividend;
	Wide		divisor;
	Wide		quotient = 0;
	Wide		rest = 0;
	Words		result;

	memcpy(&dividend, &a, sizeof(dividend));
	memcpy(&divisor, &b, sizeof(divisor));
	for (int i = 127; i >= 0; i--)
	{
		bool		carry = (bool) (rest >> 127);

		rest = rest << 1 | (dividend >> i & 1);
		if (carry || rest >= divisor)
		{
			rest -= divisor;
			quotient |= (Wide) 1 << i;
		}
	}
	memcpy(&result, want_rest ? &rest : &quotient, sizeof(result));
	return result;
}

Words
__udivti3(Words a, Words b)
{
	return divide(a, b, false);
}

Words
__umodti3(Words a, Words b)
{
	return divide(a, b, true);
}

#endif
