/**
 * The reasoning core, {@code dev.wasm}, behind two interfaces: {@link ai.hanzo.dev.host.core.Cores}
 * opens sessions by the digest of the module, {@link ai.hanzo.dev.host.core.Core} is one of them.
 * Bytes in and bytes out are ZAP messages of {@code wasm/dev.zap}; this package does not look
 * inside them.
 *
 * <p>The only package that uses Chicory. Called by {@code host.session} alone. Begin reading at
 * {@link ai.hanzo.dev.host.core.Core}.
 */
@NullMarked
package ai.hanzo.dev.host.core;

import org.jspecify.annotations.NullMarked;
