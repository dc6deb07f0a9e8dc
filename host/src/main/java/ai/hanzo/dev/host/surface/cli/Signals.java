package ai.hanzo.dev.host.surface.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of this process. Through {@code sun.misc.Signal} by reflection, because the compiler
 * warns of the class and there is no other way short of a terminal library. Handlers run on a
 * thread of the JVM's own.
 */
final class Signals {
    private Signals() {}

    /**
     * Runs {@code action} at each signal from now on, instead of what is usual.
     *
     * @param name without SIG: INT, WINCH
     * @return false when this JVM cannot
     */
    static boolean on(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call =
                    (proxy, method, _) ->
                            switch (method.getName()) {
                                case "handle" -> {
                                    action.run();
                                    yield null;
                                }
                                case "hashCode" -> System.identityHashCode(proxy);
                                case "equals" -> false;
                                default -> "handler of SIG" + name;
                            };
            signal.getMethod("handle", signal, handler)
                    .invoke(
                            null,
                            signal.getConstructor(String.class).newInstance(name),
                            Proxy.newProxyInstance(
                                    Signals.class.getClassLoader(),
                                    new Class<?>[] {handler},
                                    call));
            return true;
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
