/* fuzz_godot_binary.c: the same as fuzz_godot.c of bytes that begin as Godot's binary files do, whatever else is in them. */
#include "godot_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[1 << 20];
	bool packed = size >= 4 && memcmp(data, "RSCC", 4) == 0;

	if (size < 4 || size > sizeof bytes)
		return 0;
	memcpy(bytes, data, size);
	memcpy(bytes, packed ? "RSCC" : "RSRC", 4);
	check_godot(bytes, size);
	return 0;
}
