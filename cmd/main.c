/* main.c: a program of the suite, whose name the Makefile gives; without one, all of them, told apart by how they are called. */
#include <stddef.h>

#include "programs.h"

#ifndef PROGRAM
#define PROGRAM NULL
#endif

int main(int argc, char **argv)
{
	return anim_tools_main(PROGRAM, argc, argv);
}
