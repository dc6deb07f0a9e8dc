#include "names.h"

#include <stdlib.h>
#include <string.h>

#include "base.h"

static int by_bytes(const void *a, const void *b)
{
    return strcmp(((const struct name *)a)->s, ((const struct name *)b)->s);
}

void names_read(DIR *dir, struct names_read *n)
{
    for (struct dirent *e; (e = readdir(dir));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
        if (n->count == n->cap)
            n->item = regrab(n->item, (n->cap = n->cap ? n->cap * 2 : 64) * sizeof *n->item);
        n->item[n->count++] = (struct name){copy_string(e->d_name, strlen(e->d_name)), e->d_type};
    }
    if (n->count) qsort(n->item, n->count, sizeof *n->item, by_bytes);
}

void names_free(struct names_read *n)
{
    for (uint32_t i = 0; i < n->count; i++) free(n->item[i].s);
    free(n->item);
    n->item = NULL;
    n->count = n->cap = 0;
}
