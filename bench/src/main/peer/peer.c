/* The native build in a process of its own: what the core costs with no host round it. Arguments
 * and answers as in peer.mjs, with libdev.so in place of dev.wasm. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SESSIONS = 16, PARTS = 7, TURN = 5 };

struct buffer { uint8_t *ptr; size_t len, cap; };
struct bytes { uint8_t *at; uint32_t length; };
struct script { struct bytes config, state, turn[TURN]; };

static int32_t (*dev_new)(const uint8_t *, int32_t, int64_t *);
static int32_t (*dev_restore)(const uint8_t *, int32_t, int64_t *);
static int32_t (*dev_step)(int64_t, const uint8_t *, int32_t, struct buffer *);
static int32_t (*dev_snapshot)(int64_t, struct buffer *);
static void (*dev_drop)(int64_t);
static void (*dev_free)(struct buffer *);

static void fail(const char *what)
{
	fprintf(stderr, "peer: %s failed\n", what);
	exit(1);
}

static void *symbol(void *library, const char *name)
{
	void *found = dlsym(library, name);
	if (!found)
		fail(name);
	return found;
}

static struct script load(const char *folder, const char *messages)
{
	static char path[4096];
	struct script script;
	struct bytes *parts[PARTS] = { &script.config, &script.state };
	snprintf(path, sizeof path, "%s/%s.script", folder, messages);
	FILE *file = fopen(path, "rb");
	if (!file)
		fail(path);
	for (int i = 0; i < TURN; i++)
		parts[2 + i] = &script.turn[i];
	for (int i = 0; i < PARTS; i++) {
		if (fread(&parts[i]->length, 4, 1, file) != 1)
			fail(path);
		parts[i]->at = malloc(parts[i]->length);
		if (fread(parts[i]->at, 1, parts[i]->length, file) != parts[i]->length)
			fail(path);
	}
	fclose(file);
	return script;
}

static int64_t now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int64_t made(int32_t (*make)(const uint8_t *, int32_t, int64_t *), struct bytes input)
{
	int64_t handle;
	if (make(input.at, (int32_t)input.length, &handle) != 0)
		fail("opening a session");
	return handle;
}

/* A host copies what it is given. */
static void take(struct buffer *out)
{
	uint8_t *copy = malloc(out->len);
	memcpy(copy, out->ptr, out->len);
	__asm__ volatile("" : : "r"(copy) : "memory");
	free(copy);
	dev_free(out);
}

static int64_t step(const struct script *script, long operations)
{
	int64_t nanos = 0, handles[SESSIONS];
	struct buffer out;
	for (long done = 0; done < operations; done += SESSIONS * TURN) {
		for (int i = 0; i < SESSIONS; i++)
			handles[i] = made(dev_restore, script->state);
		int64_t before = now();
		for (int i = 0; i < SESSIONS; i++)
			for (int e = 0; e < TURN; e++) {
				struct bytes event = script->turn[e];
				if (dev_step(handles[i], event.at, (int32_t)event.length, &out) != 0)
					fail("a step");
				take(&out);
			}
		nanos += now() - before;
		for (int i = 0; i < SESSIONS; i++)
			dev_drop(handles[i]);
	}
	return nanos;
}

static int64_t snapshot(const struct script *script, long operations)
{
	struct buffer out;
	int64_t handle = made(dev_restore, script->state), before = now();
	for (long i = 0; i < operations; i++) {
		if (dev_snapshot(handle, &out) != 0)
			fail("a snapshot");
		take(&out);
	}
	before = now() - before;
	dev_drop(handle);
	return before;
}

static int64_t opening(int32_t (*make)(const uint8_t *, int32_t, int64_t *), struct bytes input,
	long operations)
{
	int64_t before = now();
	for (long i = 0; i < operations; i++)
		dev_drop(made(make, input));
	return now() - before;
}

int main(int argc, char **argv)
{
	char measure[16], messages[16];
	long operations;
	void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
	if (!library)
		fail("loading the library");
	dev_new = symbol(library, "dev_new");
	dev_restore = symbol(library, "dev_restore");
	dev_step = symbol(library, "dev_step");
	dev_snapshot = symbol(library, "dev_snapshot");
	dev_drop = symbol(library, "dev_drop");
	dev_free = symbol(library, "dev_free");
	while (scanf("%15s %15s %ld", measure, messages, &operations) == 3) {
		struct script script = load(argv[2], messages);
		int64_t nanos = !strcmp(measure, "step") ? step(&script, operations)
			: !strcmp(measure, "snapshot") ? snapshot(&script, operations)
			: !strcmp(measure, "restore") ? opening(dev_restore, script.state, operations)
			: opening(dev_new, script.config, operations);
		printf("%ld\n", (long)nanos);
		fflush(stdout);
	}
	return 0;
}
