/*
 * text.c
 *	  Numbers as text: IDs, and UUIDs for URLs.
 */
#include "postgres.h"

#include "keys/bits.h"
#include "systems/text.h"

/* uuidnew_text_parse - the number in a text; false if it has another form. */
bool
uuidnew_text_parse(const TextForm *form, const char *text, int len,
				   Number *number)
{
	char		bare[ID_TEXT_MAX];

	if (form->prefix)
	{
		if (len == 0 || *text != form->prefix)
			return false;
		text++;
		len--;
	}
	if (form->hyphens)
	{
		int			n = 0;

		for (int i = 0; i < len; i++)
		{
			if (text[i] == '-')
				continue;
			if (n == form->digits)
				return false;
			bare[n++] = text[i];
		}
		text = bare;
		len = n;
	}

	if (form->unpadded ?
		len == 0 || len > form->digits ||
		(len > 1 && *text == form->alphabet->digits[0]) :
		len != form->digits)
		return false;
	if (!uuidnew_number_parse(form->alphabet, text, len, number))
		return false;
	if (form->spare_bits)
	{
		if (number_bits(number, 0, form->spare_bits) != 0)
			return false;
		for (int i = 0; i < NUMBER_LIMBS; i++)
			number->limb[i] =
				number_bits(number, 32 * i + form->spare_bits, 32);
	}
	return true;
}

/*
 * uuidnew_text_format - the text of a number, at most ID_TEXT_MAX characters
 * and no terminating zero.  Returns its length.
 */
int
uuidnew_text_format(const TextForm *form, Number number, char *text)
{
	char	   *start = text;

	if (form->prefix)
		*text++ = form->prefix;
	if (form->spare_bits)
	{
		uint64		above = number_word(&number, 2) >> (64 - form->spare_bits);
		Bits		bits = {number_word(&number, 2), number_word(&number, 0)};

		bits = shift_left(bits, form->spare_bits);
		number = number_from_words(bits.high, bits.low);
		number.limb[NUMBER_LIMBS - 1] = above;
	}
	uuidnew_number_format(form->alphabet, number, text, form->digits);
	text += form->digits;

	if (form->hyphens)
	{
		static const int after[] = {16, 12, 8};

		for (int i = 0; i < (int) lengthof(after); i++)
		{
			memmove(start + after[i] + 1, start + after[i],
					text - (start + after[i]));
			start[after[i]] = '-';
			text++;
		}
	}
	if (form->unpadded)
	{
		char	   *first = start;

		while (first < text - 1 && *first == form->alphabet->digits[0])
			first++;
		memmove(start, first, text - first);
		text -= first - start;
	}
	return text - start;
}
