/**
 * The host process: {@link ai.hanzo.dev.host.Assembly} is the only place that puts services
 * together, {@link ai.hanzo.dev.host.HostProcess} runs them.
 */
@NullMarked
package ai.hanzo.dev.host;

import org.jspecify.annotations.NullMarked;
