/* The next command's process, made while nobody waits for it. It is as good as one that is made when
 * it is asked for: what it is given then is all that differs. */
#include "run.h"

enum { KEPT_MILLIS = 30000 };

static struct ready spare = {.go = -1, .out = -1, .err = -1, .report = -1};
static struct timer unused;
static bool is_wanted;

bool ready_take(struct ready *r)
{
    if (!spare.minder) return ready_make(r);
    *r = spare;
    spare = (struct ready){.go = -1, .out = -1, .err = -1, .report = -1};
    timer_stop(&unused);
    return true;
}

void ready_soon(void) { is_wanted = true; }

/* An idle cell holds nothing. */
static void on_unused(struct timer *t)
{
    (void)t;
    ready_close(&spare);
}

void ready_each_round(void)
{
    if (!is_wanted) return;
    is_wanted = false;
    if (!spare.minder && ready_make(&spare)) timer_start(&unused, KEPT_MILLIS, on_unused, NULL);
}

void ready_child_gone(pid_t pid)
{
    if (!spare.minder || pid != spare.minder) return;
    timer_stop(&unused);
    ready_close(&spare);
}
