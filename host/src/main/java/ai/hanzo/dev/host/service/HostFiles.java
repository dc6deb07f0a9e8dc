package ai.hanzo.dev.host.service;

import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.SessionFiles;
import ai.hanzo.dev.host.op.v1.ImportRequest;
import ai.hanzo.dev.host.op.v1.Session;
import java.io.InputStream;

/** Sessions as files, for the surfaces. Safe for all threads. */
public final class HostFiles implements SessionFiles {
    private final Queries queries;
    private final Exports exports;
    private final Imports imports;

    public HostFiles(Queries queries, Exports exports, Imports imports) {
        this.queries = queries;
        this.exports = exports;
        this.imports = imports;
    }

    @Override
    public Outgoing export(Caller caller, String session) {
        return Failures.guarded(() -> exports.export(queries.session(caller, session)));
    }

    @Override
    public Session take(Caller caller, ImportRequest request, InputStream file) {
        return Failures.guarded(() -> queries.view(imports.take(caller, request, file)));
    }
}
