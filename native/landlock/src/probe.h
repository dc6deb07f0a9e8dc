/* What this machine can enforce, found out by building a whole cell in a throw-away process. */
#ifndef PROBE_H
#define PROBE_H

#include "cell.h"

enum level { LEVEL_NONE = 1, LEVEL_LANDLOCK = 2, LEVEL_NAMESPACES = 3 };

struct machine {
    enum level level;
    enum variant variant;
    int abi;
    struct names layers, missing;
};

/* `scratch` is a directory that can be written; only what is below it is touched. Blocks for some
 * ten milliseconds. */
void probe(struct machine *m, const char *scratch);

#endif
