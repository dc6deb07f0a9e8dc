/* cell: one binary, three roles. Nothing here depends on where it lies: it is run from memory. */
#include <stdio.h>
#include <string.h>

int supervise_main(int argc, char **argv);
int selftest_main(int argc, char **argv);

static const char usage[] =
    "usage: cell supervise --dir DIR [--detach]   serve hosts at DIR/supervisor.sock\n"
    "       cell selftest [--dir DIR]             tell what this machine can enforce\n";

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "supervise") == 0) return supervise_main(argc - 2, argv + 2);
    if (argc > 1 && strcmp(argv[1], "selftest") == 0) return selftest_main(argc - 2, argv + 2);
    fputs(usage, stderr);
    return 2;
}
