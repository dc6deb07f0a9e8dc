/* The attacks: each as a command in a real cell, with a process of the same user outside as victim.
 * The table is in probes.table. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "checks.h"

struct probe {
    char number[8], verdict[8], told[24], command[400];
};

static bool read_probe(FILE *f, struct probe *p)
{
    char line[600];
    while (fgets(line, sizeof line, f)) {
        if (line[0] == '#') continue;
        line[strcspn(line, "\n")] = 0;
        return sscanf(line, "%7s %7s %23s %399[^\n]", p->number, p->verdict, p->told, p->command) == 4;
    }
    return false;
}

static pid_t victim(int listener)
{
    pid_t pid = fork();
    if (pid) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)listener;
    pause();
    _exit(0);
}

static int listen_on(int *port)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in {
        unsigned short family, port;
        unsigned address;
        char zero[8];
    } a = {AF_INET, 0, 0, {0}};
    socklen_t n = sizeof a;
    CHECK(bind(fd, (struct sockaddr *)&a, sizeof a) == 0 && listen(fd, 5) == 0);
    getsockname(fd, (struct sockaddr *)&a, &n);
    *port = (a.port & 255) << 8 | a.port >> 8;
    return fd;
}

static int listen_unix(const char *path, size_t abstract)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    if (abstract)
        memcpy(a.sun_path, path, abstract);
    else
        strcpy(a.sun_path, path);
    socklen_t n = abstract ? 2 + (socklen_t)abstract : sizeof a;
    CHECK(bind(fd, (struct sockaddr *)&a, n) == 0 && listen(fd, 5) == 0);
    return fd;
}

void attacks_are_denied_and_tools_are_not(void)
{
    struct super *s = shared_super();
    int port, count = 0;
    char *out = fmt("%s/outside", scratch);
    make_dirs(out, 0777);
    static const char *const files[] = {"secret", "own", "own2"};
    for (size_t i = 0; i < COUNT(files); i++) {
        put_file(fmt("%s/%s", out, files[i]), "canary-1f2e3d");
        chmod(fmt("%s/%s", out, files[i]), 0666);
    }
    CHECK(symlink("secret", fmt("%s/link", out)) == 0);
    put_file("/dev/shm/cell-check", "canary-1f2e3d");
    put_file("/tmp/othercell_tmp", "canary-1f2e3d");
    int shm = shmget(0x5a41, 4096, IPC_CREAT | 0666);
    setenv("CANARY", "canary-1f2e3d", 1);
    int secret = open(fmt("%s/secret", out), O_RDONLY);
    dup2(secret, 9);
    int tcp = listen_on(&port), un = listen_unix(fmt("%s/sock", out), 0);
    int ab = listen_unix("\0zaphost", 8);
    pid_t host = victim(tcp);

    cell_start(s, &(struct want){.name = "other"});
    struct cell_end *c = cell_start(s, &(struct want){.name = "attacked", .processes = 300});
    put_file(fmt("%s/attacked/secret", scratch), "canary-1f2e3d");
    put_file(fmt("%s/other/ws/f", scratch), "canary-1f2e3d");
    bring_probe(c);
    char *prefix = fmt("HOST=%d; OUT=%s; PORT=%d; ", host, out, port);
    struct probe p;
    FILE *table = fopen("test/probes.table", "re");
    CHECK(table != NULL, "run it in native/landlock");
    for (; table && read_probe(table, &p); count++) {
        bool is_allowed = strncmp(p.verdict, "yes", 3) == 0;
        if (strstr(p.verdict, "-ns") && shared_level() != CELL_LEVEL_NAMESPACES) continue;
        if (strstr(p.verdict, "-user") && shared_level() != CELL_LEVEL_NAMESPACES && geteuid() == 0) continue;
        struct result r = run_how(c, fmt("%s%s", prefix, p.command), (struct how){.millis = 30000});
        CHECK((r.exit == 0) == is_allowed, "#%s %s: exit %d signal %d ending %d %.300s%.300s%s",
              p.number, p.command, r.exit, r.signal, r.ending, r.out, r.err, r.message);
        CHECK(!strstr(r.out, "canary-1f2e3d") && !strstr(r.err, "canary-1f2e3d"), "#%s", p.number);
        char *star = strchr(p.told, '*');
        if (star) *star = 0;
        if (p.told[0] == '-' || (star && shared_level() != CELL_LEVEL_NAMESPACES)) continue;
        CHECK(strstr(r.denied, fmt(" %s ", p.told)) != NULL, "#%s: told%s", p.number, r.denied);
    }
    CHECK(table && fclose(table) == 0 && count > 100, "%d", count);
    CHECK(strcmp(get_file(fmt("%s/secret", out)), "canary-1f2e3d") == 0);
    struct stat st;
    CHECK(stat(fmt("%s/own", out), &st) == 0 && (shared_level() != CELL_LEVEL_NAMESPACES ||
                                                 (st.st_mode & 0777) == 0666));
    CHECK(run(c, "echo alive").exit == 0);
    printf("       %d probes\n", count);
    kill(host, SIGKILL);
    waitpid(host, NULL, 0);
    shmctl(shm, IPC_RMID, NULL);
    unlink("/dev/shm/cell-check");
    unlink("/tmp/othercell_tmp");
    close(tcp), close(un), close(ab), close(secret), close(9);
}

/* E5: what the service knows is found nowhere inside. */
void canaries_of_the_service_are_found_nowhere(void)
{
    setenv("CANARY", "canary-1f2e3d", 1);
    struct super *s = super_start("canary-s");
    struct cell_end *c = cell_start(s, &(struct want){.name = "canary"});
    struct result r = run_how(
        c,
        "cat /proc/[0-9]*/environ /proc/[0-9]*/cmdline /proc/[0-9]*/maps /proc/[0-9]*/task/*/environ"
        " /proc/keys /proc/net/unix /proc/self/mountinfo 2>/dev/null | grep -a -c -e canary-[1]f2e3d -e CANAR[Y];"
        "env | grep -c CANAR[Y]; ls -l /proc/[0-9]*/fd 2>/dev/null | grep -c -e socket -e journal",
        (struct how){.millis = 30000});
    CHECK(strcmp(r.out, "0\n0\n0\n") == 0, "%s", r.out);
    super_stop(s);
}

/* 133: a descriptor sent at the host does not arrive there. */
void a_cell_cannot_send_descriptors_to_its_host(void)
{
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "rights"});
    int off = -1;
    socklen_t n = sizeof off;
    if (getsockopt(c->fd, SOL_SOCKET, 83, &off, &n) != 0) return; /* before Linux 6.16 */
    CHECK(off == 0);
}

/* E2 */
void hooks_and_configuration_of_a_repository_cannot_be_changed(void)
{
    static const char *const tricks[] = {
        "echo evil > .git/hooks/post-checkout",
        "cp x .git/hooks/post-checkout",
        "ln x .git/hooks/h",
        "ln -s ../../x .git/hooks/s",
        "mv x .git/hooks/h",
        "mv .git/hooks .git/old",
        "rm -rf .git/hooks && test ! -e .git/hooks",
        "mv .git .git2",
        "mkdir g && mv -T g .git",
        "mkdir -p e && python3 -c 'import ctypes; exit(ctypes.CDLL(None).renameat2(-100,b\"e\",-100,b\".git\",2))'",
        "mkdir -p e && touch e/f && python3 -c 'import ctypes; exit(ctypes.CDLL(None).renameat2(-100,b\"e\",-100,b\".git/hooks\",2))'",
        "echo evil >> .git/config",
        "git config core.fsmonitor evil",
        "git config core.hooksPath .",
        "cp x .git/config.new && mv -f .git/config.new .git/config",
        "rm -f .git/config && test ! -e .git/config",
        "chmod 777 .git/config",
        "mount --bind e .git/hooks",
    };
    char *ws = fmt("%s/hooks/ws", scratch);
    make_dirs(ws, 0755);
    CHECK(system(fmt("cd %s && git init -q . && rm -rf .git/hooks && mkdir .git/hooks && git config user.name a && "
                     "git config user.email a@b && echo x > x && git add x && git commit -qm one",
                     ws)) == 0);
    char *before = get_file(fmt("%s/.git/config", ws));
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "hooks"});
    for (size_t i = 0; i < COUNT(tricks); i++) {
        struct result r = run(c, tricks[i]);
        bool is_mount = shared_level() == CELL_LEVEL_NAMESPACES;
        CHECK(!is_mount || r.exit != 0, "%s: %s", tricks[i], r.out);
        CHECK(is_mount || r.exit != 0 || r.reverted > 0, "%s: nothing was put back", tricks[i]);
        if (is_mount) continue;
        CHECK(run(c, "[ -d .git2 ] && rm -rf .git && mv .git2 .git; [ -d g/hooks ] && mv g x2; "
                     "[ -d e/hooks ] && rm -rf .git && mv e .git; true").exit == 0);
        CHECK(strcmp(before, get_file(fmt("%s/.git/config", ws))) == 0, "%s", tricks[i]);
        CHECK(system(fmt("[ -z \"$(ls -A %s/.git/hooks)\" ]", ws)) == 0, "%s", tricks[i]);
    }
    CHECK(try_write(c, ".git/hooks/pre-commit", "x") == CELL_REFUSAL_PROTECTED, "%d", code_of(c));
    CHECK(try_write(c, ".git/config", "x") == CELL_REFUSAL_PROTECTED, "%d", code_of(c));
    /* And yet the work goes on. */
    struct result r = run(c, "git checkout -q -- . && echo y > y && git add y && git commit -qm two && git checkout -qb b && "
                             "git stash list && git gc -q && git rebase -q HEAD~1 && git log --oneline | wc -l");
    CHECK(r.exit == 0 && strcmp(r.out, "2\n") == 0, "%s %s", r.out, r.err);
    CHECK(strcmp(before, get_file(fmt("%s/.git/config", ws))) == 0);
    CHECK(system(fmt("[ -z \"$(ls -A %s/.git/hooks)\" ]", ws)) == 0);
}
