/*
 * sid.c
 *	  The text of SIDs: two numbers with a hyphen between, in one of four bases
 *	  that the number of digits tells apart (chilts/sid, sid.go).
 *
 * Pure: test/unit runs it without a server.
 */
#include "postgres.h"

#include "systems/sid.h"

#define SID_BITS		63		/* of each number */

const SidForm uuidnew_sid_forms[SID_FORMS] = {
	{"decimal", &uuidnew_decimal, 19, true},
	{"hex", &uuidnew_lower_hex, 16, false},
	{"base32", &uuidnew_base32hex, 13, false},
	{"base64", &uuidnew_base64_sid, 11, false},
};

static bool
parse_number(const SidForm *form, const char *digits, int ndigits, uint64 *value)
{
	Number		number;

	if (!uuidnew_number_parse(form->alphabet, digits, ndigits, &number) ||
		!number_fits(&number, SID_BITS))
		return false;
	*value = number_word(&number, 0);
	return true;
}

/*
 * uuidnew_sid_parse - the SID in a text of any form; false if it is none.
 */
bool
uuidnew_sid_parse(const char *text, int len, Number *id)
{
	const char *hyphen = memchr(text, '-', len);
	int			before;
	int			after;

	if (hyphen == NULL)
		return false;
	before = hyphen - text;
	after = len - before - 1;

	for (int i = 0; i < SID_FORMS; i++)
	{
		const SidForm *form = &uuidnew_sid_forms[i];
		uint64		time;
		uint64		random;

		if (after != form->digits)
			continue;
		if (form->unpadded ?
			before == 0 || before > form->digits || (before > 1 && *text == '0') :
			before != form->digits)
			return false;
		if (!parse_number(form, text, before, &time) ||
			!parse_number(form, hyphen + 1, after, &random))
			return false;
		*id = number_from_words(time, random);
		return true;
	}
	return false;
}

/*
 * uuidnew_sid_format - the text of a SID in a form, no terminating zero.  Returns
 * its length.
 */
int
uuidnew_sid_format(const SidForm *form, Number id, char *text)
{
	int			before = form->digits;
	int			zeros = 0;

	uuidnew_number_format(form->alphabet, number_from_words(0, number_word(&id, 2)),
						  text, before);
	if (form->unpadded)
	{
		while (zeros < before - 1 && text[zeros] == '0')
			zeros++;
		before -= zeros;
		if (zeros > 0)
			memmove(text, text + zeros, before);
	}
	text[before] = '-';
	uuidnew_number_format(form->alphabet, number_from_words(0, number_word(&id, 0)),
						  text + before + 1, form->digits);
	return before + 1 + form->digits;
}
