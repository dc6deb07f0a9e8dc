/* One thread, many descriptors and timers. Used by the supervisor and by the daemon. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

/* Embedded in what it watches for; `on` runs when the descriptor is ready and may stop the watch or
 * free its owner. */
struct watch {
    int fd;
    uint32_t events;
    void (*on)(struct watch *w, uint32_t events);
    void *owner;
    bool active;
};

struct timer {
    int64_t at; /* now_millis() of its end */
    void (*on)(struct timer *t);
    void *owner;
    struct timer *next;
    bool active;
};

void loop_init(void);
void watch_start(struct watch *w, int fd, uint32_t events,
                 void (*on)(struct watch *, uint32_t), void *owner);
void watch_change(struct watch *w, uint32_t events);
void watch_stop(struct watch *w); /* does not close */
void timer_start(struct timer *t, int64_t in_millis, void (*on)(struct timer *), void *owner);
void timer_stop(struct timer *t);

/* Runs until loop_end(). `each` runs after each round of events. */
void loop_run(void (*each)(void));
void loop_end(void);
bool loop_is_ending(void);

/* In a child that must not touch its parent's loop. */
void loop_forget(void);

/* A descriptor that is readable when one of the signals came; they are blocked from now on. */
int signals_open(const int *signals, int count);
void signals_for_command(void); /* takes back what a daemon does to its own */
void signals_default(void); /* before exec: nothing blocked, nothing ignored */

#endif
