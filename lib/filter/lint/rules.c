/* rules.c: the rules of anim-lint: how scripts know them, how much they weigh, and what is said of them. */
#include <stddef.h>

#include "filter/lint/internal.h"

#define ERROR ANIM_LINT_ERROR
#define WARNING ANIM_LINT_WARNING
#define NOTE ANIM_LINT_NOTE

/* In each: id, level, what it is, what to do, and the text of a finding in a track. */
const struct anim_lint_rule anim_lint_rules[ANIM_LINT_RULES_MAX] = {
    [LINT_FAULT] = {"fault", ERROR, "The file cannot be read, or not further than to here.",
		    "Export the file again, or mend it at the place that is told.", NULL},
    [LINT_READING] = {"reading", WARNING, "The reader of the file dropped or guessed something.",
		      "Look at the place that is told; what was dropped is in no later step.", NULL},
    [LINT_CLIP_TWICE] = {"clip-twice", WARNING, "An earlier clip of the file has this name, and the same player.",
			 "Rename one of the two: anim-rename --on clip.", NULL},
    [LINT_CLIP_NAME] = {"clip-name", WARNING, "The clip has no name, or one that Godot does not allow.",
			"Rename it: anim-rename --on clip.", NULL},
    [LINT_NO_DURATION] = {"no-duration", ERROR, "The clip lasts no time, or ends before its last key.",
			  "Give the clip its length where it was made.", NULL},
    [LINT_AXES_UNKNOWN] = {"axes-unknown", WARNING,
			   "Things are moved in space, but which way the axes point is not known.",
			   "Tell whose axes they are: anim-axes --from.", NULL},
    [LINT_AXES_OTHER] = {"axes-other", WARNING,
			 "Things are moved in other two-dimensional axes than those of the target.",
			 "Turn the clip into the target's axes with anim-axes.", NULL},
    [LINT_ATTRIBUTE] = {"attribute", NOTE, "An attribute of the stream that no program knows.",
			"Look for a wrong spelling; names of one format's own have a dot.", NULL},
    [LINT_NODE_TWICE] = {"node-twice", WARNING, "A node of the tree has the path of an earlier one.",
			 "Rename one of the two.", "an earlier node has this path; Unity binds to the first one"},
    [LINT_NODE_NAME] = {"node-name", WARNING, "A node's name holds what the target does not allow in names.",
			"Rename the node: anim-rename.",
			"its name holds a '/', so that no path of Unity's leads to it"},
    [LINT_HUMANOID] = {"humanoid", NOTE, "Curves of a humanoid, which mean nothing without its avatar.",
		       "Bake the clip on a skeleton in Unity before it leaves it.", NULL},
    [LINT_FOOT_SLIDES] = {"foot-slides", WARNING, "A foot slides over the ground while it stands.",
			  "Look at the source; a clip that walks on the spot slides all the time.", NULL},
    [LINT_NAME_TWICE] = {"name-twice", WARNING, "An earlier track drives the same property of the same node.",
			 "Drop one of the two, or rename its node.",
			 "an earlier track drives the same property of the same node"},
    [LINT_NO_KEYS] = {"no-keys", ERROR, "The track has no keys.", "Drop it; one like that is said to crash Resonite.",
		      "it has no keys"},
    [LINT_NO_INTERVAL] = {"no-interval", ERROR, "Samples without an interval.",
			  "Give them their rate: anim-retime --rate.",
			  "Raw samples without interval: when they play is not known"},
    [LINT_TIME_NOT_FINITE] = {"time-not-finite", ERROR, "A time that is infinite or no number.",
			      "Export the clip again; there is no such key.", "the time is not a finite number"},
    [LINT_TIMES_UNSORTED] = {"times-unsorted", WARNING, "A time before that of the key before it.",
			     "Sort the keys: anim-retime does so.", "the time is before that of the key before it"},
    [LINT_TIMES_EQUAL] = {"times-equal", WARNING, "Two keys at one time.", "Drop one of the two.",
			  "the time is that of the key before it"},
    [LINT_BEFORE_START] = {"before-start", WARNING, "A key before the clip's start.",
			   "Cut or shift the clip: anim-retime -t or --shift.", "the time is before the clip's start"},
    [LINT_PAST_END] = {"past-end", WARNING, "A key past the clip's end.", "Cut the clip, or lengthen it: anim-retime.",
		       "the time is past the clip's end"},
    [LINT_VALUE_NOT_FINITE] = {"value-not-finite", ERROR, "A value that is infinite or no number.",
			       "Export the clip again; players show nothing, or crash.",
			       "the value is not a finite number"},
    [LINT_TANGENT_NOT_FINITE] = {"tangent-not-finite", ERROR,
				 "A tangent, handle or easing that is infinite or no number.",
				 "Export the clip again, or resample it: anim-resample.",
				 "a tangent or easing is not a finite number"},
    [LINT_QUATERNION_NOT_UNIT] = {"quaternion-not-unit", WARNING, "A rotation whose quaternion is not of length 1.",
				  "Export it again: what such a rotation shows differs by player.",
				  "the quaternion is not of length 1"},
    [LINT_TANGENT] = {"tangent", WARNING, "Keys of mode Tangent, whose curve is not documented.",
		      "Write CubicBezier keys, or resample the clip.",
		      "Tangent keys, whose curve is not documented; write CubicBezier"},
    [LINT_LOOP_SEAM] = {"loop-seam", WARNING, "The track ends elsewhere than it starts, in a clip that loops.",
			"Make its first and last key the same.", "the loop does not close"},
    [LINT_QUATERNION_LONG_WAY] = {"quaternion-long-way", WARNING,
				  "A quaternion that turns the long way, because its sign changes between two keys.",
				  "Bake it: anim-bake keeps the signs of quaternions.",
				  "quaternion turns the long way"},
    [LINT_MODE] = {"mode", WARNING, "Keys of a mode that the target does not have.",
		   "anim-emit writes what the target has; anim-resample makes samples of all.",
		   " keys, which Resonite does not have"},
    [LINT_EASE] = {"ease", WARNING, "A key that is eased, which the target cannot.",
		   "anim-emit makes curves of it; anim-resample samples.", "the key is eased, which Resonite cannot"},
    [LINT_ENDS] = {"ends", WARNING, "The track goes on outside its keys otherwise than the target can.",
		   "Set keys at the clip's start and end, or resample it.",
		   "it goes on outside its keys, where Resonite holds the first and the last one"},
    [LINT_TYPE] = {"type", WARNING, "Values of a type that the target cannot hold.",
		   "Leave the track out: anim-filter --type.", " cannot come from AnimJ; AnimX holds it"},
    [LINT_FIELD_TYPE] = {"field-type", WARNING, "Another type than that of the field that the track would be bound to.",
			 "anim-emit converts what it can; rename or drop the others.", ""},
    [LINT_VALUE_RANGE] = {"value-range", WARNING, "A number that is beyond a float, which it becomes.",
			  "Scale the values where they come from.",
			  "the value is beyond a float, which is what Resonite's field is"},
    [LINT_REST_RELATIVE] = {"rest-relative", WARNING,
			    "The track is relative to the rest pose, those of the target are not.",
			    "Make it absolute: anim-bake.",
			    "it is relative to the rest pose, Resonite's tracks are not"},
    [LINT_DISABLED] = {"disabled", WARNING, "The track is disabled, but the target plays all.",
		       "Drop it: anim-resample and anim-bake leave it out.",
		       "it is disabled; Resonite plays all tracks"},
    [LINT_UNBOUND] = {"unbound", WARNING, "The target has no property of this name, or does not know whose it is.",
		      "Rename the property, or drop the track: anim-rename, anim-filter.",
		      "Unity has no property of this name, and nothing says which component's it is"},
    [LINT_WEIGHT] = {"weight", WARNING, "A weight of Weighted keys that is not within 0..1.",
		     "Mend the curve, or resample it.", "a weight is not within 0..1"},
    [LINT_PATH] = {"path", WARNING, "A path that Godot never resolves.",
		   "Rename the track, or write it with anim-emit.", ""},
    [LINT_BONE] = {"bone", WARNING, "A bone that its skeleton does not have.",
		   "Rename the bone, or retarget: anim-retarget.", "the skeleton has no bone of this name"},
    [LINT_HANDLE] = {"handle", WARNING, "A handle of Bezier keys that reaches beyond its segment.",
		     "Shorten the handle where it was made.",
		     "a handle reaches beyond the segment: some times have several values"},
    [LINT_MODES] = {"modes", WARNING, "Keys of several modes, where a channel of glTF has one for all.",
		    "anim-emit makes one of them; anim-resample samples.",
		    "its keys have several modes, a channel of glTF has one"},
    [LINT_TANGENTS_DROPPED] = {"tangents-dropped", WARNING,
			       "Curved rotations, which Godot and Blender import as straight ones.",
			       "Resample the rotations before they are written: anim-resample.",
			       "curved rotations, which Godot and Blender import as straight ones"},
    [LINT_TRACK_ORDER] = {"track-order", WARNING, "Tracks without a field in Resonite, which shift those behind them.",
			  "Write the file with anim-emit: such tracks come last.", NULL},
    [LINT_TRACK_LIST] = {"track-list", WARNING, "Clips for one Animator of Resonite whose lists of tracks differ.",
			 "Write them together: anim-emit --same-tracks --each.", NULL},
};

_Static_assert(LINT_KIND_COUNT + 1 == ANIM_LINT_RULES_MAX, "the last one has no id: lint.h counts them");

const char *const anim_lint_targets[ANIM_LINT_COUNT] = {[ANIM_LINT_RESONITE] = "resonite",
							[ANIM_LINT_UNITY] = "unity",
							[ANIM_LINT_GODOT] = "godot",
							[ANIM_LINT_GLTF] = "gltf"};

/* Of what other engines have otherwise. */
static const char *const unity_texts[LINT_KIND_COUNT] = {
    [LINT_MODE] = " keys, which Unity does not have",
    [LINT_EASE] = "the key is eased, which Unity cannot",
    [LINT_ENDS] = "it has no value outside its keys, where Unity holds the first and the last one",
    [LINT_TYPE] = ", which Unity cannot animate",
    [LINT_VALUE_RANGE] = "the value is beyond a float, which is what Unity's curves are of",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, Unity's curves are not",
    [LINT_DISABLED] = "it is disabled; Unity plays all curves",
};

static const char *const godot_texts[LINT_KIND_COUNT] = {
    [LINT_PAST_END] = "the time is past the clip's end; Godot 4 does not see such keys",
    [LINT_MODE] = " keys, which Godot 4 does not have",
    [LINT_ENDS] = "it goes on outside its keys, where Godot holds the first and the last one",
    [LINT_TYPE] = ", for which Godot has no value",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, Godot 4's bones are not",
    [LINT_UNBOUND] = "Godot has no property of this name, unless a script or class of that node has",
};

static const char *const gltf_texts[LINT_KIND_COUNT] = {
    [LINT_MODE] = " keys, which glTF does not have",
    [LINT_EASE] = "the key is eased, which glTF cannot",
    [LINT_ENDS] = "it goes on outside its keys, where glTF holds the first and the last one",
    [LINT_TYPE] = ", for which glTF has no place",
    [LINT_VALUE_RANGE] = "the value is beyond a float, which is what glTF's are",
    [LINT_REST_RELATIVE] = "it is relative to the rest pose, glTF's channels are not",
    [LINT_DISABLED] = "it is disabled; players of glTF play all channels",
    [LINT_UNBOUND] = "glTF moves nodes and blend shapes; what else there is takes KHR_animation_pointer",
};

const char *lint_text(enum anim_lint_target target, enum lint_kind kind)
{
	static const char *const *const own[ANIM_LINT_COUNT] = {
	    [ANIM_LINT_UNITY] = unity_texts, [ANIM_LINT_GODOT] = godot_texts, [ANIM_LINT_GLTF] = gltf_texts};

	return own[target] != NULL && own[target][kind] != NULL ? own[target][kind] : anim_lint_rules[kind].text;
}
