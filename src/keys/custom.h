/*
 * custom.h
 *	  Custom layouts of version 8: see custom.c.
 */
#ifndef UUIDNEW_CUSTOM_H
#define UUIDNEW_CUSTOM_H

#include "keys/layout.h"

#define CUSTOM_MAX_TICKS_PER_SEC	1000000000	/* as precise as the clock */
#define CUSTOM_MAX_SECS_PER_TICK	2147483647
#define CUSTOM_MAX_TIME_BITS		64

/* enough for "custom(2147483647/s, 64, 26)" */
#define CUSTOM_NAME_SIZE			40

typedef struct CustomLayout
{
	UuidLayout	layout;
	char		name[CUSTOM_NAME_SIZE]; /* layout.name points here */
} CustomLayout;

typedef enum CustomResult
{
	CUSTOM_OK,
	CUSTOM_NONE,				/* the text does not begin with "custom" */
	CUSTOM_SYNTAX, CUSTOM_UNIT, CUSTOM_TIME, CUSTOM_SEQUENCE
} CustomResult;

extern CustomResult uuidnew_parse_custom(const char *text, size_t len,
										 CustomLayout *custom, int *time_width);
extern void uuidnew_custom_sequence_range(int time_width, int *min, int *max);

#endif							/* UUIDNEW_CUSTOM_H */
