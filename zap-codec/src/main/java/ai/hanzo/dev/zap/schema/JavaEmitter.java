package ai.hanzo.dev.zap.schema;

import java.util.SortedMap;

/** Emits Java. */
final class JavaEmitter implements Emitter {
    private final String packageName;

    JavaEmitter(String packageName) {
        this.packageName = packageName;
    }

    @Override
    public SortedMap<String, String> emit(Schema schema) {
        throw new UnsupportedOperationException("Java is not emitted yet: " + packageName);
    }
}
