package ai.hanzo.dev.zap.schema;

import java.util.SortedMap;

/** Emits C. */
final class CEmitter implements Emitter {

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        throw new UnsupportedOperationException("C is not emitted yet");
    }
}
