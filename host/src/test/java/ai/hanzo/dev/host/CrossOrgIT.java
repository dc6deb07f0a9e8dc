package ai.hanzo.dev.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.hanzo.dev.host.Hanzo.Ran;
import ai.hanzo.dev.host.op.Caller;
import ai.hanzo.dev.host.op.Op;
import ai.hanzo.dev.host.op.OpCode;
import ai.hanzo.dev.host.op.OpException;
import ai.hanzo.dev.host.op.Ops;
import ai.hanzo.dev.host.op.v1.ApprovalsResponse;
import ai.hanzo.dev.host.op.v1.ListResponse;
import ai.hanzo.dev.host.op.v1.StreamRequest;
import ai.hanzo.dev.ledger.Session;
import ai.hanzo.dev.ledger.SessionState;
import ai.hanzo.dev.ledger.jdbc.DatabaseConfig;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every op of {@code dev.proto}, asked by another org: its answer is what it would be if there were
 * nothing. Ops that are added later are asked too.
 */
class CrossOrgIT {
    private static final Caller OTHER = new Caller("other", "local", true);

    @TempDir Path root;

    @Test
    void anotherOrgSeesNothingAndChangesNothing() {
        Path home = root.resolve("home");
        Path project = Projects.make(root);
        DatabaseConfig database = Databases.fresh();
        AtomicReference<Assembly> assembly = new AtomicReference<>();
        TestHost.Assembler assembler =
                whenDead -> {
                    assembly.set(
                            new Assembly(
                                    HostConfig.of(home, Map.of()).withDatabase(database),
                                    whenDead));
                    return assembly.get();
                };
        try (TestHost host = new TestHost(home, database, assembler)) {
            String script =
                    new Scripts()
                            .sh("echo 1 >> n")
                            .call("browse", "url", "https://example.com/", "method", "POST")
                            .say("Done.")
                            .text();
            Ran ran = host.in(project).exec(script, "Go.");
            assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(3);
            Session session =
                    host.store().journal().newestAt(TestHost.ORG, project.toString()).orElseThrow();
            Waiting.forState(host.store(), session.id(), SessionState.WAITING_APPROVAL);
            Session before =
                    host.store().journal().session(TestHost.ORG, session.id()).orElseThrow();
            String approval =
                    host.store()
                            .approvals()
                            .pendingIn(TestHost.ORG, session.id())
                            .getFirst()
                            .id()
                            .value();

            for (Op op : Ops.load().all()) {
                asked(assembly.get(), op, session.id().value(), approval);
            }
            assertThatThrownBy(() ->
                            assembly.get()
                                    .streams()
                                    .follow(
                                            OTHER,
                                            StreamRequest.newBuilder()
                                                    .setId(session.id().value())
                                                    .build()))
                    .isInstanceOfSatisfying(
                            OpException.class,
                            e -> assertThat(e.code()).isEqualTo(OpCode.NOT_FOUND));
            assertThat(host.store().journal().session(TestHost.ORG, session.id())).contains(before);
        }
    }

    private static void asked(Assembly assembly, Op op, String session, String approval) {
        String name = op.options().getName();
        String id = name.equals("resolve") ? approval : session;
        switch (name) {
            case "start" -> {}
            case "list" -> {
                Message all = op.call(assembly.service(), OTHER, op.requestPrototype());
                assertThat(((ListResponse) all).getSessionsList()).isEmpty();
            }
            case "approvals" -> {
                Message all = op.call(assembly.service(), OTHER, op.requestPrototype());
                assertThat(((ApprovalsResponse) all).getApprovalsList()).isEmpty();
            }
            default ->
                    assertThatThrownBy(() ->
                                    op.call(
                                            assembly.service(),
                                            OTHER,
                                            of(op.requestPrototype(), id)))
                            .as(name)
                            .isInstanceOfSatisfying(
                                    OpException.class,
                                    e -> assertThat(e.code()).as(name).isEqualTo(OpCode.NOT_FOUND));
        }
    }

    /** The request for that id. */
    private static Message of(Message prototype, String id) {
        Optional<FieldDescriptor> field =
                Optional.ofNullable(prototype.getDescriptorForType().findFieldByName("id"));
        return prototype.toBuilder().setField(field.orElseThrow(), id).build();
    }

    @Test
    void noOpIsLeftOut() {
        assertThat(Ops.load().all().stream().map(op -> op.options().getName()))
                .containsAll(List.of("get", "journal", "verify", "suspend", "fork", "resolve"));
    }
}
