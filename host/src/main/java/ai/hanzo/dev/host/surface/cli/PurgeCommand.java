package ai.hanzo.dev.host.surface.cli;

import ai.hanzo.dev.host.op.OpJson;
import ai.hanzo.dev.host.op.v1.PurgeRequest;
import ai.hanzo.dev.host.op.v1.PurgeResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hanzo dev purge}: removes sessions that are over. */
@Command(
        name = "purge",
        description = {
            "Remove sessions that are over, with their journals, for good. The files that only"
                    + " they",
            "needed go within two days."
        })
final class PurgeCommand extends SessionCommands.Child {
    @Parameters(arity = "1..*", paramLabel = "ID", description = "The sessions: ses_…")
    @Nullable List<String> ids;

    @Override
    public Integer call() {
        Client client = cli().client();
        for (String id : ids == null ? List.<String>of() : ids) {
            PurgeResponse gone =
                    client.call(
                            "purge",
                            PurgeRequest.newBuilder().setId(id).build(),
                            PurgeResponse.getDefaultInstance());
            out().println(
                            json()
                                    ? OpJson.print(gone)
                                    : "removed " + id + ", " + gone.getEntries() + " entries");
        }
        return Exit.COMPLETE.code();
    }
}
