/**
 * Backups of a whole state directory. Called by the command line only; knows the ledger's tables
 * and the blob store, and no service. Begin with {@link ai.hanzo.dev.host.backup.Backups}.
 */
@org.jspecify.annotations.NullMarked
package ai.hanzo.dev.host.backup;
