/* The names in a directory. */
#ifndef NAMES_H
#define NAMES_H

#include <dirent.h>
#include <stdint.h>

struct name {
    char *s;
    unsigned char type; /* DT_*, as the directory has it */
};

struct names_read {
    struct name *item;
    uint32_t count, cap;
};

/* All but . and .., sorted by their bytes; does not close `dir`. */
void names_read(DIR *dir, struct names_read *n);
void names_free(struct names_read *n);

#endif
