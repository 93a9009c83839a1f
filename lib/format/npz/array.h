/* array.h: NumPy arrays (.npy, NEP 1) from a file or from a zip archive, read as doubles. */
#ifndef ANIM_FORMAT_NPZ_ARRAY_H
#define ANIM_FORMAT_NPZ_ARRAY_H

#include "format/npz/zip.h"

#define NPY_DIMENSIONS_MAX 8

/* The type of the numbers. TEXT is a fixed number of code points or bytes. */
enum npy_kind { NPY_FLOAT, NPY_SIGNED, NPY_UNSIGNED, NPY_TEXT, NPY_BYTES, NPY_OBJECTS, NPY_OTHER };

/* An array before its first number. */
struct npy_array {
	struct anim_input *input; /* of an array that is a file of its own */
	struct zip_reader *zip;   /* or of an array in an archive */
	struct anim_error *error;
	const char *name; /* without its suffix, for messages, borrowed */

	enum npy_kind kind;
	bool big_endian, by_columns; /* by_columns: Fortran order */
	size_t item_size;            /* bytes of a number or a text */
	unsigned dimensions;
	uint64_t shape[NPY_DIMENSIONS_MAX];
	uint64_t count; /* of numbers: the product of the shape, whose bytes fit 63 bits */
};

/*
 * Read the header. `input` or `zip`, `error` and `name` must be set. In an archive the header and the numbers must fill
 * the file exactly. Return 0, or -1 with the byte.
 */
int npy_begin(struct npy_array *);

/* Read the next `count` numbers. Call it only for numbers (up to NPY_UNSIGNED). Return 0 or -1. */
int npy_doubles(struct npy_array *, double *to, size_t count);

/* Append the next text as UTF-8, without the zeros that fill it. Return 0 or -1. */
int npy_text(struct npy_array *, struct anim_buffer *to);

/* Check that a file of its own ends after its numbers. Return 0 or -1. */
int npy_end(struct npy_array *);

/* Print the shape as in Python: "(60, 24, 3)". */
void npy_print_shape(const struct npy_array *, char *out, size_t capacity);

/* Fail at the current byte with "NAME: ...". Return -1. */
int npy_refuse(struct npy_array *, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
