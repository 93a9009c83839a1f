/* count.h: how many elements an array has. */
#ifndef ANIM_BASE_COUNT_H
#define ANIM_BASE_COUNT_H

/* Of an array whose size the compiler knows, not of a pointer. */
#define ANIM_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
