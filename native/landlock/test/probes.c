/* The attacks: each as a command in a real cell, with a process of the same user outside as victim.
 * `no`: it must be denied. `yes`: it must work, for tools need it. A name instead of a number is of
 * a probe that has none in the table of docs/cell.md. */
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

enum { NO, YES, NO_NAMESPACES_ONLY, YES_NAMESPACES_ONLY };

/* $HOST is the victim's number outside, $OUT a directory of files outside. */
static const struct {
    const char *number, *command;
    int verdict;
} table[] = {
    {"1", "cat /proc/$HOST/environ", NO},
    {"2", "cat /proc/$PPID/environ /proc/1/environ", NO},
    {"3", "head -c1 /proc/$HOST/mem", NO},
    {"4", "./probe process_vm $HOST", NO},
    {"5", "cat /proc/$HOST/root$OUT/secret", NO},
    {"6", "cat /proc/$HOST/fd/9", NO},
    {"7", "readlink /proc/$HOST/cwd", NO},
    {"8", "cat /proc/$HOST/cmdline", NO},
    {"9", "cat /proc/$HOST/maps", NO},
    {"10", "ls /proc | grep -x $HOST", NO},
    {"11", "./probe seize $HOST", NO},
    {"12", "./probe getfd $HOST", NO},
    {"13", "./probe pidfd_signal $HOST", NO},
    {"14", "./probe kill0 $HOST", NO},
    {"15", "./probe kill_urg $HOST", NO},
    {"16", "./probe compare $HOST", NO},
    {"20", "cat $OUT/secret", NO},
    {"21", ": >> $OUT/secret", NO},
    {"22", "touch $OUT/new", NO},
    {"23", "ls $OUT", NO},
    {"24", "ln -s $OUT/secret sl; cat sl", NO},
    {"25", "ln $OUT/secret hl", NO},
    {"26", "touch f; mv f $OUT/f", NO},
    {"27", "cat ../secret", NO},
    {"28", "cat /proc/self/root$OUT/secret", NO},
    {"29", "cat /proc/self/cwd/../secret", NO},
    {"31", "stat $OUT/secret", NO_NAMESPACES_ONLY},
    {"32", "chmod 777 $OUT/own", NO_NAMESPACES_ONLY},
    {"33", "touch -d @0 $OUT/own", NO_NAMESPACES_ONLY},
    {"34", "setfattr -n user.x $OUT/own || python3 -c 'import os;os.setxattr(\"'$OUT'/own\",\"user.x\",b\"\")'",
     NO_NAMESPACES_ONLY},
    {"35", "truncate -s0 $OUT/own", NO},
    {"36", "rm $OUT/own2", NO_NAMESPACES_ONLY},
    {"37", "cd $OUT", NO_NAMESPACES_ONLY},
    {"38", "readlink $OUT/link", NO_NAMESPACES_ONLY},
    {"40", "touch /usr/local/bin/evil", NO},
    {"41", "cat /etc/hostname", NO},
    {"41a", "cat /etc/shadow || ls /etc/ssl/private /etc/ssh || ls /root/.ssh", NO},
    {"42", "cat $OUT/../other/ws/f", NO},
    {"43", "cat /tmp/othercell_tmp", NO},
    {"44", "cat /dev/shm/cell-check", NO},
    {"45", "./probe shm", NO},
    {"46", "./probe descriptors", NO},
    {"49", "python3 -c 'open(\"/proc/self/exe\",\"ab\")'", NO},
    {"50", "bash -c '</dev/tcp/127.0.0.1/'$PORT", NO},
    {"51", "bash -c '</dev/tcp/::1/'$PORT", NO},
    {"54", "./probe raw4", NO},
    {"56", "./probe packet", NO},
    {"58", "./probe vsock", NO},
    {"59", "./probe alg", NO},
    {"60", "python3 -c 'import socket as s;s.socket(s.AF_UNIX).connect(\"'$OUT'/sock\")'", NO},
    {"61", "./probe abstract", NO},
    {"70", "./probe mount_", NO},
    {"71", "./probe fsopen_", NO},
    {"72", "./probe open_tree_", NO},
    {"73", "./probe unshare_user || unshare -U true", NO},
    {"74", "./probe clone_user", NO},
    {"75", "./probe clone3_", NO},
    {"76", "./probe unshare_net", NO},
    {"77", "nsenter -m -t $HOST true", NO},
    {"78", "./probe chroot_", NO},
    {"79", "./probe pivot", NO},
    {"80", "./probe bpf_", NO},
    {"81", "./probe perf", NO},
    {"82", "./probe uffd", NO},
    {"83", "./probe uring", NO},
    {"84", "./probe add_key", NO},
    {"85", "./probe key_session", NO},
    {"86", "./probe request_key", NO},
    {"87", "./probe kexec", NO},
    {"88", "./probe module", NO},
    {"89", "./probe ioperm_", NO},
    {"90", "./probe reboot_", NO},
    {"91", "./probe set_time", NO},
    {"92", "./probe host_name", NO},
    {"93", "./probe dmesg", NO},
    {"94", "./probe fanotify", NO},
    {"95", "./probe by_handle", NO},
    {"96", "./probe ldt", NO},
    {"97", "./probe secret", NO},
    {"98", "setarch -R true", YES},
    {"99", "./probe splice_", NO},
    {"100", "cp /usr/bin/id s; chmod 4755 s; ./s -u | grep -v $(id -u)", NO},
    {"101", "./probe privs", NO},
    {"102", "./probe sti", NO},
    {"103", "./probe int80", NO},
    {"104", "./probe x32", NO},
    {"105", "./probe block || ./probe whiteout", NO},
    {"106", "mkfifo ff", YES},
    {"107", "./probe memfd_exec", YES},
    {"108", "./probe own_child", YES},
    {"110", "./probe nice_", NO},
    {"111", "./probe fifo_class", NO},
    {"112", "./probe raise_limit", NO},
    {"113", "echo -1000 > /proc/self/oom_score_adj", NO},
    {"114", "echo x > /proc/sys/kernel/core_pattern", NO},
    {"115", "echo h > /proc/sysrq-trigger", NO},
    {"116", "head -c1 /dev/mem", NO},
    {"117", "head -c1 /dev/vda", NO},
    {"118", "head -c1 /dev/kmsg", NO},
    {"119", ": < /dev/fuse", NO},
    {"120", ": < /dev/kvm", NO},
    {"121", "echo $$ > /sys/fs/cgroup/cgroup.procs", NO},
    {"122", "ls /sys", NO},
    {"123", "bash -c 'ulimit -c unlimited; kill -ABRT $$'; ls core*", NO},
    {"124", "./probe many_files", NO},
    {"125", "./probe bomb", NO},
    {"127", "head -c 5G /dev/zero > big", NO},
    {"128", "rm -f big; echo x > /tmp/x && echo x > $TMPDIR/y && echo x > $HOME/z", YES_NAMESPACES_ONLY},
    {"131a", "./probe kill_daemon; ./probe stop_daemon; false", NO},
    {"131b", "timeout 5 strace -p 1 -o /dev/null || ls /proc/1/fd", NO},
    {"131c", "ls -d /proc/1", NO_NAMESPACES_ONLY},
    {"132", "./probe seize 1 || ./probe process_vm 1 || ./probe getfd 1", NO},
    {"139", "d=a; for i in $(seq 200); do mkdir $d && cd $d || exit 1; done; touch $(printf 'n%.0s' $(seq 255))",
     YES},
    {"141", "i=0; cd /dev/shm && seq 300000 | xargs touch", NO_NAMESPACES_ONLY},
};

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
    for (size_t i = 0; i < COUNT(table); i++, count++) {
        bool is_allowed = table[i].verdict == YES || table[i].verdict == YES_NAMESPACES_ONLY;
        bool has_both = table[i].verdict == YES || table[i].verdict == NO;
        if (!has_both && shared_level() != CELL_LEVEL_NAMESPACES) continue;
        struct result r = run_how(c, fmt("%s%s", prefix, table[i].command), (struct how){.millis = 30000});
        CHECK((r.exit == 0) == is_allowed, "#%s %s: exit %d signal %d ending %d %.300s%.300s%s",
              table[i].number, table[i].command, r.exit, r.signal, r.ending, r.out, r.err, r.message);
        CHECK(!strstr(r.out, "canary-1f2e3d") && !strstr(r.err, "canary-1f2e3d"), "#%s",
              table[i].number);
    }
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
