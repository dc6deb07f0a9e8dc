/**
 * The format of session files: one session with all that it needs elsewhere. Knows the rows of the
 * ledger and no service; begin with {@link ai.hanzo.dev.host.archive.SessionFileReader}.
 */
@org.jspecify.annotations.NullMarked
package ai.hanzo.dev.host.archive;
