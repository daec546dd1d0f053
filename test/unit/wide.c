/*
 * wide.c
 *	  Division of 128-bit numbers, where a compiler without __int128 calls for
 *	  it.
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
extern Words __divti3(Words a, Words b);
extern Words __modti3(Words a, Words b);

static Wide
from_words(Words words)
{
	Wide		wide;

	memcpy(&wide, &words, sizeof(wide));
	return wide;
}

static Words
to_words(Wide wide, bool negative)
{
	Words		words;

	if (negative)
		wide = -wide;
	memcpy(&words, &wide, sizeof(wide));
	return words;
}

static Wide
divide(Wide a, Wide b, Wide *rest)
{
	Wide		quotient = 0;

	*rest = 0;
	for (int i = 127; i >= 0; i--)
	{
		bool		carry = (bool) (*rest >> 127);

		*rest = *rest << 1 | (a >> i & 1);
		if (carry || *rest >= b)
		{
			*rest -= b;
			quotient |= (Wide) 1 << i;
		}
	}
	return quotient;
}

static Words
divided(Words a, Words b, bool is_signed, bool want_rest)
{
	bool		a_negative = is_signed && a.word[3] >> 31;
	bool		b_negative = is_signed && b.word[3] >> 31;
	Words		a_size = to_words(from_words(a), a_negative);
	Words		b_size = to_words(from_words(b), b_negative);
	Wide		rest;
	Wide		quotient =
		divide(from_words(a_size), from_words(b_size), &rest);

	return want_rest ? to_words(rest, a_negative) :
		to_words(quotient, a_negative != b_negative);
}

Words
__udivti3(Words a, Words b)
{
	return divided(a, b, false, false);
}

Words
__umodti3(Words a, Words b)
{
	return divided(a, b, false, true);
}

Words
__divti3(Words a, Words b)
{
	return divided(a, b, true, false);
}

Words
__modti3(Words a, Words b)
{
	return divided(a, b, true, true);
}

#endif
