/* input.c: a window that moves over a file, a pipe or memory, inflated where it is gzip. */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/input_internal.h"
#include "base/limits.h"

#define WINDOW_SIZE ((size_t)256 * 1024)
#define ALIGNMENT ((size_t)16)
#define LARGE_PIECE (WINDOW_SIZE / 4)
#define READ_AHEAD ((size_t)4096)
/* A grown buffer is given back when so many refills in a row could have done with the usual one. */
#define CALM_REFILLS 8u

/*
 * The window is data[start..end), and start is congruent to offset modulo ALIGNMENT: records are padded to 8 in the
 * stream, so that their columns are aligned in the window too. capacity leaves out ANIM_INPUT_SLACK.
 */
struct anim_input {
	struct anim_source source;
	struct anim_gzip *gzip; /* NULL: bytes as they are */
	char *name;
	bool owns_fd, is_pipe, keep_gzip, was_gzip, started, at_end, failed;
	struct anim_error failure; /* told again by every later peek */
	uint8_t *data;
	size_t capacity, start, end;
	uint64_t offset;
	unsigned calm;
};

ssize_t anim_source_read(struct anim_source *source, uint8_t *to, size_t room, struct anim_error *error)
{
	ssize_t count;

	if (source->read_max != 0 && room > source->read_max)
		room = source->read_max;
	if (source->fd < 0) {
		count = (ssize_t)(room < source->memory_left ? room : source->memory_left);
		if (count > 0)
			memcpy(to, source->memory, (size_t)count);
		source->memory += count;
		source->memory_left -= (size_t)count;
	} else {
		struct pollfd wait = {.fd = source->fd, .events = POLLIN};

		while ((count = read(source->fd, to, room)) < 0)
			if (errno != EINTR && (errno != EAGAIN || (poll(&wait, 1, -1) < 0 && errno != EINTR)))
				return anim_fail_system(error, "cannot read");
	}
	source->taken += (uint64_t)count;
	if (source->progress != NULL)
		source->progress(source->progress_context, source->taken, source->size);
	return count;
}

static struct anim_input *new_input(const char *name, const struct anim_input_options *options,
				    struct anim_error *error)
{
	struct anim_input *input = calloc(1, sizeof *input);

	if (input == NULL || (input->name = strdup(name)) == NULL) {
		free(input);
		anim_fail_memory(error);
		return NULL;
	}
	input->source.fd = -1;
	if (options == NULL)
		return input;
	input->source.read_max = options->read_max;
	input->source.progress = options->progress;
	input->source.progress_context = options->progress_context;
	input->keep_gzip = options->keep_gzip;
	return input;
}

/* Learns what kind of thing the descriptor is; a folder is refused. */
static int look_at(struct anim_input *input, struct anim_error *error)
{
	struct stat info;
	off_t at;

	if (fstat(input->source.fd, &info) != 0)
		return anim_fail_system(error, "cannot read");
	if (S_ISDIR(info.st_mode))
		return anim_fail(error, ANIM_SYSTEM, "is a folder, not a file");
	if (!S_ISREG(info.st_mode)) {
		input->is_pipe = true;
		return 0;
	}
	at = lseek(input->source.fd, 0, SEEK_CUR);
	if (at >= 0 && at < info.st_size)
		input->source.size = (uint64_t)(info.st_size - at);
	return 0;
}

int anim_input_open_fd(struct anim_input **out, int fd, const char *name, const struct anim_input_options *options,
		       struct anim_error *error)
{
	const char *shown = options != NULL && options->name != NULL ? options->name : name;
	struct anim_input *input = new_input(shown, options, error);

	*out = NULL;
	if (input == NULL)
		return -1;
	input->source.fd = fd;
	input->is_pipe = fd == STDIN_FILENO;
	if (look_at(input, error) != 0) {
		anim_input_close(input);
		return anim_error_in_file(error, shown);
	}
	*out = input;
	return 0;
}

int anim_input_open(struct anim_input **out, const char *path, const struct anim_input_options *options,
		    struct anim_error *error)
{
	int fd;

	if (strcmp(path, "-") == 0)
		return anim_input_open_fd(out, STDIN_FILENO, path, options, error);
	*out = NULL;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0) {
		anim_fail_system(error, "cannot open");
		return anim_error_in_file(error, options != NULL && options->name != NULL ? options->name : path);
	}
	if (anim_input_open_fd(out, fd, path, options, error) != 0) {
		close(fd);
		return -1;
	}
	(*out)->owns_fd = true;
	return 0;
}

int anim_input_open_memory(struct anim_input **out, const void *bytes, size_t size, const char *name,
			   struct anim_error *error)
{
	*out = new_input(name, NULL, error);
	if (*out == NULL)
		return -1;
	(*out)->source.memory = bytes;
	(*out)->source.memory_left = size;
	(*out)->source.size = size;
	return 0;
}

/* Where the window's first byte goes in a buffer that begins with it. */
static size_t front(const struct anim_input *input)
{
	return (size_t)(input->offset % ALIGNMENT);
}

/* Moves the window into a buffer of another capacity. */
static int resize(struct anim_input *input, size_t capacity, struct anim_error *error)
{
	size_t held = input->end - input->start, to = front(input);
	size_t rounded = (capacity + ANIM_INPUT_SLACK + 63) / 64 * 64;
	uint8_t *data = aligned_alloc(64, rounded);

	if (data == NULL)
		return anim_fail_memory(error);
	if (held > 0)
		memcpy(data + to, input->data + input->start, held);
	free(input->data);
	input->data = data;
	input->capacity = rounded - ANIM_INPUT_SLACK;
	input->start = to;
	input->end = to + held;
	return 0;
}

/* The next capacity of a full buffer: what is wanted, doubling where that is little more than there is. */
static size_t grown(const struct anim_input *input, size_t want)
{
	size_t allowed = 2 * (input->end - input->start) + ANIM_GROWTH_SLACK;
	size_t good = want / 5 * 4 > input->capacity ? want : 2 * input->capacity;

	return (good < allowed ? good : allowed) + front(input);
}

/*
 * Room behind the window for at least one byte. The window moves to the front of the buffer only when little room is
 * left, so that many small reads do not each move it.
 */
static int make_room(struct anim_input *input, size_t want, struct anim_error *error)
{
	size_t held = input->end - input->start, to = front(input);

	if (input->start > to &&
	    (input->capacity - input->start < want || input->capacity - input->end < WINDOW_SIZE / 2)) {
		memmove(input->data + to, input->data + input->start, held);
		input->start = to;
		input->end = to + held;
	}
	return input->end < input->capacity ? 0 : resize(input, grown(input, want), error);
}

/* Gives a large buffer back when nothing large came for a while. */
static int shrink(struct anim_input *input, size_t want, struct anim_error *error)
{
	size_t held = input->end - input->start;

	if (input->capacity <= WINDOW_SIZE || want > WINDOW_SIZE / 2 || held > WINDOW_SIZE / 2) {
		input->calm = 0;
		return 0;
	}
	if (++input->calm < CALM_REFILLS)
		return 0;
	input->calm = 0;
	return resize(input, WINDOW_SIZE, error);
}

/*
 * Reads once into the room behind the window. Of a large piece little more is read than is wanted: what came too early
 * would have to be moved for the next one. 1, 0 at the end, -1.
 */
static int read_more(struct anim_input *input, size_t want, struct anim_error *error)
{
	struct anim_source *source = &input->source;
	size_t room = input->capacity - input->end, missing = want - (input->end - input->start);
	ssize_t count;

	if (want >= LARGE_PIECE && missing + READ_AHEAD < room)
		room = missing + READ_AHEAD;
	if (source->read_max != 0 && room > source->read_max)
		room = source->read_max;
	if (!input->started && room > ANIM_GZIP_AHEAD - (input->end - input->start))
		room = ANIM_GZIP_AHEAD - (input->end - input->start);
	if (input->gzip != NULL)
		count = anim_gzip_read(input->gzip, input->data + input->end, room, error);
	else
		count = anim_source_read(source, input->data + input->end, room, error);
	if (count < 0)
		return -1;
	input->at_end = count == 0;
	input->end += (size_t)count;
	return count > 0;
}

/* The first bytes tell whether it is gzip; then they are what the inflater begins with. */
static int begin(struct anim_input *input, struct anim_error *error)
{
	bool sure = false;
	size_t held;

	if (resize(input, WINDOW_SIZE, error) != 0)
		return -1;
	while (!sure && !input->at_end) {
		if (read_more(input, 2, error) < 0)
			return -1;
		held = input->end - input->start;
		input->was_gzip = anim_gzip_is(input->data + input->start, held, &sure);
		sure = sure && held > 0;
	}
	input->started = true;
	if (!input->was_gzip || input->keep_gzip)
		return 0;
	input->gzip = anim_gzip_new(&input->source, input->data + input->start, input->end - input->start, error);
	if (input->gzip == NULL)
		return -1;
	input->start = input->end = front(input);
	input->at_end = false;
	return 0;
}

/* Reads until the window holds `want` bytes or the input ends. */
static int fill(struct anim_input *input, size_t want, struct anim_error *error)
{
	if (!input->started && begin(input, error) != 0)
		return -1;
	if (shrink(input, want, error) != 0)
		return -1;
	while (input->end - input->start < want && !input->at_end)
		if (make_room(input, want, error) != 0 || read_more(input, want, error) < 0)
			return -1;
	memset(input->data + input->end, 0, ANIM_INPUT_SLACK);
	return 0;
}

/* Remembers the error with its place: where the bytes ended that could be had. */
static ssize_t fail(struct anim_input *input, struct anim_error *error)
{
	struct anim_error *failure = &input->failure;

	anim_error_in_file(failure, input->name);
	if (failure->code == ANIM_BAD_INPUT) {
		failure->at = ANIM_AT_BYTE;
		failure->offset = input->offset + (input->end - input->start);
	}
	input->failed = true;
	if (error != NULL)
		*error = *failure;
	return -1;
}

ssize_t anim_input_peek(struct anim_input *input, size_t want, const uint8_t **at, struct anim_error *error)
{
	size_t held = input->end - input->start;

	if (want == 0)
		want = 1;
	if (held < want && !input->failed && (!input->at_end || !input->started) &&
	    fill(input, want, &input->failure) != 0)
		return fail(input, error);
	if (held < want && input->failed)
		return fail(input, error);
	*at = input->data + input->start;
	return (ssize_t)(input->end - input->start);
}

void anim_input_skip(struct anim_input *input, size_t bytes)
{
	assert(bytes <= input->end - input->start);
	input->start += bytes;
	input->offset += bytes;
}

uint64_t anim_input_offset(const struct anim_input *input)
{
	return input->offset;
}

const char *anim_input_name(const struct anim_input *input)
{
	return input->name;
}

uint64_t anim_input_source_bytes(const struct anim_input *input)
{
	return input->source.size;
}

uint64_t anim_input_read_bytes(const struct anim_input *input)
{
	return input->source.taken;
}

uint64_t anim_input_members(const struct anim_input *input)
{
	return input->gzip == NULL ? 0 : anim_gzip_members(input->gzip);
}

bool anim_input_was_gzip(const struct anim_input *input)
{
	return input->was_gzip;
}

bool anim_input_is_pipe(const struct anim_input *input)
{
	return input->is_pipe;
}

void anim_input_close(struct anim_input *input)
{
	if (input == NULL)
		return;
	if (input->owns_fd)
		close(input->source.fd);
	anim_gzip_free(input->gzip);
	free(input->data);
	free(input->name);
	free(input);
}
