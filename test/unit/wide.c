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

static bool
is_negative(Words words)
{
	return words.word[3] >> 31;
}

static Wide
magnitude(Words words)
{
	return from_words(to_words(from_words(words), is_negative(words)));
}

Words
__udivti3(Words a, Words b)
{
	Wide		rest;

	return to_words(divide(from_words(a), from_words(b), &rest), false);
}

Words
__umodti3(Words a, Words b)
{
	Wide		rest;

	divide(from_words(a), from_words(b), &rest);
	return to_words(rest, false);
}

Words
__divti3(Words a, Words b)
{
	Wide		rest;

	return to_words(divide(magnitude(a), magnitude(b), &rest),
					is_negative(a) != is_negative(b));
}

Words
__modti3(Words a, Words b)
{
	Wide		rest;

	divide(magnitude(a), magnitude(b), &rest);
	return to_words(rest, is_negative(a));
}

#endif
