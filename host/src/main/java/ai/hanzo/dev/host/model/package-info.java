/**
 * Models: what they are shown and how they are asked. {@link ai.hanzo.dev.host.model.Transcripts}
 * keeps the conversations of a session, {@link ai.hanzo.dev.host.model.Models} turns the name of a
 * model into a {@link ai.hanzo.dev.host.model.ModelProvider}, which asks one question and answers
 * with one {@link ai.hanzo.dev.host.model.ModelOutcome}. Called by dispatch; begin reading at
 * {@code ModelProvider}.
 */
@NullMarked
package ai.hanzo.dev.host.model;

import org.jspecify.annotations.NullMarked;
