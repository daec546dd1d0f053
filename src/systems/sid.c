/*
 * sid.c
 *	  The text of SIDs: two numbers with a hyphen between, in one of four bases
 *	  that the number of digits tells apart (chilts/sid, sid.go).
 */
#include "postgres.h"

#include "systems/systems.h"

/* One number in each form.  Decimal, the first has no zeros in front. */
#define SID_FORM(form, digits_of, n) \
	{.name = form, .bits = 63, .alphabet = digits_of, .digits = n}

const IdSystem uuidnew_sid_forms[SID_FORMS] = {
	SID_FORM("decimal", &uuidnew_decimal, 19),
	SID_FORM("hex", &uuidnew_lower_hex, 16),
	SID_FORM("base32", &uuidnew_base32hex, 13),
	SID_FORM("base64", &uuidnew_base64_sid, 11),
};

static IdSystem
first_number(const IdSystem *form)
{
	IdSystem	first = *form;

	first.unpadded = form == &uuidnew_sid_forms[0];
	return first;
}

/* uuidnew_sid_parse - the SID in a text of any form; false if it is none. */
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
		const IdSystem *form = &uuidnew_sid_forms[i];
		IdSystem	first = first_number(form);
		Number		time;
		Number		random;

		if (after != form->digits)
			continue;
		if (!uuidnew_id_parse(&first, text, before, &time) ||
			!uuidnew_id_parse(form, hyphen + 1, after, &random))
			return false;
		*id = number_from_words(number_word(&time, 0),
								number_word(&random, 0));
		return true;
	}
	return false;
}

/*
 * uuidnew_sid_format - the text of a SID in a form, no terminating zero.
 * Returns its length.
 */
int
uuidnew_sid_format(const IdSystem *form, Number id, char *text)
{
	IdSystem	first = first_number(form);
	Number		time = number_from_words(0, number_word(&id, 2));
	Number		random = number_from_words(0, number_word(&id, 0));
	int			before = uuidnew_id_format(&first, time, text);

	text[before] = '-';
	return before + 1 + uuidnew_id_format(form, random, text + before + 1);
}
