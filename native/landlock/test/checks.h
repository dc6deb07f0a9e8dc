#ifndef CHECKS_H
#define CHECKS_H

#include "client.h"

#define CHECKS(X)                                                                                  \
    X(a_command_answers_with_exit_and_both_streams)

#define DECLARE(name) void name(void);
CHECKS(DECLARE)
#undef DECLARE

#endif
