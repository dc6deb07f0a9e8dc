package ai.hanzo.dev.workspace;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Runs a task as root without root's powers, so that modes of files bind it as they bind anyone.
 *
 * <p>Capabilities belong to a thread and pass to the threads that it starts (capabilities(7)): the
 * task runs in a platform thread of its own, and pools that it fills first run so too.
 */
final class WithoutCapabilities {

    // include/uapi/linux/capability.h, _LINUX_CAPABILITY_VERSION_3
    private static final int VERSION_3 = 0x20080522;

    private static final MethodHandle CAPSET =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("capset"),
                            FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS));

    private WithoutCapabilities() {}

    static <T extends @Nullable Object> T call(Callable<T> task) throws Exception {
        FutureTask<T> future =
                new FutureTask<>(() -> {
                    dropAll();
                    return task.call();
                });
        Thread.ofPlatform().daemon().start(future);
        return future.get();
    }

    private static void dropAll() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(8, 4);
            header.set(JAVA_INT, 0, VERSION_3);
            MemorySegment none = arena.allocate(24, 4);
            assertThat((int) CAPSET.invokeExact(header, none)).as("capset").isZero();
        } catch (Throwable e) {
            throw new AssertionError("capset", e);
        }
    }
}
