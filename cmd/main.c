/* main.c: a program of the suite, which the Makefile names; without a name, all programs, chosen by the file name. */
#include <stddef.h>

#include "programs.h"

#ifndef PROGRAM
#define PROGRAM NULL
#endif

int main(int argc, char **argv)
{
	return anim_tools_main(PROGRAM, argc, argv);
}
