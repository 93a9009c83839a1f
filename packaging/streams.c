/*
 * The streams of the C library for static libraries that are linked into libanim.so, see lib_alone in the Makefile. Debian compiles
 * them as parts of programs, where the address of a variable of another library is known, so their variables must be in libanim.
 */
#include <stdio.h>

/* The linker calls the variables of the C library __real_NAME, and their replacements here __wrap_NAME. */
extern FILE *__real_stdin, *__real_stdout, *__real_stderr;
FILE *__wrap_stdin, *__wrap_stdout, *__wrap_stderr;

__attribute__((constructor)) static void take_streams(void)
{
	__wrap_stdin = __real_stdin;
	__wrap_stdout = __real_stdout;
	__wrap_stderr = __real_stderr;
}
