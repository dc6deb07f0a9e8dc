/**
 * The schema compiler: reads a {@code .zap} file and writes Java, Rust and C that speak it.
 *
 * <p>Begin reading at {@link ai.hanzo.dev.zap.schema.SchemaParser}. The package stands alone: it
 * uses the JDK and nothing else, so that the build can run it from source before anything is
 * compiled ({@code java Main.java …}). Only the build and the tests call it; no part of it runs in
 * the host.
 */
@NullMarked
package ai.hanzo.dev.zap.schema;

import org.jspecify.annotations.NullMarked;
