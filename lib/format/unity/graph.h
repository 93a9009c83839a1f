/* graph.h: read the structure of an AnimatorController. Internal to format/unity. */
#ifndef ANIM_FORMAT_UNITY_GRAPH_H
#define ANIM_FORMAT_UNITY_GRAPH_H

#include "clip/graph.h"
#include "format/unity/run.h"

/*
 * Read the first AnimatorController of the input, whose clips were read into the source, into an empty graph. Returns 1, 0 if
 * the input has no controller, or -1. Clear the graph in all cases.
 */
int unity_graph_read(struct unity_run *, struct unity_source *, struct anim_input *, struct anim_graph *);

#endif
