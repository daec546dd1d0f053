/*
 * text.h
 *	  The text of a number: see text.c.
 */
#ifndef UUIDNEW_TEXT_H
#define UUIDNEW_TEXT_H

#include "systems/number.h"

/* The longest text of an ID: a decimal SID. */
#define ID_TEXT_MAX		39

/* A number as text: digits of an alphabet, the highest first. */
typedef struct TextForm
{
	Alphabet   *alphabet;
	uint8		digits;
	uint8		spare_bits;		/* zeros below the number in the last digit */
	char		prefix;			/* a letter before the digits */
	bool		unpadded;		/* fewer digits, without zeros in front */
	bool		hyphens;		/* after digits 8, 12 and 16; read anywhere */
} TextForm;

extern bool uuidnew_text_parse(const TextForm *form, const char *text, int len,
							   Number *number);
extern int	uuidnew_text_format(const TextForm *form, Number number,
								char *text);

#endif							/* UUIDNEW_TEXT_H */
