package ai.hanzo.dev.zap.schema;

import java.util.SortedMap;

/** Emits Rust. */
final class RustEmitter implements Emitter {

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        throw new UnsupportedOperationException("Rust is not emitted yet");
    }
}
