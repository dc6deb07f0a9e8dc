/* Commands: results, deadlines, what they leave behind. */
#include <stdio.h>
#include <stdlib.h>

#include "checks.h"

void a_command_answers_with_exit_and_both_streams(void)
{
    struct super *s = super_start("sv");
    struct cell_end *c = cell_start(s, &(struct want){.name = "basic"});
    struct result r = run(c, "echo out; echo err >&2; exit 3");
    CHECK(r.exit == 3, "%d %s", r.exit, r.message);
    CHECK(strcmp(r.out, "out\n") == 0, "%s", r.out);
    CHECK(strcmp(r.err, "err\n") == 0, "%s", r.err);
    r = run(c, "id; pwd; ls -la / /dev /proc /etc $HOME; env; cat /etc/passwd; ps aux; mount; ip a; cat /proc/sys/kernel/pid_max");
    puts(r.out); puts(r.err);
    super_stop(s);
}
