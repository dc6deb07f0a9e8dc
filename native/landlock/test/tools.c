/* Ordinary tools work inside. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "checks.h"

static void all_work(struct cell_end *c, const char *const *commands, size_t n, uint32_t millis)
{
    for (size_t i = 0; i < n; i++) {
        struct result r = run_how(c, commands[i], (struct how){.millis = millis});
        CHECK(r.exit == 0 && !r.is_refused, "%s: exit %d ending %d %.400s%.400s%s", commands[i], r.exit,
              r.ending, r.out ? r.out : "", r.err ? r.err : "", r.message);
    }
}

static struct cell_end *start(const char *name)
{
    return cell_start(shared_super(), &(struct want){.name = name});
}

/* T1, H11 */
void git_works(void)
{
    static const char *const commands[] = {
        "git init -q --bare origin.git && git init -q w && cd w && git config user.name a && "
        "git config user.email a@b && for i in $(seq 60); do echo $i > f$((i % 7)); git add -A; "
        "git commit -qm $i; done; git push -q ../origin.git HEAD:main",
        "git clone -q --branch main origin.git c && cd c && git config user.name a && git config user.email a@b && "
        "git checkout -qb side HEAD~5 && echo s > s && git add s && git commit -qm s && git rebase -q main && "
        "git cherry-pick HEAD~1 --allow-empty || git cherry-pick --skip; git log | cat > /dev/null",
        "cd c && git worktree add -q ../tree -b t && cd ../tree && echo t > t && git add t && git commit -qm t",
        "git init -q --separate-git-dir sep.git sep && cd sep && git config user.name a && "
        "git config user.email a@b && echo x > x && git add x && git commit -qm x",
        "mkdir sup && cd sup && git init -q . && git config user.name a && git config user.email a@b && "
        "git -c protocol.file.allow=always submodule add -q -b main ../origin.git sub && git commit -qm sub",
        "cd c && GIT_SEQUENCE_EDITOR=true git rebase -q -i HEAD~3 && git gc -q && git fsck --no-progress && "
        "git diff HEAD~2 | cat >/dev/null && git stash list",
        "cd c && echo z > z && git add z && git commit; git status --short",
    };
    struct cell_end *c = start("git");
    all_work(c, commands, COUNT(commands), 300000);
}

/* T3, T5 */
void temporary_files_and_renames_work(void)
{
    static const char *const commands[] = {
        "mktemp && mktemp -d && python3 -c 'import tempfile; tempfile.NamedTemporaryFile().write(b\"x\")'",
        "seq 400000 | sort -r -S 1M | sort -n -S 1M | tail -1 | grep -x 400000",
        "mkdir -p d1/f d2 && touch d1/f/x && mv d1/f d2/f && mv d2/f/x d1/ && ln d1/x d2/y && test -e d2/y",
        "cp -a d2 $HOME/ && mv $HOME/d2 d3 && tar cf t.tar d3 && tar xf t.tar -C $HOME && rm -r d3",
    };
    static const char *const full[] = {
        "python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind(\"/tmp/s\"); s.listen(1)'",
        "python3 -c 'from multiprocessing import Pool; print(Pool(2).map(abs,[-1,2]))'",
        "bash -c 'cat <(echo a) <(echo b)' | wc -l | grep -x 2",
        "script -qc true /dev/null </dev/null",
        "ps aux | grep -q 'p[s]' && nproc && free >/dev/null",
    };
    struct cell_end *c = start("tmp");
    all_work(c, commands, COUNT(commands), 300000);
    if (shared_level() == CELL_LEVEL_NAMESPACES) all_work(c, full, COUNT(full), 30000);
    struct cell_end *d = start("tmp2");
    CHECK(run(c, "echo mine > $TMPDIR/mine").exit == 0);
    CHECK(run(d, "test -e $TMPDIR/mine").exit == 1, "it is not shared between sessions");
}

void compilers_and_interpreters_work(void)
{
    static const char *const commands[] = {
        "printf '#include <stdio.h>\\nint main(void){puts(\"hi\");}' > a.c && gcc -O1 -o a a.c && ./a | grep hi",
        "python3 -c 'import json,ssl,hashlib; print(json.dumps([1]))'",
        "node -e 'console.log(require(\"os\").cpus().length); require(\"fs\").writeFileSync(\"n\",\"x\")' | grep -v -x 0",
        "node -e 'new WebAssembly.Memory({initial:1,maximum:65536})'",
        "mkdir -p j && printf 'class A { public static void main(String[] a) throws Exception { "
        "System.out.println(System.getProperty(\"user.home\")); "
        "java.nio.file.Files.createTempFile(\"a\", \"b\"); } }' > j/A.java && cd j && javac A.java && java A | "
        "grep -x $HOME && jar cf a.jar A.class",
        "make --version >/dev/null && perl -e 'print 1' && awk 'BEGIN{print 1}' && sed --version >/dev/null",
        "mkdir pkg && cd pkg && printf '{\"name\":\"p\",\"version\":\"1.0.0\"}' > package.json && "
        "npm pack --silent && mkdir ../use && cd ../use && printf '{\"name\":\"u\",\"version\":\"1.0.0\"}' > "
        "package.json && npm i --silent --offline --no-audit ../pkg/p-1.0.0.tgz && test -d node_modules/p",
    };
    struct cell_end *c = start("compile");
    all_work(c, commands, COUNT(commands), 100000);
}

/* A toolchain read-only at its place, a cache that can be written and is as before afterwards. */
void extra_paths_are_read_only_and_caches_copy_on_write(void)
{
    char *tool = fmt("%s/elsewhere/tool", scratch), *cache = fmt("%s/elsewhere/cache", scratch);
    make_dirs(tool, 0755);
    make_dirs(cache, 0755);
    put_file(fmt("%s/run", tool), "#!/bin/sh\necho tool\n");
    chmod(fmt("%s/run", tool), 0755);
    put_file(fmt("%s/old", cache), "old");
    char *target = fmt("%s/extra/home/.m2/repository", scratch);
    struct cell_end *c = cell_start(shared_super(), &(struct want){.name = "extra",
                                                                   .ro_source = tool,
                                                                   .cache_source = cache,
                                                                   .cache_target = target});
    CHECK(strcmp(run(c, fmt("%s/run", tool)).out, "tool\n") == 0);
    CHECK(run(c, fmt("echo x > %s/run", tool)).exit != 0);
    CHECK(strcmp(run(c, "cat $HOME/.m2/repository/old").out, "old") == 0);
    struct result r = run(c, "cd $HOME/.m2/repository && echo new > old && echo x > more && cat old more");
    if (shared_level() == CELL_LEVEL_NAMESPACES)
        CHECK(strcmp(r.out, "new\nx\n") == 0, "%s%s", r.out, r.err);
    CHECK(strcmp(get_file(fmt("%s/old", cache)), "old") == 0);
    CHECK(access(fmt("%s/more", cache), F_OK) != 0);
}

/* An idle cell costs little. */
void an_idle_cell_takes_less_than_a_mebibyte(void)
{
    start("idle");
    pid_t pid = cell_pid(shared_super(), "idle");
    char *text = get_file(fmt("/proc/%d/smaps_rollup", pid)), *at = strstr(text, "Private_Dirty:");
    long kib = at ? atol(at + 14) : -1;
    if (kib < 0 && geteuid() != 0) kib = resident_kib(pid); /* the daemon shows only that to others */
    printf("       %ld KiB\n", kib);
    CHECK(kib >= 0 && kib < 1024, "%ld KiB", kib);
}

void a_cell_starts_quickly(void)
{
    enum { ROUNDS = 20 };
    struct cell_end c;
    int64_t start_millis = now_millis();
    for (int i = 0; i < ROUNDS; i++) {
        char *name = fmt("quick%d", i);
        CHECK(super_spawn(shared_super(), &(struct want){.name = name}, &c) ==
              SUPERVISOR_REPLY_KIND_SPAWNED);
        CHECK(hear(&c, 0, 5000));
        close(c.fd);
    }
    printf("       %.1f ms from spawn to first packet\n", (double)(now_millis() - start_millis) / ROUNDS);
    start_millis = now_millis();
    struct cell_end *d = start("true");
    for (int i = 0; i < 100; i++) run(d, "exit 0");
    printf("       %.1f ms an exec of sh\n", (double)(now_millis() - start_millis) / 100);
}
