/*
 * main.c: a program of the suite, whose name the Makefile defines. Without a name, it contains all programs and
 * chooses by its own file name.
 */
#include <stddef.h>

#include "programs.h"

#ifndef PROGRAM
#define PROGRAM NULL
#endif

int main(int argc, char **argv)
{
	return anim_tools_main(PROGRAM, argc, argv);
}
