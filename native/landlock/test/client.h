/* A small host for the tests: speaks to a real supervisor and to real cells. */
#ifndef CLIENT_H
#define CLIENT_H

#include "../src/base.h"
#include "../src/dev_zap.h"

extern bool is_plain; /* supervisors get no namespaces */
void refuse_namespaces(void);
extern const char *cell_binary, *probe_binary;
extern char scratch[256]; /* of this run; everything lies below it */

/* ---- supervisor ---- */

struct super {
    pid_t pid;
    int socket;
    char dir[300];
    uint8_t reply[ZAP_MAX];
    struct zap_obj last;
    uint64_t next;
};

struct super *super_start(const char *name);
uint16_t shared_level(void); /* CELL_LEVEL_* of this machine */
struct super *shared_super(void); /* for checks that leave it as it was */
void super_connect(struct super *s); /* another connection, the former is closed */
void super_kill(struct super *s);    /* as a crash would */
void super_stop(struct super *s);

/* What to spawn; all beneath scratch. */
struct want {
    const char *name;
    bool read_only;
    bool journal_is_full; /* as on a full disk */
    uint64_t epoch, grace_millis, disk;
    uint32_t processes;
    const char *ro_source, *ro_target, *cache_source, *cache_target;
    const char *env[8]; /* NAME, VALUE, … */
};

struct cell_end {
    int fd;
    uint64_t epoch, next_request, next_action, low_water;
    char workspace[400], journal[400];
    uint8_t reply[ZAP_MAX], hello[ZAP_MAX];
    struct zap_obj last;  /* CellReply */
    struct zap_obj first; /* the hello */
};

/* kind of the answer; the descriptor, or -1 */
uint16_t super_spawn(struct super *s, const struct want *w, struct cell_end *c);
uint16_t super_adopt(struct super *s, const char *session, uint64_t epoch, int *fd);
uint16_t super_network(struct super *s, const char *session, uint64_t epoch, int *fd);
uint16_t super_order(struct super *s, uint16_t op, const char *session, uint64_t epoch);
bool super_warm(struct super *s, uint32_t count); /* has that many cells ready, in a while */
bool super_hear(struct super *s, int millis); /* the next packet into last */

void bring_probe(struct cell_end *c); /* test/probe.c, as ./probe */
struct cell_end *cell_start(struct super *s, const struct want *w); /* or the test fails */

/* ---- cell ---- */

struct asked {
    struct zap_out w;
    uint32_t root;
    uint8_t bytes[ZAP_MAX];
};

/* Fills in envelope, digest included, and sends; answers the request number. */
void ask_begin(struct asked *a, struct cell_end *c, uint16_t op, uint64_t action);
uint64_t ask_send(struct asked *a, struct cell_end *c);
/* Waits for that number (0: any); sets last. */
bool hear(struct cell_end *c, uint64_t request, int millis);

struct result {
    bool is_refused;
    uint16_t code;
    char message[600];
    int exit, signal, ending;
    uint32_t left, reverted;
    char *out, *err; /* head and tail put together */
    uint64_t out_total, out_kept, elapsed;
    char denied[500]; /* names of the calls that were refused it, each between spaces */
};

struct how {
    uint32_t millis;
    const char *input, *cwd;
    bool keep;
    uint64_t action;
};

uint64_t exec_send(struct cell_end *c, const char *command, struct how how);
struct result exec_result(struct cell_end *c, uint64_t request);
struct result run(struct cell_end *c, const char *command);
struct result run_how(struct cell_end *c, const char *command, struct how how);

uint16_t code_of(struct cell_end *c); /* of last: 0 when not refused */
uint16_t try_write(struct cell_end *c, const char *path, const char *data);
uint16_t try_read(struct cell_end *c, const char *path, char *to, size_t cap);

/* ---- checks ---- */

extern int failures;
extern const char *current;
#define CHECK(what, ...)                                                                           \
    do {                                                                                           \
        if (!(what)) fail_at(__FILE__, __LINE__, #what, " " __VA_ARGS__);                            \
    } while (0)
void fail_at(const char *file, int line, const char *what, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

pid_t cell_pid(struct super *s, const char *session); /* outside view */
long resident_kib(pid_t pid);
int alive(const char *pattern); /* how many, seen from outside, have it in their command line */
bool eventually(bool (*holds)(void *), void *p, int millis);
void put_file(const char *path, const char *text);
char *get_file(const char *path);
char *fmt(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
