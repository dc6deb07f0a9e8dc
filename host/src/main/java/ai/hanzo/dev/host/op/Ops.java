package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.ActionsRequest;
import ai.hanzo.dev.host.op.v1.ApprovalsRequest;
import ai.hanzo.dev.host.op.v1.CancelRequest;
import ai.hanzo.dev.host.op.v1.DevProto;
import ai.hanzo.dev.host.op.v1.DiffRequest;
import ai.hanzo.dev.host.op.v1.ForkRequest;
import ai.hanzo.dev.host.op.v1.GetRequest;
import ai.hanzo.dev.host.op.v1.JournalRequest;
import ai.hanzo.dev.host.op.v1.ListRequest;
import ai.hanzo.dev.host.op.v1.OpOptions;
import ai.hanzo.dev.host.op.v1.PurgeRequest;
import ai.hanzo.dev.host.op.v1.ResolveRequest;
import ai.hanzo.dev.host.op.v1.ResumeRequest;
import ai.hanzo.dev.host.op.v1.StartRequest;
import ai.hanzo.dev.host.op.v1.StopRequest;
import ai.hanzo.dev.host.op.v1.SuspendRequest;
import ai.hanzo.dev.host.op.v1.TurnRequest;
import ai.hanzo.dev.host.op.v1.UndoRequest;
import ai.hanzo.dev.host.op.v1.VerifyRequest;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Every op of {@code dev.proto} but the stream, read from the descriptors and bound to the methods
 * of {@link DevService}. Immutable; any thread.
 */
public final class Ops {
    private final Map<String, Op> byName;

    private Ops(Map<String, Op> byName) {
        this.byName = byName;
    }

    /** An op that a method of the service answers, before it met its descriptor. */
    private record Binding(Message prototype, Op.Call call) {}

    private interface Method<Q extends Message> {
        Message call(DevService service, Caller caller, Q request);
    }

    /**
     * The registry.
     *
     * @throws IllegalStateException when an op of the file has no method, or the other way round
     */
    public static Ops load() {
        Map<String, Binding> bindings = bindings();
        var ops = new LinkedHashMap<String, Op>();
        for (MethodDescriptor method :
                DevProto.getDescriptor().findServiceByName("Dev").getMethods()) {
            if (method.isServerStreaming()) {
                continue;
            }
            OpOptions options = options(method);
            Binding binding = bindings.remove(options.getName());
            if (binding == null
                    || binding.prototype().getDescriptorForType() != method.getInputType()) {
                throw new IllegalStateException(
                        "no method of DevService answers the op " + options.getName());
            }
            ops.put(
                    options.getName(),
                    new Op(method, options, binding.prototype(), binding.call()));
        }
        if (!bindings.isEmpty()) {
            throw new IllegalStateException("not in dev.proto: " + bindings.keySet());
        }
        return new Ops(ops);
    }

    /** What the file says of the stream, which is written by hand. */
    public static OpOptions stream() {
        return options(
                DevProto.getDescriptor().findServiceByName("Dev").findMethodByName("Stream"));
    }

    private static OpOptions options(MethodDescriptor method) {
        return method.getOptions().getExtension(DevProto.op);
    }

    private static Map<String, Binding> bindings() {
        var to = new LinkedHashMap<String, Binding>();
        to.put(
                "start",
                bind(StartRequest.class, StartRequest.getDefaultInstance(), DevService::start));
        to.put("list", bind(ListRequest.class, ListRequest.getDefaultInstance(), DevService::list));
        to.put("get", bind(GetRequest.class, GetRequest.getDefaultInstance(), DevService::get));
        to.put("turn", bind(TurnRequest.class, TurnRequest.getDefaultInstance(), DevService::turn));
        to.put("stop", bind(StopRequest.class, StopRequest.getDefaultInstance(), DevService::stop));
        to.put(
                "purge",
                bind(PurgeRequest.class, PurgeRequest.getDefaultInstance(), DevService::purge));
        to.put(
                "cancel",
                bind(CancelRequest.class, CancelRequest.getDefaultInstance(), DevService::cancel));
        to.put(
                "suspend",
                bind(
                        SuspendRequest.class,
                        SuspendRequest.getDefaultInstance(),
                        DevService::suspend));
        to.put(
                "resume",
                bind(ResumeRequest.class, ResumeRequest.getDefaultInstance(), DevService::resume));
        to.put("fork", bind(ForkRequest.class, ForkRequest.getDefaultInstance(), DevService::fork));
        to.put("undo", bind(UndoRequest.class, UndoRequest.getDefaultInstance(), DevService::undo));
        to.put(
                "journal",
                bind(
                        JournalRequest.class,
                        JournalRequest.getDefaultInstance(),
                        DevService::journal));
        to.put(
                "actions",
                bind(
                        ActionsRequest.class,
                        ActionsRequest.getDefaultInstance(),
                        DevService::actions));
        to.put("diff", bind(DiffRequest.class, DiffRequest.getDefaultInstance(), DevService::diff));
        to.put(
                "verify",
                bind(VerifyRequest.class, VerifyRequest.getDefaultInstance(), DevService::verify));
        to.put(
                "approvals",
                bind(
                        ApprovalsRequest.class,
                        ApprovalsRequest.getDefaultInstance(),
                        DevService::approvals));
        to.put(
                "resolve",
                bind(
                        ResolveRequest.class,
                        ResolveRequest.getDefaultInstance(),
                        DevService::resolve));
        return to;
    }

    private static <Q extends Message> Binding bind(Class<Q> type, Q prototype, Method<Q> method) {
        return new Binding(
                prototype,
                (service, caller, request) -> method.call(service, caller, type.cast(request)));
    }

    /** All, in the order of the file. */
    public List<Op> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The op of this name.
     *
     * @throws IllegalArgumentException when there is none of this name
     */
    public Op named(String name) {
        Op op = byName.get(name);
        if (op == null) {
            throw new IllegalArgumentException("no op is named " + name);
        }
        return op;
    }
}
