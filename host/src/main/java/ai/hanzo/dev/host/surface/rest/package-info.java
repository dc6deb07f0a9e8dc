/**
 * The ops over HTTP: one route for each op of {@code dev.proto}, read from its descriptors, and
 * problem documents (RFC 9457) for all that goes wrong. Knows the ops and Javalin, nothing behind
 * the service. Begin at {@link ai.hanzo.dev.host.surface.rest.RestServer}; {@link
 * ai.hanzo.dev.host.surface.rest.Serving} is the life of a host process around it.
 */
@NullMarked
package ai.hanzo.dev.host.surface.rest;

import org.jspecify.annotations.NullMarked;
