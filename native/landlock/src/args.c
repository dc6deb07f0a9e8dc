/* What a command is started with: arguments, environment, directory, standard input. */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "paths.h"
#include "run.h"

static bool refused(uint16_t *code, uint16_t value)
{
    *code = value;
    return false;
}

static bool has_nul(struct zap_run r) { return r.len && memchr(r.at, 0, r.len); }

static bool build_argv(struct zap_obj exec, struct command *c, struct text *why)
{
    struct zap_list l = cell_exec_argv(exec);
    struct zap_run line = cell_exec_command(exec);
    if ((l.count == 0) == (line.len == 0))
        return say(why, "exec takes either argv or a command line, and one of them");
    if (has_nul(line)) return say(why, "a command line cannot hold a NUL");
    c->argv = grab(sizeof *c->argv * (l.count + 4u));
    if (line.len) {
        c->argv[0] = copy_string("/bin/sh", 7);
        c->argv[1] = copy_string("-c", 2);
        c->argv[2] = copy_string(line.at, line.len);
        return true;
    }
    for (uint32_t i = 0; i < l.count; i++) {
        struct zap_run word = text_value(cell_exec_argv_at(l, i));
        if (has_nul(word)) return say(why, "an argument cannot hold a NUL");
        c->argv[i] = copy_string(word.at, word.len);
    }
    return *c->argv[0] || say(why, "argv[0] is empty");
}

/* Takes over `pair`, which is NAME=VALUE. */
static void set_env(struct command *c, char *pair)
{
    size_t n = strcspn(pair, "=") + 1, i = 0;
    while (c->env[i] && strncmp(c->env[i], pair, n) != 0) i++;
    free(c->env[i]);
    c->env[i] = pair;
}

/* Java asks neither HOME nor TMPDIR, and here the machine's own are out of reach. */
static void set_java(struct command *c, const struct cell *cell)
{
    char *home = join("JAVA_TOOL_OPTIONS=-Duser.home=", cell->spec->home);
    char *tmp = join(" -Djava.io.tmpdir=", cell->tmp);
    set_env(c, join(home, tmp));
    free(home);
    free(tmp);
}

static bool build_env(struct zap_obj exec, struct command *c, struct text *why)
{
    static const char *const preset[] = {
        "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "LANG=C.UTF-8",
        "TERM=dumb",
        "GIT_TERMINAL_PROMPT=0",
        "PAGER=cat",
        "GIT_PAGER=cat",
        "GIT_EDITOR=true",
    };
    const struct cell *cell = the_daemon.cell;
    struct zap_list l = cell_exec_env(exec);
    c->env = grab(sizeof *c->env * (COUNT(preset) + 5 + cell->spec->env_count + l.count));
    for (size_t i = 0; i < COUNT(preset); i++) set_env(c, copy_string(preset[i], strlen(preset[i])));
    set_env(c, join("HOME=", cell->spec->home));
    set_env(c, join("TMPDIR=", cell->tmp));
    set_env(c, join("WORKSPACE=", cell->spec->workspace));
    if (!has_namespaces(cell)) set_java(c, cell);
    for (uint32_t i = 0; i < cell->spec->env_count; i++)
        set_env(c, copy_string(cell->spec->env[i], strlen(cell->spec->env[i])));
    for (uint32_t i = 0; i < l.count; i++) {
        struct zap_obj v = cell_exec_env_at(l, i);
        struct zap_run name = env_var_name(v), value = env_var_value(v);
        if (!name.len || memchr(name.at, '=', name.len) || has_nul(name) || has_nul(value))
            return say(why, "an environment variable has an impossible name or value");
        char *pair = grab((size_t)name.len + value.len + 2);
        memcpy(pair, name.at, name.len);
        pair[name.len] = '=';
        if (value.len) memcpy(pair + name.len + 1, value.at, value.len);
        set_env(c, pair);
    }
    return true;
}

static bool build_stdin(struct zap_obj exec, struct command *c, uint16_t *code, struct text *why)
{
    struct zap_run data = cell_exec_stdin(exec);
    struct zap_obj staged = cell_exec_staged(exec);
    if (data.len && staged.buf)
        return say(why, "standard input is given twice") || refused(code, CELL_REFUSAL_INVALID);
    if (staged.buf) {
        int fd = stage_find(cell_staged_digest(staged), cell_staged_size_bytes(staged));
        c->in = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FD_FIRST_FREE);
        if (c->in >= 0 && lseek(c->in, 0, SEEK_SET) == 0) return true;
        return say(why, "standard input is not staged") || refused(code, CELL_REFUSAL_NOT_STAGED);
    }
    c->in = data.len ? memfd_create("stdin", MFD_CLOEXEC) : open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (c->in < 0 || (data.len && !write_all(c->in, data.at, data.len)) ||
        (data.len && lseek(c->in, 0, SEEK_SET) != 0))
        return say(why, "no standard input: %s", words_of(errno)) ||
               refused(code, CELL_REFUSAL_RESOURCES);
    return true;
}

/* The other end of what the host will type. */
static bool build_terminal(struct zap_obj exec, struct terminal *t, struct command *c, uint16_t *code,
                           struct text *why)
{
    struct zap_run data = cell_exec_stdin(exec);
    if (cell_exec_staged(exec).buf)
        return say(why, "what is spawned takes no staged input") || refused(code, CELL_REFUSAL_INVALID);
    if (!(t->is_pty ? pty_open(t) : pipe2(t->ends, O_CLOEXEC) == 0)) {
        *code = CELL_REFUSAL_RESOURCES;
        return say(why, "no terminal: %s", strerror(errno));
    }
    if (!t->is_pty) { /* a pipe's ends come the other way round */
        int read_end = t->ends[0];
        t->ends[0] = t->ends[1];
        t->ends[1] = read_end;
    }
    fcntl(t->ends[0], F_SETFL, O_NONBLOCK);
    c->is_pty = t->is_pty;
    c->in = fcntl(t->ends[1], F_DUPFD_CLOEXEC, FD_FIRST_FREE);
    if (t->is_pty) set_env(c, copy_string("TERM=xterm-256color", 19));
    if (c->in >= 0 && (!data.len || write(t->ends[0], data.at, data.len) == (ssize_t)data.len))
        return true;
    return say(why, "its first input does not fit: send it afterwards") ||
           refused(code, CELL_REFUSAL_INVALID);
}

bool command_build(const struct request *q, struct zap_obj exec, struct terminal *t,
                   struct command *c, uint16_t *code, struct text *why)
{
    (void)q;
    memset(c, 0, sizeof *c);
    c->dir = c->in = -1;
    *code = CELL_REFUSAL_INVALID;
    char dir[PATH_BYTES];
    if (!build_argv(exec, c, why) || !build_env(exec, c, why)) return false;
    if (!path_take(cell_exec_cwd(exec), dir, code, why)) return false;
    c->dir = open_beneath(the_daemon.cell->workspace, dir, O_PATH | O_DIRECTORY, 0,
                          RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS);
    if (c->dir < 0) {
        *code = refusal_of(errno);
        return say(why, "%.200s: %s", dir, words_of(errno));
    }
    if (t->is_spawn) return build_terminal(exec, t, c, code, why);
    return build_stdin(exec, c, code, why);
}

static void free_strings(char **s)
{
    for (size_t i = 0; s && s[i]; i++) free(s[i]);
    free(s);
}

void command_free(struct command *c)
{
    free_strings(c->argv);
    free_strings(c->env);
    free(c->script);
    c->argv = c->env = c->script = NULL;
    close_fd(&c->dir);
    close_fd(&c->in);
}
