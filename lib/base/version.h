/* version.h: the version of all programs and of the library. */
#ifndef ANIM_BASE_VERSION_H
#define ANIM_BASE_VERSION_H

#define ANIM_TOOLS_VERSION "1.0.0"

#endif
