package ai.hanzo.dev.host.op;

import ai.hanzo.dev.host.op.v1.OpOptions;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One op as a surface sees it: its options of {@code dev.proto}, its types, and how to call it.
 * Immutable; any thread.
 */
public final class Op {
    private static final Pattern PATH_FIELD = Pattern.compile("\\{([a-z_]+)}");

    /** Calls the service; request and response are of the op's types. */
    interface Call {
        Message call(DevService service, Caller caller, Message request);
    }

    private final MethodDescriptor descriptor;
    private final OpOptions options;
    private final Message requestPrototype;
    private final Call call;
    private final List<FieldDescriptor> pathFields;

    Op(MethodDescriptor descriptor, OpOptions options, Message requestPrototype, Call call) {
        this.descriptor = descriptor;
        this.options = options;
        this.requestPrototype = requestPrototype;
        this.call = call;
        this.pathFields =
                PATH_FIELD
                        .matcher(options.getPath())
                        .results()
                        .map(found -> field(found.group(1)))
                        .toList();
    }

    private FieldDescriptor field(String name) {
        FieldDescriptor field = requestPrototype.getDescriptorForType().findFieldByName(name);
        if (field == null) {
            throw new IllegalStateException(
                    descriptor.getFullName() + ": its path names no field of its request: " + name);
        }
        return field;
    }

    /** Name, route, status, description, safety. */
    public OpOptions options() {
        return options;
    }

    public MethodDescriptor descriptor() {
        return descriptor;
    }

    /** An empty request; its builder is the way to make one. */
    public Message requestPrototype() {
        return requestPrototype;
    }

    /** The fields that the path gives, in path order. */
    public List<FieldDescriptor> pathFields() {
        return pathFields;
    }

    /** The field that the header Idempotency-Key fills. */
    public Optional<FieldDescriptor> idempotencyField() {
        return Optional.ofNullable(
                requestPrototype.getDescriptorForType().findFieldByName("idempotency_key"));
    }

    /** Asks the service. */
    public Message call(DevService service, Caller caller, Message request) {
        return call.call(service, caller, request);
    }
}
