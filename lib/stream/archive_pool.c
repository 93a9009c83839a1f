/* archive_pool.c: members of an archive: filled in order, deflated by several threads, written in order. */
#include "stream/columns.h"
#include "stream/members.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/system.h"

/* ---- Stretches: sequences of bytes, each with its best deflate method ---- */

int anim_stretches_add(struct anim_stretches *stretches, const struct anim_stretch *stretch, struct anim_error *error)
{
	size_t count = anim_stretches_count(stretches);
	struct anim_stretch *last = (struct anim_stretch *)(void *)stretches->items.data;

	if (stretch->size == 0)
		return 0;
	if (count > 0 && !stretch->begins_member && stretch->way != ANIM_DEFLATE_RUNS) {
		last += count - 1;
		if (last->way == stretch->way) {
			last->size += stretch->size;
			return 0;
		}
	}
	return anim_buffer_append(&stretches->items, stretch, sizeof *stretch, error);
}

size_t anim_stretches_count(const struct anim_stretches *stretches)
{
	return stretches->items.size / sizeof(struct anim_stretch);
}

const struct anim_stretch *anim_stretches_at(const struct anim_stretches *stretches, size_t i)
{
	return (const struct anim_stretch *)(const void *)stretches->items.data + i;
}

/* ---- One member ---- */

#define LEVEL_OF_REST 6 /* zlib's default */
/* Smaller members are fast at any level: small archives, the index of others. */
#define SMALL_MEMBER ((size_t)64 * 1024)
#define LEVEL_OF_SMALL 9
/*
 * From the deflate format: the length of a stored block has 16 bits and is stored twice after the byte that begins
 * the block.
 */
#define STORED_BLOCK_MOST 65535u
#define STORED_BLOCK_HEAD 5u
/* The size of a complete member in stored blocks. */
#define STORED_MOST (ANIM_MEMBER_MAX + (ANIM_MEMBER_MAX / STORED_BLOCK_MOST + 1) * STORED_BLOCK_HEAD)

struct anim_deflater {
	z_stream zip;
	int level;
	bool thorough;
	uint8_t *other;               /* STORED_MOST bytes for another attempt, if it is thorough */
	struct anim_stretches joined; /* the stretches of that attempt */
};

/* Each kind of stretches that a thorough deflater tries. */
enum attempt { AS_GIVEN, JOINED, ALL_MATCHES, ALL_FILTERED, ATTEMPTS };

int anim_member_init(struct anim_member *member, struct anim_error *error)
{
	memset(member, 0, sizeof *member);
	member->plain = malloc(ANIM_MEMBER_MAX);
	member->packed = malloc(ANIM_MEMBER_HEAD + STORED_MOST + ANIM_MEMBER_TAIL);
	return member->plain == NULL || member->packed == NULL ? anim_fail_memory(error) : 0;
}

void anim_member_clear(struct anim_member *member)
{
	free(member->plain);
	free(member->packed);
	anim_buffer_clear(&member->stretches.items);
	memset(member, 0, sizeof *member);
}

struct anim_deflater *anim_deflater_new(int level, struct anim_error *error)
{
	struct anim_deflater *deflater = calloc(1, sizeof *deflater);

	if (deflater == NULL || deflateInit2(&deflater->zip, level == 0 ? LEVEL_OF_REST : level, Z_DEFLATED, -MAX_WBITS,
					     MAX_MEM_LEVEL - 1, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(deflater);
		anim_fail_memory(error);
		return NULL;
	}
	deflater->level = level;
	return deflater;
}

void anim_deflater_free(struct anim_deflater *deflater)
{
	if (deflater != NULL) {
		deflateEnd(&deflater->zip);
		free(deflater->other);
		anim_buffer_clear(&deflater->joined.items);
	}
	free(deflater);
}

/*
 * Write the stretches of the member as one deflate stream to `to`, each with its own level and strategy, for which the
 * block of the bytes before it ends. Returns its size, or 0 if it is larger than `room`.
 */
static size_t deflate_stretches(struct anim_deflater *deflater, struct anim_member *member,
				const struct anim_stretches *stretches, uint8_t *to, size_t room)
{
	const size_t count = anim_stretches_count(stretches);
	z_stream *zip = &deflater->zip;
	int status = deflateReset(zip);

	zip->next_in = member->plain;
	zip->avail_in = 0;
	zip->next_out = to;
	zip->avail_out = (uInt)room;
	for (size_t i = 0; i < count && status == Z_OK; i++) {
		const struct anim_stretch *stretch = anim_stretches_at(stretches, i);
		int level = member->plain_size < SMALL_MEMBER ? LEVEL_OF_SMALL : LEVEL_OF_REST;
		int strategy = Z_DEFAULT_STRATEGY;

		if (deflater->level != 0)
			level = deflater->level;
		else if (stretch->way == ANIM_DEFLATE_RUNS)
			strategy = Z_RLE;
		if (stretch->way == ANIM_DEFLATE_FILTERED)
			strategy = Z_FILTERED;
		if (stretch->way == ANIM_DEFLATE_STORED)
			level = Z_NO_COMPRESSION;
		if (deflateParams(zip, level, strategy) != Z_OK)
			return 0;
		zip->avail_in = (uInt)stretch->size;
		status = deflate(zip, i + 1 == count ? Z_FINISH : Z_BLOCK);
		if (zip->avail_in != 0 || zip->avail_out == 0)
			return 0;
	}
	return status == Z_STREAM_END ? room - zip->avail_out : 0;
}

/* The same with stored blocks. */
static size_t store_plain(const struct anim_member *member, uint8_t *to)
{
	uint8_t *at = to;

	for (size_t done = 0; done < member->plain_size;) {
		size_t left = member->plain_size - done, size = left < STORED_BLOCK_MOST ? left : STORED_BLOCK_MOST;
		uint16_t length[2] = {(uint16_t)size, (uint16_t)~size};

		*at = size == left; /* marks the last block */
		memcpy(at + 1, length, sizeof length);
		memcpy(at + STORED_BLOCK_HEAD, member->plain + done, size);
		at += STORED_BLOCK_HEAD + size;
		done += size;
	}
	return (size_t)(at - to);
}

/* ---- Several attempts, of which the smallest counts ---- */

/* The estimated size of the description of the codes of a deflate block, in 1/1024 bits: a part, and for each byte value. */
#define CODES_BITS (1024u * 60)
#define CODE_BITS (1024u * 3)
#define SMALL_STRETCH 1024u /* heads and small columns: their repetitions count, not the distribution of their bytes */

static uint64_t block_bits(const struct anim_entropy *bytes, size_t size)
{
	uint64_t bits = CODES_BITS + anim_entropy_bits(bytes, (uint32_t)size);

	for (size_t i = 0; i < 256; i++)
		bits += bytes->count[i] != 0 ? CODE_BITS : 0;
	return bits;
}

/* A block of joined stretches. */
struct joined {
	struct anim_entropy bytes;
	struct anim_stretch stretch;
};

static bool join_gains(const struct joined *a, const struct joined *b)
{
	struct anim_entropy both = a->bytes;
	size_t size = a->stretch.size + b->stretch.size;

	if (a->stretch.way == ANIM_DEFLATE_STORED || b->stretch.way == ANIM_DEFLATE_STORED)
		return false;
	if (a->stretch.size < SMALL_STRETCH || b->stretch.size < SMALL_STRETCH)
		return true;
	for (size_t i = 0; i < 256; i++)
		both.count[i] += b->bytes.count[i];
	return block_bits(&both, size) <
	       block_bits(&a->bytes, a->stretch.size) + block_bits(&b->bytes, b->stretch.size);
}

/* Join neighbouring stretches if one block with common codes is smaller. Returns 0, or -1 if out of memory. */
static int join_stretches(struct anim_deflater *deflater, const struct anim_member *member)
{
	const uint8_t *at = member->plain;
	struct anim_buffer *items = &deflater->joined.items;
	struct joined last = {{{0}}, {0, 0, false}};

	items->size = 0;
	for (size_t i = 0; i < anim_stretches_count(&member->stretches); i++) {
		struct joined next = {{{0}}, *anim_stretches_at(&member->stretches, i)};

		for (size_t k = 0; k < next.stretch.size; k++)
			next.bytes.count[at[k]]++;
		at += next.stretch.size;
		if (i > 0 && join_gains(&last, &next)) {
			for (size_t k = 0; k < 256; k++)
				last.bytes.count[k] += next.bytes.count[k];
			last.stretch.size += next.stretch.size;
			if (last.stretch.way != next.stretch.way)
				last.stretch.way = ANIM_DEFLATE_FILTERED;
			continue;
		}
		if (i > 0 && anim_buffer_append(items, &last.stretch, sizeof last.stretch, NULL) != 0)
			return -1;
		last = next;
	}
	return anim_buffer_append(items, &last.stretch, sizeof last.stretch, NULL);
}

/* Deflate the member to `to` in the best way. Returns the size, or 0 if all are larger than `room`. */
static size_t deflate_best(struct anim_deflater *deflater, struct anim_member *member, uint8_t *to, size_t room)
{
	size_t best = deflate_stretches(deflater, member, &member->stretches, to, room);

	for (int attempt = AS_GIVEN + 1; deflater->thorough && attempt < ATTEMPTS; attempt++) {
		struct anim_stretch all = {member->plain_size, ANIM_DEFLATE_MATCHES, false};
		struct anim_buffer *items = &deflater->joined.items;
		size_t size, most = best > 0 ? best : room;

		if (attempt == ALL_FILTERED)
			all.way = ANIM_DEFLATE_FILTERED;
		items->size = 0;
		/* Without memory, the best attempt so far counts. */
		if (attempt == JOINED ? join_stretches(deflater, member) != 0
				      : anim_buffer_append(items, &all, sizeof all, NULL) != 0)
			break;
		size = deflate_stretches(deflater, member, &deflater->joined, deflater->other, most);
		if (size == 0 || (best > 0 && size >= best))
			continue;
		memcpy(to, deflater->other, size);
		best = size;
	}
	return best;
}

void anim_deflater_run(struct anim_deflater *deflater, struct anim_member *member)
{
	static const uint8_t head[ANIM_MEMBER_AX_AT] = {0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 0xff, 8, 0, 'A', 'X', 4, 0};
	uint8_t *data = member->packed + ANIM_MEMBER_HEAD;
	size_t stored = member->plain_size + (member->plain_size / STORED_BLOCK_MOST + 1) * STORED_BLOCK_HEAD;
	size_t size = deflate_best(deflater, member, data, stored);
	uint32_t less_one, tail[2] = {anim_crc32(0, member->plain, member->plain_size), (uint32_t)member->plain_size};

	if (size == 0)
		size = store_plain(member, data);
	memcpy(data + size, tail, sizeof tail);
	member->packed_size = ANIM_MEMBER_HEAD + size + ANIM_MEMBER_TAIL;
	less_one = (uint32_t)member->packed_size - 1;
	memcpy(member->packed, head, sizeof head);
	memcpy(member->packed + ANIM_MEMBER_AX_AT, &less_one, sizeof less_one);
}

/* ---- Several members at a time ---- */

struct pool_slot {
	struct anim_member member;
	bool is_done; /* deflated, ready to be written */
};

/* The start of a member. */
struct member_start {
	uint64_t file, plain;
};

/*
 * The members form a ring. Counters record the progress of each step: written <= taken <= submitted, all under the
 * lock. The caller's thread fills and writes members, and also deflates when it has nothing else to do.
 */
struct anim_member_pool {
	struct anim_output *output;
	pthread_mutex_t lock;
	pthread_cond_t work, done; /* a member was submitted; a member was deflated */
	bool has_lock, stop;
	size_t slot_count;
	struct pool_slot *slots;
	uint64_t submitted, taken, written;
	struct anim_deflater *own; /* of the caller's thread */
	size_t thread_count;
	struct pool_worker *workers;
	struct anim_buffer starts; /* struct member_start of each written member */
	struct member_start next;
};

struct pool_worker {
	pthread_t thread;
	struct anim_member_pool *pool;
	struct anim_deflater *deflater;
};

static struct pool_slot *slot_at(struct anim_member_pool *pool, uint64_t number)
{
	return &pool->slots[number % pool->slot_count];
}

/* Deflate the next member. The lock is held on entry and on return. */
static void deflate_next(struct anim_member_pool *pool, struct anim_deflater *deflater)
{
	struct pool_slot *slot = slot_at(pool, pool->taken++);

	pthread_mutex_unlock(&pool->lock);
	anim_deflater_run(deflater, &slot->member);
	pthread_mutex_lock(&pool->lock);
	slot->is_done = true;
}

static void *work(void *context)
{
	struct pool_worker *worker = context;
	struct anim_member_pool *pool = worker->pool;

	pthread_mutex_lock(&pool->lock);
	while (!pool->stop) {
		if (pool->taken == pool->submitted) {
			pthread_cond_wait(&pool->work, &pool->lock);
			continue;
		}
		deflate_next(pool, worker->deflater);
		pthread_cond_signal(&pool->done);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

/* Signals are delivered to the caller's thread. One thread less is not a failure. */
static int start_workers(struct anim_member_pool *pool, unsigned count, int level, struct anim_error *error)
{
	struct anim_signals before;

	pool->workers = calloc(count + 1, sizeof *pool->workers);
	if (pool->workers == NULL)
		return anim_fail_memory(error);
	anim_sys_hold_signals(&before);
	for (unsigned i = 0; i < count; i++) {
		struct pool_worker *worker = &pool->workers[pool->thread_count];

		worker->pool = pool;
		worker->deflater = anim_deflater_new(level, NULL);
		if (worker->deflater == NULL)
			break;
		if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
			anim_deflater_free(worker->deflater);
			break;
		}
		pool->thread_count++;
	}
	anim_sys_release_signals(&before);
	return 0;
}

static int make_slots(struct anim_member_pool *pool, unsigned jobs, struct anim_error *error)
{
	size_t count = jobs == 1 ? 1 : 2 * (size_t)jobs;

	pool->slots = calloc(count, sizeof *pool->slots);
	if (pool->slots == NULL)
		return anim_fail_memory(error);
	for (; pool->slot_count < count; pool->slot_count++)
		if (anim_member_init(&pool->slots[pool->slot_count].member, error) != 0) {
			anim_member_clear(&pool->slots[pool->slot_count].member);
			return -1;
		}
	return 0;
}

static int make_lock(struct anim_member_pool *pool, struct anim_error *error)
{
	if (pthread_mutex_init(&pool->lock, NULL) != 0)
		return anim_fail_memory(error);
	if (pthread_cond_init(&pool->work, NULL) != 0) {
		pthread_mutex_destroy(&pool->lock);
		return anim_fail_memory(error);
	}
	if (pthread_cond_init(&pool->done, NULL) != 0) {
		pthread_cond_destroy(&pool->work);
		pthread_mutex_destroy(&pool->lock);
		return anim_fail_memory(error);
	}
	pool->has_lock = true;
	return 0;
}

struct anim_member_pool *anim_member_pool_new(struct anim_output *output, unsigned jobs, int level,
					      struct anim_error *error)
{
	struct anim_member_pool *pool = anim_zeroed(sizeof *pool, error);

	if (pool == NULL)
		return NULL;
	pool->output = output;
	pool->next.file = anim_output_offset(output);
	if (make_lock(pool, error) != 0 || make_slots(pool, jobs, error) != 0 ||
	    (pool->own = anim_deflater_new(level, error)) == NULL || start_workers(pool, jobs - 1, level, error) != 0) {
		anim_member_pool_free(pool);
		return NULL;
	}
	return pool;
}

int anim_deflater_thorough(struct anim_deflater *deflater, struct anim_error *error)
{
	deflater->other = malloc(STORED_MOST);
	deflater->thorough = deflater->other != NULL;
	return deflater->thorough ? 0 : anim_fail_memory(error);
}

int anim_member_pool_thorough(struct anim_member_pool *pool, struct anim_error *error)
{
	int status = anim_deflater_thorough(pool->own, error);

	for (size_t i = 0; i < pool->thread_count && status == 0; i++)
		status = anim_deflater_thorough(pool->workers[i].deflater, error);
	return status;
}

void anim_member_pool_free(struct anim_member_pool *pool)
{
	if (pool == NULL)
		return;
	if (pool->has_lock) {
		pthread_mutex_lock(&pool->lock);
		pool->stop = true;
		pthread_cond_broadcast(&pool->work);
		pthread_mutex_unlock(&pool->lock);
	}
	for (size_t i = 0; i < pool->thread_count; i++) {
		pthread_join(pool->workers[i].thread, NULL);
		anim_deflater_free(pool->workers[i].deflater);
	}
	if (pool->has_lock) {
		pthread_cond_destroy(&pool->work);
		pthread_cond_destroy(&pool->done);
		pthread_mutex_destroy(&pool->lock);
	}
	for (size_t i = 0; i < pool->slot_count; i++)
		anim_member_clear(&pool->slots[i].member);
	anim_deflater_free(pool->own);
	anim_buffer_clear(&pool->starts);
	free(pool->workers);
	free(pool->slots);
	free(pool);
}

struct anim_member *anim_member_pool_current(struct anim_member_pool *pool)
{
	return &slot_at(pool, pool->submitted)->member;
}

/* Write the oldest member, which is deflated, and empty its slot. The lock is held on entry and on return. */
static int write_oldest(struct anim_member_pool *pool, struct anim_error *error)
{
	struct pool_slot *slot = slot_at(pool, pool->written);
	struct anim_member *member = &slot->member;
	int status;

	pthread_mutex_unlock(&pool->lock);
	status = anim_buffer_append(&pool->starts, &pool->next, sizeof pool->next, error);
	if (status == 0)
		status = anim_output_write(pool->output, member->packed, member->packed_size, error);
	pool->next.file += member->packed_size;
	pool->next.plain += member->plain_size;
	member->plain_size = 0;
	member->stretches.items.size = 0;
	pthread_mutex_lock(&pool->lock);
	slot->is_done = false;
	pool->written++;
	return status;
}

/* Work until at most `most` members are unfinished. The lock is held. */
static int drain(struct anim_member_pool *pool, uint64_t most, struct anim_error *error)
{
	int status = 0;

	while (status == 0 && pool->submitted > pool->written) {
		if (slot_at(pool, pool->written)->is_done)
			status = write_oldest(pool, error);
		else if (pool->submitted - pool->written <= most)
			break;
		else if (pool->taken < pool->submitted)
			deflate_next(pool, pool->own);
		else
			pthread_cond_wait(&pool->done, &pool->lock);
	}
	return status;
}

int anim_member_pool_submit(struct anim_member_pool *pool, struct anim_error *error)
{
	int status;

	pthread_mutex_lock(&pool->lock);
	pool->submitted++;
	pthread_cond_signal(&pool->work);
	status = drain(pool, pool->slot_count - 1, error);
	pthread_mutex_unlock(&pool->lock);
	return status;
}

int anim_member_pool_finish(struct anim_member_pool *pool, struct anim_error *error)
{
	int status;

	pthread_mutex_lock(&pool->lock);
	status = drain(pool, 0, error);
	pthread_mutex_unlock(&pool->lock);
	return status;
}

struct anim_archive_place anim_member_pool_place(const struct anim_member_pool *pool, uint64_t offset)
{
	const struct member_start *starts = (const struct member_start *)(const void *)pool->starts.data;
	size_t low = 0, high = pool->starts.size / sizeof *starts;

	if (offset >= pool->next.plain)
		return (struct anim_archive_place){pool->next.file, (uint32_t)(offset - pool->next.plain)};
	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (starts[middle].plain <= offset)
			low = middle;
		else
			high = middle;
	}
	return (struct anim_archive_place){starts[low].file, (uint32_t)(offset - starts[low].plain)};
}
