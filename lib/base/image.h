/* image.h: the size of an image, from its first bytes. */
#ifndef ANIM_BASE_IMAGE_H
#define ANIM_BASE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* This many bytes show the size of nearly every image. Metadata may precede it in a JPEG. */
#define ANIM_IMAGE_HEAD ((size_t)256 << 10)

/*
 * Read width and height in pixels of a PNG, JPEG, GIF, BMP or PSD. Returns false if the bytes are something else, if
 * they end before the size, or if a side is 0 or more than 2^31 - 1.
 */
bool anim_image_size(const void *bytes, size_t count, uint32_t size[2]);

#endif
