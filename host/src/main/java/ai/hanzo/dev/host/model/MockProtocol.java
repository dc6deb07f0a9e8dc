package ai.hanzo.dev.host.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** How one provider speaks, from its side of the wire. */
interface MockProtocol {
    /** The header that must hold a key. */
    String keyHeader();

    /** What is wrong with a request, in the provider's words. */
    Optional<String> fault(JsonNode request);

    /** The body of an error. */
    String error(int status, String code, String message);

    /** The server-sent events of a reply, each with its blank line. */
    List<String> events(String model, Script.Entry entry);
}
