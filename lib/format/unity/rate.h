/* rate.h: m_SampleRate, a float32, as a fraction. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_RATE_H
#define ANIM_FORMAT_UNITY_RATE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The fraction that is meant: n/1001 for the rates of NTSC, else the simplest one whose float32 is the rate. False, and
 * 0/0, where none with terms of 32 bits is (the rate is not positive, not finite, or far from 1).
 */
bool unity_rate_fraction(float rate_hz, uint32_t *num, uint32_t *den);

#endif
