#include <stdlib.h>
#include <string.h>

#include "search.h"

/* [a-z], [!a-z]; answers what follows it, or NULL when it is no such thing. */
static const char *bracket(const char *p, unsigned char c, bool *holds)
{
    const char *s = p + 1;
    bool negated = *s == '!' || *s == '^', found = false;
    s += negated;
    for (bool is_first = true; *s && (*s != ']' || is_first); is_first = false) {
        unsigned char from = (unsigned char)*s, to = from;
        if (s[1] == '-' && s[2] && s[2] != ']') {
            to = (unsigned char)s[2];
            s += 2;
        }
        found |= from <= c && c <= to;
        s++;
    }
    *holds = found != negated;
    return *s ? s + 1 : NULL;
}

/* The end of a {…} that begins at p, or NULL. */
static const char *brace_end(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else if (*p == '{')
            depth++;
        else if (*p == '}' && --depth == 0)
            return p;
    }
    return NULL;
}

/* Each alternative with what follows the braces. */
static bool braces(const char *p, const char *end, const char *s)
{
    size_t rest = strlen(end + 1);
    char *one = grab((size_t)(end - p) + rest + 1);
    bool matches = false;
    int depth = 0;
    const char *from = p + 1;
    for (const char *at = from; at <= end && !matches; at++) {
        if (*at == '\\' && at < end - 1) {
            at++;
            continue;
        }
        depth += (*at == '{') - (*at == '}' && at < end);
        if (at != end && (*at != ',' || depth)) continue;
        memcpy(one, from, (size_t)(at - from));
        memcpy(one + (at - from), end + 1, rest + 1);
        matches = glob_matches(one, s);
        from = at + 1;
    }
    free(one);
    return matches;
}

static bool star(const char *p, const char *s)
{
    bool is_deep = p[1] == '*';
    const char *rest = p + 1 + is_deep;
    if (is_deep && *rest == '/' && glob_matches(rest + 1, s)) return true; /* no directory at all */
    for (;; s++) {
        if (glob_matches(rest, s)) return true;
        if (!*s || (*s == '/' && !is_deep)) return false;
    }
}

bool glob_matches(const char *p, const char *s)
{
    for (; *p; s++) {
        const char *end;
        bool holds;
        if (*p == '*') return star(p, s);
        if (*p == '{' && (end = brace_end(p))) return braces(p, end, s);
        if (!*s) return false;
        if (*p == '?' || *p == '[') {
            end = *p == '[' ? bracket(p, (unsigned char)*s, &holds) : p + 1;
            if (end) {
                if (*s == '/' || (*p == '[' && !holds)) return false;
                p = end;
                continue;
            }
        }
        if (*p == '\\' && p[1]) p++;
        if (*p++ != *s) return false;
    }
    return !*s;
}
