/*
 * sid.c
 *	  The text of SIDs: two numbers with a hyphen between, in one of four
 *	  bases, which the number of digits determines (chilts/sid, sid.go).
 */
#include "postgres.h"

#include "systems/systems.h"

#define SID_NUMBER_BITS		63

#define DIGITS(name, n, ...) \
	{.alphabet = &uuidnew_##name, .digits = (n), __VA_ARGS__}

/* The first is the project's default. */
const SidForm uuidnew_sid_forms[SID_FORMS] = {
	{"decimal", DIGITS(decimal, 19, .unpadded = true), DIGITS(decimal, 19)},
	{"hex", DIGITS(lower_hex, 16), DIGITS(lower_hex, 16)},
	{"base32", DIGITS(base32hex, 13), DIGITS(base32hex, 13)},
	{"base64", DIGITS(base64_sid, 11), DIGITS(base64_sid, 11)},
};

/* uuidnew_sid_parse - the SID in a text of any form; false if it has none. */
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
		Number		time;
		Number		random;

		if (after != form->random.digits)
			continue;
		if (!uuidnew_text_parse(&form->time, text, before, &time) ||
			!uuidnew_text_parse(&form->random, hyphen + 1, after, &random) ||
			!number_fits(&time, SID_NUMBER_BITS) ||
			!number_fits(&random, SID_NUMBER_BITS))
			return false;
		*id = number_from_words(number_word(&time, 0),
								number_word(&random, 0));
		return true;
	}
	return false;
}

/* uuidnew_sid_format - the text, not terminated; returns its length. */
int
uuidnew_sid_format(const SidForm *form, Number id, char *text)
{
	Number		time = number_from_words(0, number_word(&id, 2));
	Number		random = number_from_words(0, number_word(&id, 0));
	int			before = uuidnew_text_format(&form->time, time, text);

	text[before] = '-';
	return before + 1 +
		uuidnew_text_format(&form->random, random, text + before + 1);
}
