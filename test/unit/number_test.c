/*
 * number_test.c
 *	  Unit tests of number.h and number.c.
 *
 * The reference is a number as so many bits, each in an octet of its own, with
 * school arithmetic.
 */
#include "postgres.h"

#include "systems/number.h"
#include "unit.h"

#define NUMBER_BITS		160
#define BIG_BITS		320		/* of what may be too large */
#define DIGITS_MAX		50		/* beyond 160 bits in any base */

typedef struct Big
{
	uint8		bit[BIG_BITS];	/* the lowest first */
} Big;

static const Big zero;

/* The projects' own: value by value, as their sources have them. */
static const struct
{
	Alphabet   *alphabet;
	const char *digits;
	bool		any_case;
}			alphabets[] = {
	{&uuidnew_decimal, "0123456789", false},
	{&uuidnew_lower_hex, "0123456789abcdef", false},
	{&uuidnew_hex, "0123456789abcdef", true},
	{&uuidnew_base32hex, "0123456789abcdefghijklmnopqrstuv", false},
	{&uuidnew_base32_crockford, "0123456789ABCDEFGHJKMNPQRSTVWXYZ", true},
	{&uuidnew_base32hex_upper, "0123456789ABCDEFGHIJKLMNOPQRSTUV", true},
	{&uuidnew_base32_typeid, "0123456789abcdefghjkmnpqrstvwxyz", false},
	{&uuidnew_base58,
	"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", false},
	{&uuidnew_base36, "0123456789abcdefghijklmnopqrstuvwxyz", false},
	{&uuidnew_base62,
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", false},
	{&uuidnew_base64url,
	"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", false},
	{&uuidnew_base64_push,
	"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz", false},
	{&uuidnew_base64_sid,
	"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~", false},
};

static int
base_of(int n)
{
	return strlen(alphabets[n].digits);
}

/* big = big * base + digit; a carry out of the last bit can't be */
static void
big_push_digit(Big *big, int base, int digit)
{
	int			carry = digit;

	for (int i = 0; i < BIG_BITS; i++)
	{
		carry += big->bit[i] * base;
		big->bit[i] = carry % 2;
		carry /= 2;
	}
	check(carry == 0, "the reference is too small");
}

/* big_width - how many bits it takes */
static int
big_width(const Big *big)
{
	int			width = BIG_BITS;

	while (width > 0 && big->bit[width - 1] == 0)
		width--;
	return width;
}

static Number
big_number(const Big *big)
{
	Number		number = {{0}};

	for (int i = 0; i < NUMBER_BITS; i++)
		number.limb[i / 32] |= (uint32) big->bit[i] << (i % 32);
	return number;
}

static bool
same(const Number *a, const Number *b)
{
	return memcmp(a->limb, b->limb, sizeof(a->limb)) == 0;
}

/* Runs of equal bits are as likely as noise, and small numbers as large. */
static Big
random_big(void)
{
	Big			big = zero;
	int			width = unit_random_below(NUMBER_BITS + 1);
	int			kind = unit_random_below(4);

	for (int i = 0; i < width; i++)
		big.bit[i] = kind == 0 || (kind == 1 && i == width - 1) ||
			(kind == 2 && i / 8 % 2 == 0) ||
			(kind == 3 && unit_random() >> 63);
	return big;
}

static void
each_character_has_its_value(void **state)
{
	for (int n = 0; n < (int) lengthof(alphabets); n++)
	{
		for (int c = 0; c < 256; c++)
		{
			char		digit = c;
			Number		number;
			bool		found;
			int			value = -1;

			for (int i = 0; i < base_of(n); i++)
			{
				char		of_value = alphabets[n].digits[i];
				bool		letter = (of_value >= 'a' && of_value <= 'z') ||
					(of_value >= 'A' && of_value <= 'Z');

				if (digit == of_value ||
					(alphabets[n].any_case && letter && c < 128 &&
					 (digit | 0x20) == (of_value | 0x20)))
					value = i;
			}
			found = uuidnew_number_parse(alphabets[n].alphabet, &digit, 1,
										 &number);
			check(found == (value >= 0), "alphabet %d: character %d", n, c);
			check(!found || (number.limb[0] == (uint32) value &&
							 number_fits(&number, 6)),
				  "alphabet %d: character %d is not %d", n, c, value);
		}
	}
}

static void
digits_are_parsed_and_formatted(void **state)
{
	for (uint64 round = 0; round < rounds(20000); round++)
	{
		int			n = unit_random_below(lengthof(alphabets));
		int			ndigits = unit_random_below(DIGITS_MAX + 1);
		int			zeros = unit_random_below(ndigits + 1);
		char		digits[DIGITS_MAX];
		char		again[DIGITS_MAX + 1];
		Big			big = zero;
		Number		expected;
		Number		number;

		for (int i = 0; i < ndigits; i++)
		{
			int			digit = unit_random_below(base_of(n));

			if (i < zeros)
				digit = 0;
			else if (unit_random_below(8) == 0)
				digit = base_of(n) - 1;
			digits[i] = alphabets[n].digits[digit];
			big_push_digit(&big, base_of(n), digit);
		}
		expected = big_number(&big);
		check(uuidnew_number_parse(alphabets[n].alphabet, digits, ndigits,
								   &number) ==
			  (big_width(&big) <= NUMBER_BITS),
			  "alphabet %d: %.*s has %d bits", n, ndigits, digits,
			  big_width(&big));
		if (big_width(&big) <= NUMBER_BITS)
		{
			check(same(&number, &expected), "alphabet %d: %.*s", n, ndigits,
				  digits);
			memset(again, '#', sizeof(again));
			uuidnew_number_format(alphabets[n].alphabet, number, again,
								  ndigits);
			check(memcmp(again, digits, ndigits) == 0 && again[ndigits] == '#',
				  "alphabet %d: %.*s is not %.*s", n, ndigits, again, ndigits,
				  digits);
		}
	}
}

static void
bits_of_every_place(void **state)
{
	for (uint64 round = 0; round < rounds(100); round++)
	{
		Big			big = random_big();
		Number		number = big_number(&big);

		for (int low = 0; low < NUMBER_BITS; low++)
		{
			uint64		expected = 0;

			for (int width = 1; width <= 64 && low + width <= NUMBER_BITS;
				 width++)
			{
				expected |= (uint64) big.bit[low + width - 1] << (width - 1);
				check(number_bits(&number, low, width) == expected,
					  "%d bits from %d", width, low);
			}
		}
		for (int bits = 0; bits <= NUMBER_BITS; bits++)
			check(number_fits(&number, bits) == (big_width(&big) <= bits),
				  "%d in %d bits", big_width(&big), bits);
	}
}

static void
octets_are_big_endian(void **state)
{
	for (uint64 round = 0; round < rounds(5000); round++)
	{
		int			len = unit_random_below(NUMBER_OCTETS + 1);
		Big			big = random_big();
		Number		number = big_number(&big);
		Number		expected;
		uint8		octets[NUMBER_OCTETS + 1];

		octets[len] = 0x5A;
		number_to_octets(&number, octets, len);
		for (int i = 0; i < 8 * len; i++)
			check((octets[len - 1 - i / 8] >> (i % 8) & 1) == big.bit[i],
				  "bit %d of %d octets", i, len);
		check(octets[len] == 0x5A, "%d octets", len);

		memset(big.bit + 8 * len, 0, BIG_BITS - 8 * len);
		number = number_from_octets(octets, len);
		expected = big_number(&big);
		check(same(&number, &expected), "from %d octets", len);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_character_has_its_value),
		cmocka_unit_test(digits_are_parsed_and_formatted),
		cmocka_unit_test(bits_of_every_place),
		cmocka_unit_test(octets_are_big_endian),
	};

	unit_seed();
	return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
