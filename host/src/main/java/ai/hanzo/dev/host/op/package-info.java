/**
 * The operations of the surface, defined once in {@code dev.proto}: {@link
 * ai.hanzo.dev.host.op.DevService} is what the host implements, {@link ai.hanzo.dev.host.op.Ops}
 * the registry that REST, the command line and later MCP and Slack are built from. May be called
 * from the surfaces and from the service; knows neither HTTP nor the ledger. Begin at {@link
 * ai.hanzo.dev.host.op.DevService}.
 */
@NullMarked
package ai.hanzo.dev.host.op;

import org.jspecify.annotations.NullMarked;
