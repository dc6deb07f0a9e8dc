/**
 * Tools: what a model may call. {@link ai.hanzo.dev.host.tool.Tools} is the catalogue with its JSON
 * Schemas, {@link ai.hanzo.dev.host.tool.Calls} reads the arguments that a model wrote, {@link
 * ai.hanzo.dev.host.tool.Configs} puts together what a core is told. Pure, but for what the
 * sub-packages do. Called by the models and by sessions; begin reading at {@code Tools}.
 */
@NullMarked
package ai.hanzo.dev.host.tool;

import org.jspecify.annotations.NullMarked;
