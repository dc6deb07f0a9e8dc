package ai.hanzo.dev.host.core;

/**
 * The linear memory of one session while no call is inside: what makes one session different from
 * another. The array is shorter than the pages it stands for; what is missing is zero.
 *
 * @param bytes owned by this image; not copied
 * @param pages of 64 KiB, as the module sees them
 */
@SuppressWarnings("ArrayRecordComponent") // one megabyte-sized array that is moved, never compared
record Image(byte[] bytes, int pages) implements WasmCore.State {

    Image copy() {
        return new Image(bytes.clone(), pages);
    }
}
