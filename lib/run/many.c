/* many.c: converts many files with several threads, each file in a call of its own. */
#include "run/many.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/count.h"
#include "base/system.h"
#include "base/text.h"
#include "cli/each.h"
#include "run/run.h"

/* As large as the stack of a program. Some C libraries give a thread much less. */
#define STACK_SIZE ((size_t)8 << 20)

/* The conversion of a file. */
struct job {
	struct cli_host host; /* receives its messages */
	const struct folder_file *file;
	struct anim_buffer pipe; /* the line of --verbose or --dry-run */
	struct anim_buffer text; /* its messages, each with its newline */
	bool is_finished, is_there, is_done;
	bool has_several; /* clips, for a file of one clip */
	bool has_failed;  /* for a reason that ends the whole run, pool.error */
};

struct pool {
	struct many *many;
	struct job *jobs;
	pthread_mutex_t lock;    /* of all below, and of the results of jobs */
	pthread_cond_t finished; /* a job is finished */
	size_t next;             /* the next job, or the number of jobs if none is left */
	struct anim_buffer made; /* folders that were made */
	struct anim_error error; /* the first of has_failed */
};

/*
 * Make the options and the operand that convert a file, from the options of this run except the options for the whole run.
 * `each`: one file per clip, with this pattern (otherwise NULL). The list ends with an empty argument.
 */
static void make_arguments(const struct many *many, const struct folder_file *file, const char *each,
			   struct cli_argument *list)
{
	static const char *const apart[] = {"output", "no-clobber", "quiet", "require", "jobs", "list"};
	const struct cli *cli = many->cli;

	for (size_t i = 0; i < cli->given_count; i++) {
		const struct cli_given *given = &cli->given[i];

		if (!anim_text_is_one_of(given->row->name, apart, ANIM_COUNT(apart)) &&
		    !(each != NULL && strcmp(given->row->name, "backup") == 0))
			*list++ = (struct cli_argument){given->row->name, given->value};
	}
	*list++ = (struct cli_argument){"output", each != NULL ? each : file->out};
	*list++ = (struct cli_argument){"require", NULL};
	if (!many->prints_notes) /* the notes on many files would hide the errors */
		*list++ = (struct cli_argument){"quiet", NULL};
	*list = (struct cli_argument){NULL, file->in};
}

/* ---- A file ---- */

/* Keep a message as the program prints it. Without memory it is lost. */
static void keep(struct cli_host *host, const char *program, const struct anim_diagnostic *item,
		 const struct anim_error *place, const char *text)
{
	struct job *job = (struct job *)host;
	struct anim_error ignored = {0};

	(void)item;
	job->has_several = job->has_several || (place != NULL && place->code == ANIM_SEVERAL);
	if (anim_buffer_append_text(&job->text, program, &ignored) == 0 &&
	    anim_buffer_append_text(&job->text, ": ", &ignored) == 0 &&
	    anim_buffer_append_text(&job->text, text, &ignored) == 0)
		(void)anim_buffer_append_text(&job->text, "\n", &ignored);
}

static void keep_pipe(struct cli_host *host, const char *line)
{
	struct anim_error ignored = {0};

	(void)anim_buffer_append_text(&((struct job *)host)->pipe, line, &ignored);
}

static bool convert_one(const struct many *many, struct job *job, bool each)
{
	char pattern[ANIM_PATH_MAX];
	struct anim_error error = {0};
	/* Four are added, and an empty one ends the list. */
	struct cli_argument *list = anim_zeroed((many->cli->given_count + 5) * sizeof *list, &error);
	bool done = false;

	snprintf(pattern, sizeof pattern, "%s/%%c%s", job->file->folder, strrchr(job->file->out, '.'));
	if (list != NULL) {
		make_arguments(many, job->file, each ? pattern : NULL, list);
		done = run_convert(&job->host, list) == 0;
	} else
		keep(&job->host, many->cli->program->name, NULL, NULL, error.message);
	free(list);
	return done;
}

static void clear(struct job *job)
{
	anim_buffer_clear(&job->text);
	anim_buffer_clear(&job->pipe);
}

/* Print the messages about a file: all of them, or if it was left out the first, which says why, in a line with its name. */
static void show(const struct many *many, const struct job *job)
{
	const char *at = (const char *)job->text.data, *end = at + job->text.size;
	char in[ANIM_LINE_MAX]; /* as messages name it */

	(void)anim_text_safe(in, sizeof in, job->file->in, strlen(job->file->in));
	if (job->pipe.size > 0)
		fwrite(job->pipe.data, 1, job->pipe.size, cli_was_given(many->cli, "dry-run") ? stdout : stderr);
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at)), *why = strstr(at, ": ");
		size_t length = (size_t)(stop - at) + 1;
		bool is_warning = false, is_named = job->is_done;

		for (const char *k = at; k < stop; k++) {
			is_named = is_named || strncmp(k, in, strlen(in)) == 0;
			is_warning = is_warning || strncmp(k, "warning: ", strlen("warning: ")) == 0;
		}
		if (is_named || why == NULL || why > stop)
			fwrite(at, 1, length, stderr);
		else
			fprintf(stderr, "%s: %s: %.*s", many->cli->program->name, in, (int)(stop - why - 1), why + 2);
		if (!job->is_done && !is_warning)
			break;
		at = stop + 1;
	}
}

/* Return whether a link in the folder of the outputs leads out of it, on the way to an output. The message names the link. */
static bool leads_out(const struct many *many, struct job *job, const char *out)
{
	const char *slash = out + strlen(many->folder);
	char *root = anim_sys_real_path(many->folder), path[ANIM_PATH_MAX];
	bool is_outside = false;

	while (slash != NULL && root != NULL && !is_outside) {
		struct anim_stat info;
		size_t length;
		char *real;

		slash = strchr(slash + 1, '/');
		snprintf(path, sizeof path, "%.*s", (int)(slash == NULL ? strlen(out) : (size_t)(slash - out)), out);
		if (anim_sys_lstat(path, &info) != 0)
			break;
		if (info.kind != ANIM_LINK)
			continue;
		length = strlen(root);
		real = anim_sys_real_path(path);
		is_outside = real == NULL || strncmp(real, root, length) != 0 || real[length] != '/';
		free(real);
	}
	free(root);
	if (is_outside) {
		char line[ANIM_LINE_MAX], safe[ANIM_LINE_MAX];

		snprintf(line, sizeof line, "%.300s: the output '%.300s' is a link that leads out of '%.300s'",
			 job->file->in, path, many->folder);
		(void)anim_text_safe(safe, sizeof safe, line, strlen(line));
		keep(&job->host, many->cli->program->name, NULL, NULL, safe);
	}
	return is_outside;
}

/* The same for the folder of a file with several clips, and for the existing clips in it. */
static bool folder_leads_out(const struct many *many, struct job *job)
{
	const char *folder = job->file->folder, *suffix = strrchr(job->file->out, '.');
	struct anim_error error = {0};
	struct anim_arena arena = {0};
	struct anim_buffer names = {0};
	struct anim_folder *opened;
	const char *const *name;
	bool is_outside = leads_out(many, job, folder);
	int sys;

	if (is_outside || (opened = anim_folder_open(folder, true)) == NULL)
		return is_outside;
	if (anim_folder_names(opened, &arena, &names, &sys, &error) != 0) {
		keep(&job->host, many->cli->program->name, NULL, NULL, error.message);
		is_outside = true;
	}
	name = (const char *const *)(const void *)names.data;
	for (size_t i = 0; i < names.size / sizeof *name && !is_outside; i++) {
		char path[ANIM_PATH_MAX];

		snprintf(path, sizeof path, "%s/%s", folder, name[i]);
		is_outside = anim_text_ends(name[i], suffix) && leads_out(many, job, path);
	}
	anim_folder_close(opened);
	anim_buffer_clear(&names);
	anim_arena_clear(&arena);
	return is_outside;
}

/* ---- The threads ---- */

/*
 * Make the folder of the next output and convert its file. Returns false if none is left. The lock is held, but not while
 * the file is converted.
 */
static bool do_next(struct pool *pool)
{
	struct many *many = pool->many;
	bool is_left_out;
	struct job *job;

	if (pool->next == many->count)
		return false;
	job = &pool->jobs[pool->next++];
	job->is_there =
	    many->keeps_there && (anim_sys_may(job->file->out, ANIM_EXISTS) || anim_is_folder(job->file->folder));
	is_left_out = !job->is_there && leads_out(many, job, job->file->out);
	if (!job->is_there && !is_left_out && !cli_was_given(many->cli, "dry-run"))
		job->has_failed = cli_make_folders(&pool->made, job->file->out, &pool->error) != 0;
	if (job->has_failed) {
		pool->next = many->count;
	} else if (!job->is_there && !is_left_out) {
		pthread_mutex_unlock(&pool->lock);
		job->is_done = convert_one(many, job, false);
		/* A format of one clip gets one file, or a folder with a file for each of several clips. */
		if (!job->is_done && !many->holds_many && job->has_several) {
			job->text.size = job->pipe.size = 0;
			job->is_done = !folder_leads_out(many, job) && convert_one(many, job, true);
		}
		pthread_mutex_lock(&pool->lock);
	}
	job->is_finished = true;
	pthread_cond_signal(&pool->finished);
	return true;
}

static void *work(void *context)
{
	struct pool *pool = context;

	pthread_mutex_lock(&pool->lock);
	while (do_next(pool))
		;
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Start threads. Returns how many there are. A signal ends the program from its first thread. */
static unsigned start(struct pool *pool, pthread_t *threads, unsigned count)
{
	struct anim_signals before;
	pthread_attr_t attributes;
	unsigned started = 0;

	if (count < 2 || pthread_attr_init(&attributes) != 0)
		return 0;
	(void)pthread_attr_setstacksize(&attributes, STACK_SIZE);
	anim_sys_hold_signals(&before);
	while (started < count && pthread_create(&threads[started], &attributes, work, pool) == 0)
		started++;
	anim_sys_release_signals(&before);
	(void)pthread_attr_destroy(&attributes);
	return started;
}

int many_convert(struct many *many, struct anim_error *error)
{
	struct pool pool = {.many = many, .lock = PTHREAD_MUTEX_INITIALIZER, .finished = PTHREAD_COND_INITIALIZER};
	unsigned wanted = many->count < many->jobs ? (unsigned)many->count : many->jobs, count;
	pthread_t threads[MANY_JOBS_MAX];
	bool has_failed = false;

	pool.jobs = anim_zeroed((many->count + 1) * sizeof *pool.jobs, error);
	if (pool.jobs == NULL)
		return -1;
	for (size_t i = 0; i < many->count; i++)
		pool.jobs[i] = (struct job){.host = {.message = keep, .show_pipe = keep_pipe}, .file = &many->files[i]};
	count = start(&pool, threads, wanted);
	pthread_mutex_lock(&pool.lock);
	cli_progress_files(many->cli, 0, many->count);
	/* The results are printed in the order of the files. Without other threads, this one also does the jobs. */
	for (size_t i = 0; i < many->count && !has_failed; i++) {
		struct job *job = &pool.jobs[i];

		while (!job->is_finished && (count > 0 || do_next(&pool)))
			if (count > 0)
				pthread_cond_wait(&pool.finished, &pool.lock);
		pthread_mutex_unlock(&pool.lock);
		many->done += job->is_done;
		many->there += job->is_there;
		if (job->text.size > 0 || job->pipe.size > 0)
			cli_progress_clear(many->cli);
		show(many, job);
		clear(job);
		cli_progress_files(many->cli, i + 1, many->count);
		has_failed = job->has_failed;
		pthread_mutex_lock(&pool.lock);
	}
	pool.next = many->count;
	pthread_mutex_unlock(&pool.lock);
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	for (size_t i = 0; i < many->count; i++)
		clear(&pool.jobs[i]);
	cli_remove_folders(&pool.made); /* folders without an output */
	anim_buffer_clear(&pool.made);
	free(pool.jobs);
	if (has_failed)
		*error = pool.error;
	return has_failed ? -1 : 0;
}
