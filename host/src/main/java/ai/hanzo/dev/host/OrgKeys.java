package ai.hanzo.dev.host;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.OrgId;
import ai.hanzo.dev.workspace.BlobCipher;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The keys of organisations, each derived from one secret that never leaves its file: HKDF-SHA-256
 * (RFC 5869) with the purpose and the organisation as its context.
 *
 * <p>The secret is 32 bytes, as 64 hexadecimal digits, in {@code keys/org.key} of the state
 * directory, made at the first start; hosts that share a database share the file that {@code
 * HANZO_ORG_KEY_FILE} names. Immutable; safe for all threads.
 */
final class OrgKeys {
    /** Names the file, in place of the one in the state directory. */
    static final String VARIABLE = "HANZO_ORG_KEY_FILE";

    private static final int SECRET_BYTES = 32;
    private static final String ALGORITHM = "HKDF-SHA256";
    private static final Set<PosixFilePermission> OWNER_ONLY =
            PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OTHERS_WRITE =
            PosixFilePermissions.fromString("----w--w-");

    private final byte[] secret;

    private OrgKeys(byte[] secret) {
        this.secret = secret;
    }

    /**
     * Reads the secret, or makes it where there is none yet.
     *
     * @throws HostException {@code KEY} if the file cannot be read, holds something else, or can be
     *     read by others
     */
    static OrgKeys of(Path home, Map<String, String> environment, RandomGenerator random) {
        String given = environment.getOrDefault(VARIABLE, "");
        Path file = given.isEmpty() ? home.resolve("keys/org.key") : Path.of(given);
        try {
            if (given.isEmpty() && !Files.exists(file)) {
                make(file, random);
            }
            checkOthers(file);
            return new OrgKeys(parse(file));
        } catch (NoSuchFileException e) {
            throw HostException.key(file, "it is not there; put it back, or correct " + VARIABLE);
        } catch (IOException e) {
            throw HostException.key(file, e + "; make it readable for this user");
        }
    }

    /** Who can write in the folder can put another file in its place. */
    private static void checkOthers(Path file) throws IOException {
        var open = EnumSet.copyOf(Files.getPosixFilePermissions(file));
        open.removeAll(OWNER_ONLY);
        if (!open.isEmpty()) {
            throw HostException.key(file, "others can read or change it: chmod 600 " + file);
        }
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null
                && Files.getPosixFilePermissions(folder).stream()
                        .anyMatch(OTHERS_WRITE::contains)) {
            throw HostException.key(file, "others can replace it: chmod go-w " + folder);
        }
    }

    private static byte[] parse(Path file) throws IOException {
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
        if (!text.matches("[0-9a-fA-F]{" + 2 * SECRET_BYTES + "}")) {
            throw HostException.key(
                    file, "it must hold 64 hexadecimal digits; restore it from a backup");
        }
        byte[] secret = HexFormat.of().parseHex(text);
        if (Arrays.equals(secret, new byte[SECRET_BYTES])) {
            throw HostException.key(file, "all zeros are no secret; restore it from a backup");
        }
        return secret;
    }

    /** Appears whole or not at all; of two hosts that make it at once, one wins. */
    private static void make(Path file, RandomGenerator random) throws IOException {
        var fresh = new byte[SECRET_BYTES];
        random.nextBytes(fresh);
        Path folder = Objects.requireNonNull(file.getParent());
        Files.createDirectories(
                folder,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path draft =
                Files.createTempFile(
                        folder, "org.key.", "", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            Files.writeString(
                    draft, HexFormat.of().formatHex(fresh) + "\n", StandardOpenOption.SYNC);
            Files.createLink(file, draft);
            sync(folder);
        } catch (FileAlreadyExistsException e) {
            return; // the other host's is as good
        } finally {
            Files.delete(draft);
        }
    }

    /** What was sealed with a key is of use only while the key is there, also after a power cut. */
    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder)) {
            channel.force(true);
        }
    }

    /** The secret itself, as it stands in its file; never to be shown. */
    String text() {
        return HexFormat.of().formatHex(secret);
    }

    /** What seals stored files, which organisations share. */
    BlobCipher ofBlobs(SecureRandom random) {
        return new BlobCipher(expand("hanzo dev/blobs").toArray(), random);
    }

    /**
     * A key of 32 bytes that is used for nothing else.
     *
     * @param purpose what for, such as {@code snapshot}
     */
    Bytes derive(String purpose, OrgId org) {
        return expand("hanzo dev/" + purpose + "/" + org.value());
    }

    private Bytes expand(String context) {
        try {
            var how =
                    HKDFParameterSpec.ofExtract()
                            .addIKM(secret)
                            .thenExpand(context.getBytes(StandardCharsets.UTF_8), SECRET_BYTES);
            return Bytes.wrap(KDF.getInstance(ALGORITHM).deriveData(how));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java 25 platform has " + ALGORITHM, e);
        }
    }
}
