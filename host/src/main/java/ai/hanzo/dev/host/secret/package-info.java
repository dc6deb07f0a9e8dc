/**
 * What is kept from being read: known secrets and token shapes are masked ({@link
 * ai.hanzo.dev.host.secret.Redactor}), bodies of effects are sealed under a key of their session
 * ({@link ai.hanzo.dev.host.secret.Vault}). Knows the ledger's bodies and the protocol; nothing of
 * sessions. Begin with {@link ai.hanzo.dev.host.secret.Vaults}.
 */
@NullMarked
package ai.hanzo.dev.host.secret;

import org.jspecify.annotations.NullMarked;
