/* tap.h: unit tests that register themselves; one program runs them and prints TAP. */
#ifndef ANIM_TESTS_TAP_H
#define ANIM_TESTS_TAP_H

#include <stdbool.h>

struct tap_test {
	const char *file, *title;
	void (*run)(void);
	struct tap_test *next;
};

void tap_register(struct tap_test *);

/* The test that runs: for tests that are registered from a table and find their row by it. */
const struct tap_test *tap_current(void);

/* Records a failed check of the running test with its place; the test goes on. Returns the condition. */
bool tap_check(bool condition, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Marks the running test as skipped for a reason. */
void tap_skip(const char *reason);

/* TEST(name, "a sentence about behaviour") { ... } */
#define TEST(name, sentence)                                                 \
	static void name(void);                                              \
	__attribute__((constructor)) static void register_##name(void)       \
	{                                                                    \
		static struct tap_test test = {__FILE__, sentence, name, 0}; \
		tap_register(&test);                                         \
	}                                                                    \
	static void name(void)

#define CHECK(condition) tap_check((condition), __FILE__, __LINE__, "%s", #condition)
#define CHECKF(condition, ...) tap_check((condition), __FILE__, __LINE__, __VA_ARGS__)

#endif
