/* plain PROGRAM ARGUMENT…: runs it where namespaces are refused. */
#include "client.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2) return 2;
    refuse_namespaces();
    execv(argv[1], argv + 1);
    perror(argv[1]);
    return 126;
}
