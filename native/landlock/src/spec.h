/* What a cell is to be: the host's CellSpec, checked and copied. */
#ifndef SPEC_H
#define SPEC_H

#include "base.h"
#include "zap.h"

struct path_pair {
    char *source, *target;
};

enum { DEFAULT_DISK_BYTES = 1 << 30, DEFAULT_PROCESSES = 1024 };

struct limits {
    uint64_t memory, file, disk, cpu_seconds;
    uint32_t processes, files;
};

struct spec {
    char session[65];
    uint64_t epoch;
    uint8_t incarnation[16];
    char *workspace; /* all links resolved */
    bool writable;
    uint16_t required;
    bool has_ids;
    uid_t uid;
    gid_t gid;
    char *home, *tmp, *spool, *journal; /* tmp is "" for a tmpfs, journal "" for none */
    struct path_pair *read_only, *caches;
    uint32_t read_only_count, cache_count;
    char **env; /* NAME=VALUE */
    uint32_t env_count;
    struct limits limits;
    uint64_t grace_millis;
};

/* Reads and checks; on false *why says what is wrong. Free with spec_free in any case. */
bool spec_read(struct zap_obj cell_spec, struct spec *s, struct text *why);
void spec_free(struct spec *s);

/* spec_pack.c: as bytes, for another process of this binary; 0 when they are more than `cap`. */
size_t spec_pack(const struct spec *s, void *to, size_t cap);
bool spec_unpack(const void *from, size_t n, struct spec *s);

#endif
