package ai.hanzo.dev.host.tool.patch;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Sha256;
import ai.hanzo.dev.sandbox.Expected;
import ai.hanzo.dev.sandbox.FileChange;
import ai.hanzo.dev.sandbox.WholeFile;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A directory tree in memory that takes changes as a cell does: all of them or none. */
final class Tree {
    private final Map<String, WholeFile> files = new TreeMap<>();

    static Tree of(String... namesAndContents) {
        Tree tree = new Tree();
        for (int i = 0; i < namesAndContents.length; i += 2) {
            tree.put(namesAndContents[i], Bytes.utf8(namesAndContents[i + 1]), 0644);
        }
        return tree;
    }

    Tree put(String path, Bytes content, int mode) {
        files.put(path, new WholeFile(content, Sha256.of(content), mode));
        return this;
    }

    Optional<WholeFile> read(String path) {
        return Optional.ofNullable(files.get(Paths.clean(path)));
    }

    /** Empty when it was applied, else the refusal; a refused patch leaves no trace. */
    String apply(String patch) {
        return apply(Bytes.utf8(patch));
    }

    String apply(Bytes patch) {
        return switch (Patch.parse(patch)) {
            case Patch.Refused(String message) -> message;
            case Patch.Read(Patch parsed) ->
                    switch (parsed.compute(this::read)) {
                        case Patch.Refused(String message) -> message;
                        case Patch.Changes changes -> {
                            changes.changes().forEach(this::change);
                            yield "";
                        }
                    };
        };
    }

    private void change(FileChange change) {
        switch (change) {
            case FileChange.Write(String path, Bytes content, var mode, Expected expected) -> {
                check(path, expected);
                int kept = read(path).map(WholeFile::mode).orElse(0644);
                put(path, content, mode.orElse(kept));
            }
            case FileChange.Remove(String path, Expected expected) -> {
                check(path, expected);
                files.remove(path);
            }
            case FileChange.Rename(String path, String target, Expected expected) -> {
                check(path, expected);
                files.put(target, files.remove(path));
            }
            case FileChange.Mkdir _ -> throw new AssertionError("no patch makes a directory");
        }
    }

    private void check(String path, Expected expected) {
        Expected found =
                read(path).map(file -> Expected.content(file.sha256())).orElse(Expected.nothing());
        if (!expected.equals(found)) {
            throw new AssertionError(path + ": expected " + expected + ", found " + found);
        }
    }

    /** Names and contents; bytes beyond ASCII one to one. */
    Map<String, String> contents() {
        Map<String, String> all = new TreeMap<>();
        files.forEach((path, file) ->
                all.put(path, new String(file.content().toArray(), StandardCharsets.ISO_8859_1)));
        return all;
    }

    int mode(String path) {
        return read(path).orElseThrow().mode();
    }
}
