package ai.hanzo.dev.sandbox;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What is enforced on a cell, or can be on this machine.
 *
 * @param level the sum of it
 * @param landlockAbi the kernel's Landlock ABI, 0 for none
 * @param layers what is enforced, by the names that {@code cell selftest} prints
 * @param missing what is not, each with its reason; empty for a leased cell
 */
public record Enforced(Level level, int landlockAbi, List<String> layers, List<String> missing) {
    public Enforced {
        requireNonNull(level, "level");
        layers = List.copyOf(layers);
        missing = List.copyOf(missing);
    }
}
