/* What this machine can enforce, for a person (and `hanzo dev doctor`) and for programs: lines of
 * `level NAME`, `landlock N`, `+layer` and `-what: why`, then one sentence. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "loop.h"
#include "probe.h"

static const char *level_name(enum level l)
{
    switch (l) {
    case LEVEL_NAMESPACES: return "namespaces";
    case LEVEL_LANDLOCK: return "landlock+seccomp";
    case LEVEL_NONE: return "none";
    }
    return "none";
}

static const char *sentence(enum level l)
{
    switch (l) {
    case LEVEL_NAMESPACES:
        return "Commands can be fully confined: own files, processes, network and limits.";
    case LEVEL_LANDLOCK:
        return "Commands can be confined by Landlock and seccomp only: they see the names of files "
               "outside and have no network, no /tmp and no /proc.";
    case LEVEL_NONE:
        return "Commands cannot be confined here: a Linux kernel with Landlock (5.19 or later, 6.12 "
               "without user namespaces) is needed.";
    }
    return "";
}

int selftest_main(int argc, char **argv)
{
    char own[] = "/tmp/cell-selftest-XXXXXX";
    const char *dir = argc == 2 && strcmp(argv[0], "--dir") == 0 ? argv[1] : NULL;
    bool is_own = !dir;
    signals_default();
    if (argc && !dir) {
        fprintf(stderr, "cell: unexpected %s\n", argv[0]);
        return 2;
    }
    if (is_own && !(dir = mkdtemp(own))) {
        fprintf(stderr, "cell: no directory can be made under /tmp\n");
        return 125;
    }
    struct machine m;
    probe(&m, dir);
    if (is_own) rmdir(dir);
    printf("level %s\nlandlock %d\n", level_name(m.level), m.abi);
    for (uint32_t i = 0; i < m.layers.count; i++) printf("+%s\n", m.layers.item[i]);
    for (uint32_t i = 0; i < m.missing.count; i++) printf("-%s\n", m.missing.item[i]);
    puts(sentence(m.level));
    return m.level == LEVEL_NONE ? 125 : 0;
}
