/*
 * number.c
 *	  Numbers as digits in the alphabets of other ID systems.
 */
#include "postgres.h"

#include "compat.h"
#include "systems/number.h"

#define DIGITS		"0123456789"
#define UPPER		"ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define LOWER		"abcdefghijklmnopqrstuvwxyz"

#define ALPHABET(characters) \
	.digits = characters, .base = sizeof(characters) - 1

Alphabet	uuidnew_decimal = {ALPHABET(DIGITS)};
Alphabet	uuidnew_lower_hex = {ALPHABET(DIGITS "abcdef")};
Alphabet	uuidnew_hex = {ALPHABET(DIGITS "abcdef"), .any_case = true};
Alphabet	uuidnew_base32hex = {ALPHABET(DIGITS "abcdefghijklmnopqrstuv")};
Alphabet	uuidnew_base32_crockford = {
	ALPHABET(DIGITS "ABCDEFGHJKMNPQRSTVWXYZ"), .any_case = true
};
Alphabet	uuidnew_base32hex_upper = {
	ALPHABET(DIGITS "ABCDEFGHIJKLMNOPQRSTUV"), .any_case = true
};
Alphabet	uuidnew_base32_typeid = {
	ALPHABET(DIGITS "abcdefghjkmnpqrstvwxyz")
};
Alphabet	uuidnew_base36 = {ALPHABET(DIGITS LOWER)};
Alphabet	uuidnew_base58 = {
	ALPHABET("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
};
Alphabet	uuidnew_base62 = {ALPHABET(DIGITS UPPER LOWER)};
Alphabet	uuidnew_base64url = {ALPHABET(UPPER LOWER DIGITS "-_")};
Alphabet	uuidnew_base64_push = {ALPHABET("-" DIGITS UPPER "_" LOWER)};
Alphabet	uuidnew_base64_sid = {ALPHABET(DIGITS UPPER "_" LOWER "~")};

#define NO_DIGIT	0x80		/* not a bit of any digit's value */

static void
fill_values(Alphabet *alphabet)
{
	memset(alphabet->value, NO_DIGIT, sizeof(alphabet->value));
	for (int i = 0; i < alphabet->base; i++)
	{
		uint8		digit = alphabet->digits[i];

		alphabet->value[digit] = i;
		if (alphabet->any_case && digit >= 'A')
			alphabet->value[digit ^ 0x20] = i;	/* ASCII's other case */
	}
	alphabet->ready = true;
}

/*
 * uuidnew_number_parse - digits to a number; false if a character is not a
 * digit, or if the number has more than 160 bits.
 */
bool
uuidnew_number_parse(Alphabet *alphabet, const char *digits, int ndigits,
					 Number *number)
{
	const char *end = digits + ndigits;
	int			group = digits_in_group(alphabet->base);
	int			first = ndigits % group;
	const char *group_end = digits + (first > 0 ? first : group);
	uint32		multiplier = 1;
	int			used = 0;

	if (unlikely(!alphabet->ready))
		fill_values(alphabet);
	for (int i = 0; i < group; i++)
		multiplier *= alphabet->base;

	memset(number, 0, sizeof(Number));
	for (; digits < end; group_end += group)
	{
		uint64		carry = 0;
		uint8		seen = 0;

		while (digits < group_end)
		{
			uint8		value = alphabet->value[(uint8) *digits++];

			seen |= value;
			carry = carry * alphabet->base + value;
		}
		if (seen & NO_DIGIT)
			return false;

		/* number = number * multiplier + group */
		for (int i = 0; i < used; i++)
		{
			carry += (uint64) number->limb[i] * multiplier;
			number->limb[i] = (uint32) carry;
			carry >>= 32;
		}
		if (carry > 0)
		{
			if (used == NUMBER_LIMBS)
				return false;
			number->limb[used++] = (uint32) carry;
		}
	}
	return true;
}

/*
 * A group's digits, before position ndigits.  Returns where they start.
 * Inlined, as the next function, for division by a constant base.
 */
static pg_always_inline int
format_group(const char *alphabet, uint32 base, uint32 group, char *digits,
			 int ndigits)
{
	int			todo = Min(digits_in_group(base), ndigits);

	/* by two, because each division waits for the one before */
	for (; todo >= 2; todo -= 2)
	{
		uint32		two = group % (base * base);

		group /= base * base;
		digits[--ndigits] = alphabet[two % base];
		digits[--ndigits] = alphabet[two / base];
	}
	if (todo > 0)
		digits[--ndigits] = alphabet[group % base];
	return ndigits;
}

static pg_always_inline void
format_in_base(const char *alphabet, uint32 base, Number number, char *digits,
			   int ndigits)
{
	uint32		divisor = 1;
	int			used = NUMBER_LIMBS;
	uint64		word;

	for (int i = 0; i < digits_in_group(base); i++)
		divisor *= base;

	while (ndigits > 0)
	{
		uint64		rest = 0;

		while (used > 2 && number.limb[used - 1] == 0)
			used--;
		if (used == 2)
			break;
		for (int i = used - 1; i >= 0; i--)
		{
			rest = rest << 32 | number.limb[i];
			number.limb[i] = (uint32) (rest / divisor);
			rest %= divisor;
		}
		ndigits = format_group(alphabet, base, (uint32) rest, digits, ndigits);
	}

	word = number_word(&number, 0);
	while (ndigits > 0)
	{
		ndigits = format_group(alphabet, base, (uint32) (word % divisor),
							   digits, ndigits);
		word /= divisor;
	}
}

/* uuidnew_number_format - the lowest digits of a number, not terminated. */
void
uuidnew_number_format(const Alphabet *alphabet, Number number, char *digits,
					  int ndigits)
{
#define IN_BASE(base) \
	case base: \
		format_in_base(alphabet->digits, base, number, digits, ndigits); \
		break

	switch (alphabet->base)
	{
			IN_BASE(10);
			IN_BASE(16);
			IN_BASE(32);
			IN_BASE(36);
			IN_BASE(58);
			IN_BASE(62);
			IN_BASE(64);
	}
}
