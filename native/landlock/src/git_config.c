#include "git_config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

struct section {
    const char *name;
    const char *keys; /* each between spaces, lower case */
};

static const struct section sections[] = {
    {"core", " repositoryformatversion filemode bare logallrefupdates ignorecase symlinks "
             "precomposeunicode "},
    {"remote", " url fetch tagopt "},
    {"branch", " remote merge rebase "},
    {"user", " name email "},
    {"init", " defaultbranch "},
    {"submodule", " url active "},
    {"extensions", " objectformat "},
};

struct line {
    const char *at;
    size_t size; /* without the line feed */
};

static struct line stripped(struct line l)
{
    while (l.size && isspace((unsigned char)l.at[l.size - 1])) l.size--;
    while (l.size && isspace((unsigned char)*l.at)) l.at++, l.size--;
    return l;
}

/* The section that a header opens; NULL for one that is not known or has more on its line. */
static const struct section *opened(struct line l)
{
    size_t end = 1;
    while (end < l.size && (isalnum((unsigned char)l.at[end]) || l.at[end] == '-')) end++;
    bool is_plain = end == l.size - 1 && l.at[end] == ']';
    bool is_named = end + 3 < l.size && l.at[end] == ' ' && l.at[end + 1] == '"' &&
                    l.at[l.size - 2] == '"' && l.at[l.size - 1] == ']' &&
                    !memchr(l.at + end + 2, '"', l.size - end - 4) &&
                    !memchr(l.at + end + 2, '\\', l.size - end - 4);
    if (!is_plain && !is_named) return NULL;
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        if (strlen(sections[i].name) == end - 1 &&
            strncasecmp(sections[i].name, l.at + 1, end - 1) == 0)
            return &sections[i];
    return NULL;
}

static bool is_allowed(const struct section *s, struct line l)
{
    char key[40] = " ";
    size_t n = 0;
    while (n < l.size && n < sizeof key - 3 &&
           (isalnum((unsigned char)l.at[n]) || l.at[n] == '-')) {
        key[n + 1] = (char)tolower((unsigned char)l.at[n]);
        n++;
    }
    key[n + 1] = ' ';
    key[n + 2] = 0;
    if (!s || n == 0 || !strstr(s->keys, key)) return false;
    /* A value that goes on, or a transport that is a program: ext::sh -c … */
    if (l.at[l.size - 1] == '\\') return false;
    for (size_t i = 0; i + 1 < l.size; i++)
        if (l.at[i] == ':' && l.at[i + 1] == ':') return false;
    return true;
}

size_t git_config_filter(char *text, size_t size, bool *changed)
{
    const struct section *in = NULL;
    size_t kept = 0;
    for (size_t at = 0; at < size;) {
        const char *feed = memchr(text + at, '\n', size - at);
        size_t whole = feed ? (size_t)(feed - (text + at)) + 1 : size - at;
        struct line l = stripped((struct line){text + at, whole});
        bool keep = l.size == 0 || *l.at == '#' || *l.at == ';';
        if (!keep && *l.at == '[') {
            in = opened(l);
            keep = in != NULL;
        } else if (!keep) {
            keep = is_allowed(in, l);
        }
        if (keep) {
            memmove(text + kept, text + at, whole);
            kept += whole;
        }
        at += whole;
    }
    *changed = kept != size;
    return kept;
}
