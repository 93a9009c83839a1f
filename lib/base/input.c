/* input.c: a window that moves over a file, a pipe or memory. gzip is inflated. */
#include "base/input.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/limits.h"
#include "base/named.h"
#include "base/system.h"

/* ---- Unchanged bytes of a file, pipe, memory or part ---- */

struct byte_source {
	int fd; /* -1: memory or a part */
	const uint8_t *memory;
	size_t memory_left;
	struct anim_input_part part; /* its unread bytes, with copy NULL if it is not a part */
	size_t read_max;             /* 0: no limit */
	uint64_t taken, size;
	int (*progress)(void *context, uint64_t read_bytes, uint64_t source_bytes);
	void *progress_context;
};

/* Read up to `room` bytes. Returns their number, 0 at the end, or -1. */
static ssize_t source_read(struct byte_source *source, uint8_t *to, size_t room, struct anim_error *error)
{
	ssize_t count;

	if (source->read_max != 0 && room > source->read_max)
		room = source->read_max;
	if (source->part.copy != NULL) {
		struct anim_input_part *part = &source->part;

		count = (ssize_t)(room < part->size ? room : (size_t)part->size);
		if (count > 0 && part->copy(part->context, part->place, to, (size_t)count, error) != 0)
			return -1;
		part->place += (size_t)count;
		part->size -= (size_t)count;
	} else if (source->fd < 0) {
		count = (ssize_t)(room < source->memory_left ? room : source->memory_left);
		if (count > 0)
			memcpy(to, source->memory, (size_t)count);
		source->memory += count;
		source->memory_left -= (size_t)count;
	} else {
		while ((count = anim_sys_read(source->fd, to, room)) < 0)
			if (errno != EINTR && (errno != EAGAIN || anim_sys_poll(source->fd, false) != 0))
				return anim_fail_system(error, "cannot read");
	}
	source->taken += (uint64_t)count;
	if (source->progress != NULL && source->progress(source->progress_context, source->taken, source->size) != 0)
		return anim_fail(error, ANIM_CANCELLED, "cancelled");
	return count;
}

ssize_t anim_read_at(int fd, void *to, size_t size, uint64_t offset)
{
	size_t done = 0;

	while (done < size) {
		ssize_t count = anim_sys_read_at(fd, (uint8_t *)to + done, size - done, offset + done);

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return -1;
		if (count == 0)
			break;
		done += (size_t)count;
	}
	return (ssize_t)done;
}

/* ---- Inflating gzip members one after another, and checking that the last one is complete ---- */

#define GZIP_AHEAD ((size_t)64 * 1024)
#define TRAILER_SIZE 42u
#define EXTRA_KEPT 64u
#define WINDOW_BITS_GZIP (15 + 16) /* zlib's largest window; 16 more select gzip's header and trailer */

struct gzip_state {
	struct byte_source *source;
	z_stream zip;
	gz_header head; /* of the first member */
	uint8_t extra[EXTRA_KEPT];
	bool is_archive, in_member, at_end, has_failed;
	bool is_padded; /* zeros follow the last member, as tapes and some servers leave them. gzip skips them */
	struct anim_error failure; /* reported once all bytes before it have been returned */
	size_t members;
	uint64_t came, member_at;   /* compressed bytes read so far; start of the current member */
	uint8_t last[TRAILER_SIZE]; /* the last bytes read */
	uint8_t bytes[GZIP_AHEAD];
};

/* Inflate the `count` bytes next, and keep the last bytes of the file. They are the trailer if this is an archive. */
static void set_compressed(struct gzip_state *gzip, size_t count)
{
	size_t kept = count < TRAILER_SIZE ? TRAILER_SIZE - count : 0;

	memmove(gzip->last, gzip->last + (TRAILER_SIZE - kept), kept);
	memcpy(gzip->last + kept, gzip->bytes + (count - (TRAILER_SIZE - kept)), TRAILER_SIZE - kept);
	gzip->came += count;
	gzip->zip.next_in = gzip->bytes;
	gzip->zip.avail_in = (uInt)count;
}

/* Start inflating the source (borrowed). The bytes of it that were read already are copied, at most GZIP_AHEAD. */
static struct gzip_state *gzip_new(struct byte_source *source, const uint8_t *ahead, size_t size,
				   struct anim_error *error)
{
	struct gzip_state *gzip = calloc(1, sizeof *gzip);

	if (gzip == NULL || inflateInit2(&gzip->zip, WINDOW_BITS_GZIP) != Z_OK) {
		free(gzip);
		anim_fail_memory(error);
		return NULL;
	}
	gzip->source = source;
	gzip->head.extra = gzip->extra;
	gzip->head.extra_max = EXTRA_KEPT;
	inflateGetHeader(&gzip->zip, &gzip->head);
	memcpy(gzip->bytes, ahead, size);
	set_compressed(gzip, size);
	gzip->in_member = true;
	return gzip;
}

/* Return whether the member has a subfield "AX", in which members of archives store their length. */
static bool has_ax(const gz_header *head)
{
	size_t size = head->extra_len < EXTRA_KEPT ? head->extra_len : EXTRA_KEPT;

	for (size_t at = 0; head->extra != NULL && at + 4 <= size;) {
		const uint8_t *field = head->extra + at;

		if (field[0] == 'A' && field[1] == 'X')
			return true;
		at += 4 + (size_t)(field[2] | field[3] << 8);
	}
	return false;
}

/* Return true if the last bytes are the trailer: a member of its own whose offset is before it. */
static bool ends_with_trailer(const struct gzip_state *gzip)
{
	static const uint8_t expected[TRAILER_SIZE] = {0x1f, 0x8b, 8, 4, 0,  0, 0, 0, 0,   0xff, 20, 0,
						       'A',  'X',  4, 0, 41, 0, 0, 0, 'A', 'I',  8,  0};
	const size_t offset_at = 24, body_at = 32;
	uint64_t offset = 0;

	if (gzip->came - gzip->member_at != TRAILER_SIZE || memcmp(gzip->last, expected, offset_at) != 0 ||
	    gzip->last[body_at] != 3)
		return false;
	for (size_t i = 0; i < 8; i++)
		offset |= (uint64_t)gzip->last[offset_at + i] << (8 * i);
	return offset < gzip->member_at;
}

/* Make compressed bytes available, and begin a member if none is open. Returns 1, 0 at the end of the file, or -1. */
static int fill_gzip(struct gzip_state *gzip, struct anim_error *error)
{
	do {
		if (gzip->zip.avail_in == 0) {
			ssize_t count = source_read(gzip->source, gzip->bytes, sizeof gzip->bytes, error);

			if (count < 0)
				return -1;
			if (count == 0 && gzip->in_member)
				return anim_fail(error, ANIM_BAD_INPUT, "the gzip data are cut");
			gzip->at_end = count == 0;
			if (gzip->at_end && gzip->is_archive && !ends_with_trailer(gzip))
				return anim_fail(error, ANIM_BAD_INPUT,
						 "the archive is cut: its last member is missing");
			if (gzip->at_end)
				return 0;
			set_compressed(gzip, (size_t)count);
		}
		if (gzip->in_member)
			return 1;
		for (; !gzip->is_archive && gzip->zip.avail_in > 0 && gzip->zip.next_in[0] == 0;
		     gzip->is_padded = true) {
			gzip->zip.next_in++;
			gzip->zip.avail_in--;
		}
	} while (gzip->zip.avail_in == 0);
	if (gzip->is_padded || gzip->zip.next_in[0] != 0x1f)
		return anim_fail(error, ANIM_BAD_INPUT, "unexpected bytes after the gzip data");
	if (inflateReset(&gzip->zip) != Z_OK)
		return anim_fail(error, ANIM_BAD_INPUT, "the gzip data are damaged");
	gzip->in_member = true;
	gzip->member_at = gzip->came - gzip->zip.avail_in;
	return 1;
}

/*
 * Inflate the available bytes, also those that zlib still holds without new input. A failure waits until the next
 * call.
 */
static void inflate_some(struct gzip_state *gzip)
{
	int status = inflate(&gzip->zip, Z_NO_FLUSH);
	const char *why = gzip->zip.msg;

	if (status == Z_STREAM_END) {
		gzip->is_archive |= gzip->members++ == 0 && has_ax(&gzip->head);
		gzip->in_member = false;
	} else if (status != Z_OK && status != Z_BUF_ERROR) {
		gzip->has_failed = true;
		if (status == Z_MEM_ERROR)
			anim_fail_memory(&gzip->failure);
		else if (gzip->members > 0 && why != NULL && strcmp(why, "incorrect header check") == 0)
			anim_fail(&gzip->failure, ANIM_BAD_INPUT, "unexpected bytes after the gzip data");
		else
			anim_fail(&gzip->failure, ANIM_BAD_INPUT, "the gzip data are damaged%s%s",
				  why == NULL ? "" : ": ", why == NULL ? "" : why);
	}
}

/*
 * Inflate up to `room` bytes. Returns their number, 0 if all members (and the trailer of an archive) were complete,
 * or -1 if the data are damaged, cut or followed by anything else.
 */
static ssize_t gzip_read(struct gzip_state *gzip, uint8_t *to, size_t room, struct anim_error *error)
{
	const size_t most = room < (1u << 30) ? room : (1u << 30);

	gzip->zip.next_out = to;
	gzip->zip.avail_out = (uInt)most;
	while (!gzip->at_end && !gzip->has_failed) {
		if (gzip->in_member)
			inflate_some(gzip);
		if (gzip->zip.avail_out < most || gzip->has_failed)
			break;
		if ((!gzip->in_member || gzip->zip.avail_in == 0) && fill_gzip(gzip, error) < 0)
			return -1;
	}
	if (gzip->has_failed && gzip->zip.avail_out == most) {
		if (error != NULL)
			*error = gzip->failure;
		return -1;
	}
	return (ssize_t)(most - gzip->zip.avail_out);
}

/* ---- The window ---- */

#define WINDOW_SIZE ((size_t)256 * 1024)
#define ALIGNMENT ((size_t)16)
#define LARGE_PIECE (WINDOW_SIZE / 4)
#define READ_AHEAD ((size_t)4096)
/* A grown buffer is shrunk after this many refills in a row for which the usual size was enough. */
#define CALM_REFILLS 8u

/*
 * The window is data[start..end), and start is congruent to offset modulo ALIGNMENT. The stream pads records to 8
 * bytes, so their columns are also aligned in the window. capacity does not include ANIM_INPUT_SLACK.
 */
struct anim_input {
	struct byte_source source;
	struct gzip_state *gzip; /* NULL: the bytes are not gzip */
	char *name;
	bool owns_fd, is_pipe, keep_gzip, was_gzip, started, at_end, failed;
	struct anim_error failure; /* reported again by every later peek */
	uint8_t *data;
	size_t capacity, start, end;
	uint64_t offset;
	unsigned calm;
};

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

/* Find out the type of the descriptor. A directory is refused. */
static int find_type(struct anim_input *input, struct anim_error *error)
{
	struct anim_stat info;
	off_t at;

	if (anim_sys_fstat(input->source.fd, &info) != 0)
		return anim_fail_system(error, "cannot read");
	if (info.kind == ANIM_FOLDER)
		return anim_fail(error, ANIM_SYSTEM,
				 "is a folder, not a file; name the files in it, as in FOLDER/"
				 "*.glb");
	if (info.kind != ANIM_FILE) {
		input->is_pipe = true;
		return 0;
	}
	at = lseek(input->source.fd, 0, SEEK_CUR);
	if (at >= 0 && (uint64_t)at < info.size)
		input->source.size = info.size - (uint64_t)at;
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
	if (find_type(input, error) != 0) {
		anim_input_close(input);
		return anim_error_in_file(error, shown);
	}
	*out = input;
	return 0;
}

static int open_bytes(struct anim_input **out, const void *bytes, size_t size, const char *name,
		      const struct anim_input_options *options, struct anim_error *error)
{
	*out = new_input(name, options, error);
	if (*out == NULL)
		return -1;
	(*out)->source.memory = bytes;
	(*out)->source.memory_left = size;
	(*out)->source.size = size;
	return 0;
}

int anim_input_open(struct anim_input **out, const char *path, const struct anim_input_options *options,
		    struct anim_error *error)
{
	const struct anim_named *named = anim_named_find(path, false);
	const char *shown = options != NULL && options->name != NULL ? options->name : path;
	int fd;

	if (named != NULL)
		return open_bytes(out, named->bytes, named->size, shown, options, error);
	if (strcmp(path, "-") == 0)
		return anim_input_open_fd(out, STDIN_FILENO, path, options, error);
	*out = NULL;
	fd = anim_sys_open(path, ANIM_OPEN_READ);
	if (fd < 0) {
		if (errno == ENOENT && strstr(path, "://") != NULL)
			anim_fail(error, ANIM_SYSTEM, "is an address, not a file; download the file first");
		else
			anim_fail_system(error, "cannot open");
		return anim_error_in_file(error, shown);
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
	return open_bytes(out, bytes, size, name, NULL, error);
}

int anim_input_open_part(struct anim_input **out, const struct anim_input_part *part, const char *name,
			 const struct anim_input_options *options, struct anim_error *error)
{
	*out = new_input(name, options, error);
	if (*out == NULL)
		return -1;
	(*out)->source.part = *part;
	(*out)->source.size = part->size;
	(*out)->keep_gzip = true;
	return 0;
}

/* Return the position of the first byte of the window in a buffer that begins with it. */
static size_t front(const struct anim_input *input)
{
	return (size_t)(input->offset % ALIGNMENT);
}

/* Move the window into a buffer of another capacity. */
static int resize(struct anim_input *input, size_t capacity, struct anim_error *error)
{
	size_t held = input->end - input->start, to = front(input);
	size_t rounded = (capacity + ANIM_INPUT_SLACK + 63) / 64 * 64;
	uint8_t *data = anim_sys_aligned(rounded);

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

/*
 * Make room after the window for at least one byte. The window moves to the front of the buffer only when little room
 * is left, so that many small reads do not each move it.
 */
static int make_room(struct anim_input *input, size_t want, struct anim_error *error)
{
	size_t held = input->end - input->start, to = front(input), allowed, good;

	if (input->start > to &&
	    (input->capacity - input->start < want || input->capacity - input->end < WINDOW_SIZE / 2)) {
		memmove(input->data + to, input->data + input->start, held);
		input->start = to;
		input->end = to + held;
	}
	if (input->end < input->capacity)
		return 0;
	/* A full buffer gets the wanted size, or is doubled if that is little more than the present one. */
	allowed = 2 * (input->end - input->start) + ANIM_GROWTH_SLACK;
	good = want / 5 * 4 > input->capacity ? want : 2 * input->capacity;
	return resize(input, (good < allowed ? good : allowed) + to, error);
}

/* Shrink a large buffer when no large window was requested for a while. */
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
 * Read once into the room after the window. For a large piece, little more than it is read, because bytes read too
 * early would have to be moved for the next piece. Returns 1, 0 at the end, or -1.
 */
static int read_more(struct anim_input *input, size_t want, struct anim_error *error)
{
	struct byte_source *source = &input->source;
	size_t room = input->capacity - input->end, missing = want - (input->end - input->start);
	ssize_t count;

	if (want >= LARGE_PIECE && missing + READ_AHEAD < room)
		room = missing + READ_AHEAD;
	if (source->read_max != 0 && room > source->read_max)
		room = source->read_max;
	if (!input->started && room > GZIP_AHEAD - (input->end - input->start))
		room = GZIP_AHEAD - (input->end - input->start);
	if (input->gzip != NULL)
		count = gzip_read(input->gzip, input->data + input->end, room, error);
	else
		count = source_read(source, input->data + input->end, room, error);
	if (count < 0)
		return -1;
	input->at_end = count == 0;
	input->end += (size_t)count;
	return count > 0;
}

/* Find out from the first bytes whether the input is gzip. If so, the inflater starts with these bytes. */
static int begin(struct anim_input *input, struct anim_error *error)
{
	bool sure = false; /* false if more bytes are needed to decide */
	const uint8_t *bytes;
	size_t held;

	if (resize(input, WINDOW_SIZE, error) != 0)
		return -1;
	while (!sure && !input->at_end) {
		if (read_more(input, 2, error) < 0)
			return -1;
		held = input->end - input->start;
		bytes = input->data + input->start;
		input->was_gzip = held > 1 && bytes[0] == 0x1f && bytes[1] == 0x8b;
		sure = held > 1 || (held == 1 && bytes[0] != 0x1f);
	}
	input->started = true;
	if (!input->was_gzip || input->keep_gzip)
		return 0;
	input->gzip = gzip_new(&input->source, input->data + input->start, input->end - input->start, error);
	if (input->gzip == NULL)
		return -1;
	input->start = input->end = front(input);
	input->at_end = false;
	return 0;
}

/* Read until the window holds `want` bytes or the input ends. */
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

/* Store the error with its place, the end of the available bytes. */
static ssize_t fail(struct anim_input *input, struct anim_error *error)
{
	struct anim_error *failure = &input->failure;

	anim_error_in_file(failure, input->name);
	if (failure->code == ANIM_BAD_INPUT) {
		failure->at = ANIM_AT_BYTE;
		failure->offset = input->offset + (input->end - input->start);
		anim_input_name_error(input, failure);
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

uint64_t anim_input_pass(struct anim_input *input, uint64_t bytes)
{
	struct byte_source *source = &input->source;
	uint64_t held = input->end - input->start, ahead = bytes > held ? bytes - held : 0;
	uint64_t unread = source->size > source->taken ? source->size - source->taken : 0;

	/* A seek costs about as much as reading a window. */
	if (ahead > unread)
		ahead = unread;
	if (ahead < WINDOW_SIZE || !input->started || input->gzip != NULL || input->is_pipe || source->fd < 0 ||
	    lseek(source->fd, (off_t)ahead, SEEK_CUR) < 0)
		ahead = 0;
	held = bytes < held ? bytes : held;
	anim_input_skip(input, (size_t)held);
	if (ahead > 0) {
		source->taken += ahead;
		input->offset += ahead;
		input->start = input->end = front(input);
	}
	return held + ahead;
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
	return input->gzip == NULL ? 0 : input->gzip->members;
}

bool anim_input_was_gzip(const struct anim_input *input)
{
	return input->was_gzip;
}

int anim_input_descriptor(const struct anim_input *input)
{
	return input->source.fd;
}

int anim_input_name_error(const struct anim_input *input, struct anim_error *error)
{
	if (error == NULL || error->at != ANIM_AT_BYTE)
		return -1;
	anim_error_in_file(error, input->name);
	if (input->gzip != NULL && strncmp(error->file, input->name, sizeof error->file - 1) == 0)
		error->at = ANIM_AT_UNPACKED;
	return -1;
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
	if (input->gzip != NULL)
		inflateEnd(&input->gzip->zip);
	free(input->gzip);
	free(input->data);
	free(input->name);
	free(input);
}

/* ---- Text line by line ---- */

/* Get the window that includes the next line feed, or all remaining bytes. Returns its size, or -1. */
static ssize_t find_line(struct anim_lines *lines, const uint8_t **at, const uint8_t **feed, struct anim_error *error)
{
	size_t want = 1, searched = 0;

	for (;;) {
		ssize_t got = anim_input_peek(lines->input, want, at, error);

		*feed = NULL;
		if (got <= 0)
			return got;
		*feed = memchr(*at + searched, '\n', (size_t)got - searched);
		if (*feed != NULL || (size_t)got < want)
			return got;
		searched = (size_t)got;
		want = 2 * searched;
	}
}

int anim_lines_next(struct anim_lines *lines, struct anim_error *error)
{
	const uint8_t *at, *feed;
	ssize_t got;

	anim_input_skip(lines->input, lines->size);
	lines->size = 0;
	got = find_line(lines, &at, &feed, error);
	if (got <= 0)
		return (int)got;
	lines->is_whole = feed != NULL;
	lines->at = (const char *)at;
	lines->end = lines->is_whole ? (const char *)feed : lines->at + got;
	lines->size = (size_t)(lines->end - lines->at) + lines->is_whole;
	lines->number += lines->number < UINT32_MAX;
	return 1;
}

struct anim_place anim_lines_place(const struct anim_lines *lines, const char *at)
{
	size_t column = (size_t)(at - lines->at) + 1;

	return (struct anim_place){.file = anim_input_name(lines->input),
				   .at = ANIM_AT_LINE,
				   .line = lines->number,
				   .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX};
}
