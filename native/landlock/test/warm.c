/* Cells kept ready. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "client.h"

/* None without namespaces. */
static bool has_warm(void) { return shared_level() == CELL_LEVEL_NAMESPACES; }

static bool was_warm(struct super *s) { return cell_info_warm(supervisor_reply_cell(s->last)); }

static int children(pid_t pid)
{
    char *path = fmt("/proc/%d/task/%d/children", pid, pid), *all = get_file(path);
    int n = 0;
    for (char *word = strtok(all, " \n"); word; word = strtok(NULL, " \n")) n++;
    free(path);
    return n;
}

static bool is_gone(void *pid) { return kill(*(pid_t *)pid, 0) != 0; }

static bool is_alone(void *p) { return children(((struct super *)p)->pid) == 0; }

void cells_kept_ready_are_given_away_once(void)
{
    struct super *s = super_start("warm");
    if (!has_warm()) {
        CHECK(super_warm(s, 0));
        super_order(s, SUPERVISOR_OP_HELLO, NULL, 2);
        struct cell_end *c = cell_start(s, &(struct want){.name = "warm-0"});
        CHECK(!was_warm(s) && run(c, "true").exit == 0);
        super_stop(s);
        return;
    }
    CHECK(super_warm(s, 2));
    uint8_t incarnation[16] = {0};
    for (int i = 0; i < 5; i++) {
        CHECK(super_warm(s, 2));
        char *name = fmt("warm-%d", i);
        struct cell_end *c = cell_start(s, &(struct want){.name = name, .env = {"WHOSE", name}});
        CHECK(was_warm(s));
        CHECK(memcmp(incarnation, cell_hello_result_incarnation(cell_reply_hello(c->first)), 16) != 0);
        memcpy(incarnation, cell_hello_result_incarnation(cell_reply_hello(c->first)), 16);
        struct result r = run(c, "ls -A /dev/shm $HOME; ls -A /tmp | grep -v cell-check; echo $WHOSE; pwd; ls -A");
        char *want = fmt("/dev/shm:\n\n%s/%s/home:\n%s\n%s\n", scratch, name, name, c->workspace);
        CHECK(strcmp(r.out, want) == 0, "%s, not %s", r.out, want);
        CHECK(run(c, "for d in . /tmp /dev/shm $HOME; do echo mine > $d/left; done").exit == 0);
        if (i % 2) super_order(s, SUPERVISOR_OP_KILL, name, 1);
        close(c->fd);
    }
    super_stop(s);
}

void no_more_cells_are_kept_ready_than_allowed_and_none_without_a_host(void)
{
    if (!has_warm()) return;
    struct super *s = super_start("warm-bounds");
    super_order(s, SUPERVISOR_OP_HELLO, NULL, 100000);
    poll(NULL, 0, 1500);
    super_order(s, SUPERVISOR_OP_HELLO, NULL, 100000);
    CHECK(supervisor_hello_result_ready(supervisor_reply_hello(s->last)) <= 8);
    CHECK(children(s->pid) <= 8);
    CHECK(super_warm(s, 8) && children(s->pid) == 8);
    CHECK(super_warm(s, 1) && children(s->pid) == 1);
    close(s->socket);
    s->socket = -1;
    CHECK(eventually(is_alone, s, 5000));
    super_connect(s);
    CHECK(super_warm(s, 0));
    super_stop(s);
}

void a_cell_kept_ready_knows_the_machine_as_it_is_now(void)
{
    if (!has_warm() || geteuid() != 0) return;
    struct super *s = super_start("warm-mounts");
    CHECK(super_warm(s, 2));
    char *at = fmt("%s/warm-new/ws", scratch), *file = fmt("%s/file", at);
    make_dirs(at, 0755);
    CHECK(mount("tmpfs", at, "tmpfs", 0, "mode=0755") == 0);
    put_file(file, "on a disk of its own");
    struct cell_end *c = cell_start(s, &(struct want){.name = "warm-new"});
    CHECK(!was_warm(s));
    CHECK(strcmp(run(c, "cat file").out, "on a disk of its own") == 0);
    super_order(s, SUPERVISOR_OP_KILL, "warm-new", 1);
    CHECK(umount2(at, MNT_DETACH) == 0);
    /* Those that were made before the table changed again are of no use either. */
    CHECK(super_warm(s, 2));
    cell_start(s, &(struct want){.name = "warm-later"});
    CHECK(super_warm(s, 2));
    cell_start(s, &(struct want){.name = "warm-last"});
    CHECK(was_warm(s));
    super_stop(s);
}

void cells_kept_ready_die_with_their_supervisor_and_are_made_anew(void)
{
    if (!has_warm()) return;
    struct super *s = super_start("warm-death");
    CHECK(super_warm(s, 2));
    char *path = fmt("/proc/%d/task/%d/children", s->pid, s->pid);
    pid_t first = atoi(get_file(path));
    CHECK(first > 1 && kill(first, SIGKILL) == 0);
    struct cell_end *c = cell_start(s, &(struct want){.name = "warm-killed"});
    CHECK(run(c, "true").exit == 0);
    pid_t other = atoi(get_file(path));
    super_kill(s);
    CHECK(eventually(is_gone, &other, 5000));
    close(s->socket);
    free(s);
}
