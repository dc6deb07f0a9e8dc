/**
 * How the processes of one machine find each other: the state directory, the file that names the
 * running host, and how a client starts, meets and ends one. Begin at {@link
 * ai.hanzo.dev.host.local.LocalHosts}, the client's side.
 */
@NullMarked
package ai.hanzo.dev.host.local;

import org.jspecify.annotations.NullMarked;
