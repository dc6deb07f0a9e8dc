/* Runs every check, or those whose name holds the word given. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } all[] = {
#define ONE(name) {#name, name},
        CHECKS(ONE)
#undef ONE
    };
    is_plain = argc > 1 && strcmp(argv[1], "--plain") == 0;
    argc -= is_plain;
    argv += is_plain;
    const char *word = argc > 3 ? argv[3] : "";
    int count = 0;
    if (argc < 3) {
        fprintf(stderr, "usage: check [--plain] CELL PROBE [WORD]\n");
        return 2;
    }
    cell_binary = argv[1];
    probe_binary = argv[2];
    snprintf(scratch, sizeof scratch, "/tmp/cell-check-XXXXXX");
    if (!mkdtemp(scratch)) return 1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!strstr(all[i].name, word)) continue;
        int before = failures;
        int64_t start = now_millis();
        current = all[i].name;
        all[i].run();
        printf("%-6s %s (%lld ms)\n", failures == before ? "ok" : "FAILED", current,
               (long long)(now_millis() - start));
        fflush(stdout);
        count++;
    }
    char *command = fmt("chmod -R u+rwx %s; rm -rf %s", scratch, scratch);
    if (system(command) != 0) failures++;
    free(command);
    printf("%d checks as uid %u%s, %d failures\n", count, geteuid(),
           is_plain ? " without namespaces" : "", failures);
    return failures || !count;
}
