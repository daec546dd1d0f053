/*
 * fuzz.h
 *	  What the fuzz targets share: an input taken apart, and a check.
 *
 * PostgreSQL's printf family is not linked here.
 */
#ifndef UUIDNEW_FUZZ_H
#define UUIDNEW_FUZZ_H

#include <stdio.h>

#undef fprintf

/* check - a condition, and what to print before the end if it fails. */
#define check(condition, ...) \
	do { \
		if (unlikely(!(condition))) \
		{ \
			fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
			fprintf(stderr, __VA_ARGS__); \
			fprintf(stderr, "\n"); \
			__builtin_trap(); \
		} \
	} while (0)

/* What is left of an input; where it is too short, zeros follow. */
typedef struct FuzzInput
{
	const uint8 *data;
	size_t		size;
} FuzzInput;

static inline void
take(FuzzInput *input, void *result, size_t size)
{
	size_t		taken = Min(size, input->size);

	memset(result, 0, size);
	memcpy(result, input->data, taken);
	input->data += taken;
	input->size -= taken;
}

static inline uint8
take_octet(FuzzInput *input)
{
	uint8		octet;

	take(input, &octet, sizeof(octet));
	return octet;
}

static inline uint64
take_uint64(FuzzInput *input)
{
	uint64		number;

	take(input, &number, sizeof(number));
	return number;
}

extern int	LLVMFuzzerTestOneInput(const uint8 *data, size_t size);

#endif							/* UUIDNEW_FUZZ_H */
