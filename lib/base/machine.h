/* machine.h: stops the build for machines on which results would differ. The Makefile includes it in each file. */
#ifndef ANIM_BASE_MACHINE_H
#define ANIM_BASE_MACHINE_H

/* README.md and packaging/debian/control list the supported machines: change them with this file. */

#ifndef __GNUC__
#error "anim-tools needs gcc or clang"
#elif __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "anim-tools supports little-endian machines only: it uses the columns of a stream in place"
#elif __FLT_MANT_DIG__ != 24 || __DBL_MANT_DIG__ != 53
#error "anim-tools needs float and double of IEEE-754, with 32 and 64 bits"
#elif __FLT_EVAL_METHOD__ != 0
#error "anim-tools needs arithmetic without excess precision: on 32-bit x86 set CC='gcc -msse2 -mfpmath=sse'"
#elif defined(__FAST_MATH__) || __FINITE_MATH_ONLY__
#error "anim-tools needs exact arithmetic: remove -ffast-math and -ffinite-math-only from CFLAGS"
#endif

/*
 * The hottest loops have a second form for AVX2 or PCLMUL, chosen at run time with __builtin_cpu_supports. It gives
 * the same bits as the plain form, which is the only form on other machines.
 */
#ifdef __x86_64__
#define ANIM_X86_64 1
#else
#define ANIM_X86_64 0
#endif

#endif
