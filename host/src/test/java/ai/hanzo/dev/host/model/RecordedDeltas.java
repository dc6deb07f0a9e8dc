package ai.hanzo.dev.host.model;

import java.util.HashMap;
import java.util.Map;

/** Remembers what was told. Used by one thread. */
final class RecordedDeltas implements DeltaListener {
    private final StringBuilder text = new StringBuilder();
    private final Map<Integer, StringBuilder> arguments = new HashMap<>();
    private int pieces;
    private int restarts;

    @Override
    public void text(String piece) {
        pieces++;
        text.append(piece);
    }

    @Override
    public void call(int index, String tool, String piece) {
        arguments.computeIfAbsent(index, _ -> new StringBuilder()).append(piece);
    }

    @Override
    public void restart() {
        restarts++;
        text.setLength(0);
        arguments.clear();
    }

    String text() {
        return text.toString();
    }

    String arguments(int index) {
        return arguments.getOrDefault(index, new StringBuilder()).toString();
    }

    int pieces() {
        return pieces;
    }

    int restarts() {
        return restarts;
    }
}
