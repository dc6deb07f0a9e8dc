package ai.hanzo.dev.sandbox;

/** How strong a confinement is; later ones are stronger. */
public enum Level {
    /** Nothing: no cell is ever granted on such a machine. */
    NONE,
    /**
     * Landlock, seccomp, no capabilities, resource limits. Names, sizes and times of files outside
     * can be seen, and there is no private /tmp.
     */
    LANDLOCK,
    /** That, and user, mount, pid, network, ipc and uts namespaces with a root of its own. */
    NAMESPACES
}
