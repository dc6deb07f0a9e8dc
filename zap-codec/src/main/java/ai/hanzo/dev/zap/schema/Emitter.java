package ai.hanzo.dev.zap.schema;

import java.util.SortedMap;

/**
 * Writes a checked schema in one target language. Stateless; the same schema gives the same text.
 */
interface Emitter {

    /**
     * The generated files: name relative to the output directory → text with {@code \n} line ends.
     * A language of one file uses the empty name.
     */
    SortedMap<String, String> emit(Schema schema);
}
