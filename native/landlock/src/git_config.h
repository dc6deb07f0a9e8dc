/* What the configuration of a repository may say that a command of the cell has made. */
#ifndef GIT_CONFIG_H
#define GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/* Takes out of `text`, in place, every line that git did not need to make or clone a repository:
 * what remains can run no program. Answers the new size; `changed` is set if it differs. */
size_t git_config_filter(char *text, size_t size, bool *changed);

#endif
