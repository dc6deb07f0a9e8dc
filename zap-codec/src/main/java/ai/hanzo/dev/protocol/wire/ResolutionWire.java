package ai.hanzo.dev.protocol.wire;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.Resolution;
import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.ApprovalId;
import ai.hanzo.dev.zap.dev.ResolutionBuilder;
import ai.hanzo.dev.zap.dev.ResolutionView;

/** Resolutions as ZAP messages. */
public final class ResolutionWire {
    private ResolutionWire() {}

    /** The message of {@code resolution}. */
    public static Bytes encode(Resolution resolution) {
        return Bytes.wrap(
                new ResolutionBuilder()
                        .approval(resolution.approval().value())
                        .action(resolution.action().value())
                        .approved(resolution.approved())
                        .by(resolution.by())
                        .note(resolution.note())
                        .toMessage());
    }

    /**
     * The resolution in {@code message}.
     *
     * @throws ai.hanzo.dev.zap.CodecException if it is not one
     */
    public static Resolution decode(Bytes message) {
        ResolutionView view = ResolutionView.open(message.toArray());
        try {
            return new Resolution(
                    new ApprovalId(view.approval()),
                    new ActionId(view.action()),
                    view.approved(),
                    view.by(),
                    view.note());
        } catch (IllegalArgumentException e) {
            throw ai.hanzo.dev.zap.CodecException.badValue(String.valueOf(e.getMessage()));
        }
    }
}
