/* /etc of a cell: a few of the machine's files, read-only, and a few of our own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine.h"

/* Nothing here holds a secret or names the machine or its people: of ssl and pki only what is for
 * everybody, for the cell of a root workspace could read the rest. */
static const char *const shared[] = {
    "alternatives",    "bash.bashrc",   "ca-certificates", "ca-certificates.conf", "crypto-policies",
    "debian_version",  "fonts",         "inputrc",         "ld.so.cache",          "ld.so.conf",
    "ld.so.conf.d",    "locale.alias",  "localtime",       "lsb-release",          "magic",
    "mime.types",      "os-release",    "pki/ca-trust",    "pki/java",             "pki/tls/certs",
    "pki/tls/cert.pem", "profile",      "profile.d",       "protocols",            "services",
    "ssl/certs",       "ssl/openssl.cnf", "timezone",      "vim",                  "xattr.conf",
};
static const char *const prefixes[] = {"java", "maven", "python", "perl", "gradle", "php"};

bool etc_is_toolchain(const char *name)
{
    for (size_t i = 0; i < COUNT(prefixes); i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) return true;
    return false;
}

void etc_user(const char *old, uid_t uid, char *to, size_t cap)
{
    char path[64], line[512];
    snprintf(to, cap, "cell");
    snprintf(path, sizeof path, "%s/etc/passwd", old);
    FILE *f = fopen(path, "re");
    while (f && fgets(line, sizeof line, f)) {
        char name[33];
        unsigned id;
        if (sscanf(line, "%32[^:]:%*[^:]:%u:", name, &id) == 2 && id == uid) {
            snprintf(to, cap, "%s", name);
            break;
        }
    }
    if (f) fclose(f);
}

/* Over what is there already, with the room it takes. */
static bool rewrite(const char *path, const char *s)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool ok = fd >= 0 && write_all(fd, s, strlen(s)) && ftruncate(fd, (off_t)strlen(s)) == 0;
    close_fd(&fd);
    return ok;
}

bool etc_users(const struct cell *c, struct text *why)
{
    const struct spec *s = c->spec;
    const char *name = c->user;
    char buf[5200];
    snprintf(buf, sizeof buf, "%s:x:%u:%u::%s:/bin/sh\n%snobody:x:65534:65534::/nonexistent:/bin/false\n",
             name, s->uid, s->gid, s->home, s->uid ? "root:x:0:0::/nonexistent:/bin/false\n" : "");
    bool ok = rewrite("/etc/passwd", buf);
    snprintf(buf, sizeof buf, "%s:x:%u:\n%snogroup:x:65534:\n", s->gid ? name : "root", s->gid,
             s->gid ? "root:x:0:\n" : "");
    return (ok && rewrite("/etc/group", buf)) ||
           say(why, "the cell's /etc cannot be written: %s", strerror(errno));
}

static bool write_own(void)
{
    return write_file("/etc/passwd", "\n") && write_file("/etc/group", "\n") &&
           write_file("/etc/hosts", "127.0.0.1 localhost cell\n::1 localhost\n") &&
           write_file("/etc/resolv.conf", "") &&
           write_file("/etc/nsswitch.conf", "passwd: files\ngroup: files\nshadow: files\n"
                                            "hosts: files\nservices: files\nprotocols: files\n") &&
           /* Mounted trees show other inode and device numbers than the index remembers, the
            * owner of a mount may be unmapped, and a background gc would outlive its command. */
           write_file("/etc/gitconfig", "[core]\n\tcheckStat = minimal\n\ttrustctime = false\n"
                                        "[safe]\n\tdirectory = *\n"
                                        "[gc]\n\tautoDetach = false\n"
                                        "[maintenance]\n\tautoDetach = false\n");
}

static bool share(const char *old, const char *name)
{
    char from[300], to[300], link[256];
    struct stat st;
    snprintf(from, sizeof from, "%s/etc/%s", old, name);
    snprintf(to, sizeof to, "/etc/%s", name);
    if (lstat(from, &st) != 0) return true;
    if (S_ISLNK(st.st_mode)) {
        ssize_t n = readlink(from, link, sizeof link - 1);
        if (n < 0) return true;
        link[n] = 0;
        /* A link out of what a cell sees would only dangle; one into /usr works as it stands. */
        return symlink(link, to) == 0;
    }
    return bind_at(from, to, BIND_READ_ONLY);
}

bool etc_share(const char *old, struct text *why)
{
    char path[64];
    if (!make_dirs("/etc", 0755) || !write_own())
        return say(why, "the cell's /etc cannot be written: %s", strerror(errno));
    snprintf(path, sizeof path, "%s/etc", old);
    DIR *dir = opendir(path);
    if (!dir) return say(why, "/etc cannot be read: %s", strerror(errno));
    const char *wrong = NULL;
    for (size_t i = 0; i < COUNT(shared) && !wrong; i++)
        if (!share(old, shared[i])) wrong = shared[i];
    for (struct dirent *e; !wrong && (e = readdir(dir));)
        if (etc_is_toolchain(e->d_name) && !share(old, e->d_name)) wrong = e->d_name;
    if (wrong) say(why, "/etc/%.200s cannot be shown to the cell: %s", wrong, strerror(errno));
    closedir(dir);
    return !wrong;
}
