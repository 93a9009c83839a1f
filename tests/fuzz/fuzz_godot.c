/*
 * fuzz_godot.c: any bytes are refused with a message, or read as a Godot file: the same stream each time, which reads
 * back. The grammar alone gives the same from windows of any size, and what it prints of a value is the value.
 */
#include "godot_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_godot(data, size);
	return 0;
}
