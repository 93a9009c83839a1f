/* count.h: the number of elements of an array. */
#ifndef ANIM_BASE_COUNT_H
#define ANIM_BASE_COUNT_H

/* Return the number of elements. Only for arrays whose size the compiler knows, not for pointers. */
#define ANIM_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
