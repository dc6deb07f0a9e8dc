package ai.hanzo.dev.host.surface.cli;

import java.util.List;
import java.util.Optional;

/**
 * What this machine can enforce on a command.
 *
 * @param level the sum of it, in a word; {@code none} when no cell can be had
 * @param landlockAbi of the kernel, 0 for none
 * @param layers what is enforced, by the names that {@code cell selftest} prints
 * @param missing what is not, each with its reason
 */
public record Confinement(
        String level, int landlockAbi, List<String> layers, List<String> missing) {
    public Confinement {
        layers = List.copyOf(layers);
        missing = List.copyOf(missing);
    }

    boolean isEnough() {
        return !level.equals("none");
    }

    boolean has(String layer) {
        return layers.contains(layer);
    }

    /** Why {@code word} is missing, in the cell's own words. */
    Optional<String> reason(String word) {
        return missing.stream().filter(line -> line.contains(word)).findFirst();
    }
}
