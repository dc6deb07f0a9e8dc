package ai.hanzo.dev.sandbox;

/**
 * A process that lives on in a cell after its command.
 *
 * @param pid as the cell numbers it
 * @param action the number of the action that started it, or 0 when unknown
 * @param command its name, cut to 15 bytes by the kernel
 */
public record LeftProcess(int pid, long action, String command) {}
