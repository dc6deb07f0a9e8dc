/* System calls without libc, for processes that run in another's memory: libc's own would write to
 * the errno of whom it belongs to. A failed one answers its negated errno. */
#ifndef RAW_H
#define RAW_H

#include <sys/syscall.h>

/* The number and up to six arguments, each a long. */
#define RAW(number, ...) raw_call(number, (const long[6]){__VA_ARGS__})

static inline long raw_call(long number, const long a[6])
{
    long result;
    register long fourth __asm__("r10") = a[3];
    register long fifth __asm__("r8") = a[4];
    register long sixth __asm__("r9") = a[5];
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

/* clone(2) of a process that begins with `run` on a stack of its own, whose upper end is `top` (16
 * bytes aligned), and must not return from it. */
static inline long raw_clone(long flags, void *top, void (*run)(void *), void *argument)
{
    long result;
    void **stack = top;
    register long no_tid __asm__("r10") = 0;
    register long no_tls __asm__("r8") = 0;
    *--stack = (void *)run;
    *--stack = argument;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "xor %%ebp, %%ebp\n\t" /* the outermost frame */
                     "pop %%rdi\n\t"
                     "pop %%rax\n\t"
                     "call *%%rax\n\t"
                     "hlt\n"
                     "1:"
                     : "=a"(result)
                     : "a"((long)SYS_clone), "D"(flags), "S"(stack), "d"(0l), "r"(no_tid), "r"(no_tls)
                     : "rcx", "r11", "memory", "cc");
    return result;
}

static inline void raw_exit(int status) __attribute__((noreturn));

static inline void raw_exit(int status)
{
    for (;;) RAW(SYS_exit_group, status);
}

#endif
