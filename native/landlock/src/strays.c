/* Without a pid namespace the processes of a dead cell live on; they come to the supervisor, as the
 * subreaper above them, and are killed in rounds until none is left. */
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise.h"
#include "tree.h"

enum { ROUND_MILLIS = 2 };

static struct timer round_timer;
static void (*gone)(void);
static int proc = -1;

static bool is_living_cell(pid_t pid)
{
    for (struct cell_entry *e = supervisor.cells; e; e = e->next)
        if (e->pid == pid && e->life == CELL_LIFE_RUNNING && !e->is_ended) return true;
    return false;
}

/* Cells are waited for by their pidfds, all else here. */
void strays_reap(void)
{
    for (;;) {
        siginfo_t info = {.si_pid = 0};
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) return;
        if (is_living_cell(info.si_pid)) return;
        waitpid(info.si_pid, NULL, WNOHANG);
    }
}

static void on_round(struct timer *t)
{
    uint32_t left = tree_kill(proc, getpid(), is_living_cell);
    strays_reap();
    if (left) {
        timer_start(t, ROUND_MILLIS, on_round, NULL);
        return;
    }
    setpriority(PRIO_PROCESS, 0, 0);
    gone();
}

void strays_begin(void (*when_gone)(void))
{
    gone = when_gone;
    if (proc < 0) proc = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    /* They may breed: whoever kills must get his turn. Not allowed to an ordinary user, whose
     * processes have a limit. */
    setpriority(PRIO_PROCESS, 0, -20);
    if (!round_timer.active) on_round(&round_timer);
}
