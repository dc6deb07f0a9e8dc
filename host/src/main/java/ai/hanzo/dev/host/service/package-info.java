/**
 * The ops of {@code dev.proto}, carried out: what every surface calls. Begin at {@link
 * ai.hanzo.dev.host.service.HostService}.
 */
@NullMarked
package ai.hanzo.dev.host.service;

import org.jspecify.annotations.NullMarked;
