/* Most expressions hold a word that is plain text. To look for that first is ten times faster than to
 * try the expression on each line. Where there is any doubt there is no needle. */
#include <ctype.h>
#include <string.h>

#include "search.h"

struct part {
    const char *p;
    char text[TEXT_BYTES], best[TEXT_BYTES];
    size_t n, most;
};

static void end_text(struct part *r)
{
    if (r->n > r->most) {
        memcpy(r->best, r->text, r->n);
        r->most = r->n;
    }
    r->n = 0;
}

static const char *after_bracket(const char *p)
{
    p++;
    if (*p == '^') p++;
    if (*p == ']') p++;
    for (; *p && *p != ']'; p++)
        if (*p == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '=')) {
            const char kind = p[1];
            for (p += 2; *p && !(*p == kind && p[1] == ']'); p++) continue;
            if (!*p) return p;
            p++;
        }
    return *p ? p + 1 : p;
}

static const char *after_group(const char *p)
{
    for (int depth = 0; *p;) {
        if (*p == '[') {
            p = after_bracket(p);
            continue;
        }
        if (*p == '\\' && p[1]) p++;
        else if (*p == '(') depth++;
        else if (*p == ')' && --depth == 0) return p + 1;
        p++;
    }
    return p;
}

static void plain(struct part *r, char c)
{
    char next = *r->p;
    bool is_optional = next == '*' || next == '?' || next == '{';
    if (is_optional || (unsigned char)c >= 0x80 || r->n == sizeof r->text) {
        end_text(r); /* of several bytes: what follows may be meant of all of them */
        return;
    }
    r->text[r->n++] = c;
    if (next == '+') end_text(r);
}

void needle_of(const char *expression, char *to, size_t cap)
{
    struct part r = {.p = expression};
    *to = 0;
    while (*r.p) {
        const char c = *r.p;
        if (c == '|') return; /* either of them */
        if (c == '[' || c == '(') {
            end_text(&r);
            r.p = c == '[' ? after_bracket(r.p) : after_group(r.p);
            continue;
        }
        r.p++;
        if (c == '\\' && *r.p && ispunct((unsigned char)*r.p) && !strchr("<>`'", *r.p)) {
            r.p++;
            plain(&r, r.p[-1]);
        } else if (c == '\\' || strchr(".^$*+?{})", c)) {
            end_text(&r);
            if (c == '\\' && *r.p) r.p++;
            if (c == '{' && (*r.p == ',' || isdigit((unsigned char)*r.p))) r.p += strcspn(r.p, "}");
        } else {
            plain(&r, c);
        }
    }
    end_text(&r);
    if (r.most >= cap) return;
    memcpy(to, r.best, r.most);
    to[r.most] = 0;
}
