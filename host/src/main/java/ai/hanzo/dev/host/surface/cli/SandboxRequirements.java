package ai.hanzo.dev.host.surface.cli;

import static ai.hanzo.dev.host.surface.cli.Requirements.met;
import static ai.hanzo.dev.host.surface.cli.Requirements.missing;
import static ai.hanzo.dev.host.surface.cli.Requirements.sentence;

import ai.hanzo.dev.host.surface.cli.Requirements.Requirement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the kernel must give for a command to be confined, as the cell itself finds it. */
final class SandboxRequirements {
    /** Of Landlock; design and kernel documentation: 2 came with Linux 5.19, 6 with 6.12. */
    private static final int ABI_WITH_NAMESPACES = 2;

    private static final Path CGROUPS = Path.of("/sys/fs/cgroup/cgroup.controllers");

    /** There when the kernel can filter; the cell tries it last. */
    private static final Path SECCOMP = Path.of("/proc/sys/kernel/seccomp/actions_avail");

    private static final String NO_LANDLOCK =
            "Boot a kernel 5.19 or later (6.12 without user namespaces) with landlock in its lsm="
                    + " list; cat /sys/kernel/security/lsm shows the list.";

    private final Programs.SandboxCheck check;

    SandboxRequirements(Programs.SandboxCheck check) {
        this.check = check;
    }

    List<Requirement> all() {
        Confinement found;
        try {
            found = check.check();
        } catch (RuntimeException e) {
            return List.of(missing("sandbox", "commands cannot be confined", sentence(e)));
        }
        var all = new ArrayList<Requirement>();
        all.add(landlock(found));
        all.add(userNamespaces(found));
        all.add(seccomp(found));
        all.add(cgroups());
        all.add(whole(found));
        return all;
    }

    private static Requirement landlock(Confinement found) {
        return found.landlockAbi() >= ABI_WITH_NAMESPACES
                ? met("Landlock", "ABI " + found.landlockAbi())
                : missing(
                        "Landlock",
                        found.reason("landlock").orElse("ABI " + found.landlockAbi()),
                        NO_LANDLOCK);
    }

    private static Requirement userNamespaces(Confinement found) {
        if (found.has("user-namespace")) {
            return met("user namespaces", "can be made");
        }
        return new Requirement(
                "user namespaces",
                found.reason("namespace").orElse("cannot be made"),
                Optional.of(userNamespaceFix()),
                /* optional= */ true);
    }

    /** The first setting that forbids them, and the command that allows them. */
    private static String userNamespaceFix() {
        if (is("/proc/sys/user/max_user_namespaces", "0")) {
            return "sysctl -w user.max_user_namespaces=10000";
        }
        if (is("/proc/sys/kernel/unprivileged_userns_clone", "0")) {
            return "sysctl -w kernel.unprivileged_userns_clone=1";
        }
        if (is("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1")) {
            return "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0";
        }
        return "In a container, allow it to make user namespaces; without them commands see the"
                + " names of files outside and have no /tmp of their own.";
    }

    private static boolean is(String setting, String value) {
        try {
            return Files.readString(Path.of(setting)).strip().equals(value);
        } catch (IOException e) {
            return false;
        }
    }

    private static Requirement seccomp(Confinement found) {
        boolean notTried = found.layers().isEmpty() && found.reason("seccomp").isEmpty();
        return found.has("seccomp") || (notTried && Files.exists(SECCOMP))
                ? met("seccomp", "filters system calls")
                : missing(
                        "seccomp",
                        found.reason("seccomp").orElse("no filter can be set"),
                        "Boot a kernel with CONFIG_SECCOMP_FILTER, or allow seccomp(2) in the"
                                + " container.");
    }

    /** Cells bound processes and memory without them; with them the kernel does. */
    private static Requirement cgroups() {
        try {
            String controllers = Files.readString(CGROUPS).strip();
            return new Requirement(
                    "cgroups", "v2: " + controllers, Optional.empty(), /* optional= */ true);
        } catch (IOException e) {
            return new Requirement(
                    "cgroups",
                    "no cgroup v2 at /sys/fs/cgroup",
                    Optional.of("mount -t cgroup2 none /sys/fs/cgroup; cells do without."),
                    /* optional= */ true);
        }
    }

    private static Requirement whole(Confinement found) {
        return found.isEnough()
                ? met(
                        "sandbox",
                        found.level()
                                + (found.missing().isEmpty() ? "" : "; without " + found.missing()))
                : missing(
                        "sandbox",
                        "commands cannot be confined: " + String.join("; ", found.missing()),
                        "Mend what is missing above; hanzo runs no command without a sandbox.");
    }
}
