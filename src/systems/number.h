/*
 * number.h
 *	  An unsigned number of up to 160 bits, its bits, and its digits in a base.
 *
 * IDs of other systems are such numbers: big-endian as octets, and as text,
 * digits of base 10 to 64.
 *
 * Digits are processed in groups that fit in 32 bits, so that a text of n
 * digits takes n / 5 to n / 9 multiplications or divisions of the number.
 */
#ifndef UUIDNEW_NUMBER_H
#define UUIDNEW_NUMBER_H

#include "port/pg_bswap.h"

#define NUMBER_LIMBS		5
#define NUMBER_OCTETS		(NUMBER_LIMBS * 4)

typedef struct Number
{
	uint32		limb[NUMBER_LIMBS]; /* the least significant first */
} Number;

typedef struct Alphabet
{
	const char *digits;			/* in the order of their values */
	int			base;
	bool		any_case;		/* read in upper and lower case */
	bool		ready;			/* value[] is filled in */
	uint8		value[256];		/* of a character; NO_DIGIT */
} Alphabet;

extern Alphabet uuidnew_decimal;
extern Alphabet uuidnew_lower_hex;
extern Alphabet uuidnew_hex;
extern Alphabet uuidnew_base32hex;
extern Alphabet uuidnew_base32_crockford;
extern Alphabet uuidnew_base32hex_upper;
extern Alphabet uuidnew_base32_typeid;
extern Alphabet uuidnew_base36;
extern Alphabet uuidnew_base58;
extern Alphabet uuidnew_base62;
extern Alphabet uuidnew_base64url;
extern Alphabet uuidnew_base64_push;
extern Alphabet uuidnew_base64_sid;

extern bool uuidnew_number_parse(Alphabet *alphabet, const char *digits,
								 int ndigits, Number *number);
extern void uuidnew_number_format(const Alphabet *alphabet, Number number,
								  char *digits, int ndigits);

/* digits_in_group - how many digits fit in 32 bits. */
static inline int
digits_in_group(int base)
{
	return base <= 10 ? 9 : base <= 16 ? 7 : base <= 36 ? 6 : 5;
}

static inline Number
number_from_words(uint64 high, uint64 low)
{
	Number		number = {{(uint32) low, (uint32) (low >> 32),
	(uint32) high, (uint32) (high >> 32), 0}};

	return number;
}

/* number_word - 64 bits of a number, from a limb on. */
static inline uint64
number_word(const Number *number, int limb)
{
	return (uint64) number->limb[limb + 1] << 32 | number->limb[limb];
}

/* number_bits - the bits from position low (from 0) on, width 1 to 64. */
static inline uint64
number_bits(const Number *number, int low, int width)
{
	int			limb = low / 32;
	int			shift = low % 32;
	uint64		bits = number->limb[limb] >> shift;

	if (limb + 1 < NUMBER_LIMBS)
		bits |= (uint64) number->limb[limb + 1] << (32 - shift);
	if (limb + 2 < NUMBER_LIMBS && shift > 0)
		bits |= (uint64) number->limb[limb + 2] << (64 - shift);
	return width == 64 ? bits : bits & ((UINT64CONST(1) << width) - 1);
}

/* number_fits - is the number less than 2^bits? */
static inline bool
number_fits(const Number *number, int bits)
{
	uint32		above = 0;
	int			limb = bits / 32;

	if (bits % 32 != 0)
		above = number->limb[limb++] >> (bits % 32);
	while (limb < NUMBER_LIMBS)
		above |= number->limb[limb++];
	return above == 0;
}

/* number_from_octets - up to 20 octets, big-endian. */
static inline Number
number_from_octets(const void *octets, int len)
{
	Number		number;
	uint32		words[NUMBER_LIMBS] = {0};

	memcpy((char *) words + (NUMBER_OCTETS - len), octets, len);
	for (int i = 0; i < NUMBER_LIMBS; i++)
		number.limb[i] = pg_ntoh32(words[NUMBER_LIMBS - 1 - i]);
	return number;
}

/* number_to_octets - the lowest octets of the number, big-endian. */
static inline void
number_to_octets(const Number *number, void *octets, int len)
{
	uint32		words[NUMBER_LIMBS];

	for (int i = 0; i < NUMBER_LIMBS; i++)
		words[i] = pg_hton32(number->limb[NUMBER_LIMBS - 1 - i]);
	memcpy(octets, (char *) words + (NUMBER_OCTETS - len), len);
}

#endif							/* UUIDNEW_NUMBER_H */
