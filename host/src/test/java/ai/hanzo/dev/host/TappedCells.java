package ai.hanzo.dev.host;

import ai.hanzo.dev.protocol.id.ActionId;
import ai.hanzo.dev.protocol.id.SessionId;
import ai.hanzo.dev.sandbox.Cell;
import ai.hanzo.dev.sandbox.Cells;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Real cells, with a list of every request that is sent to one of them. */
final class TappedCells {
    private final List<Sent> sent = new CopyOnWriteArrayList<>();

    /** A request: its name, and the action that it carries out. */
    record Sent(SessionId session, String request, ActionId action) {}

    /** The requests that name an action, in the order in which they were sent. */
    List<Sent> sentOf(SessionId session) {
        return sent.stream().filter(request -> request.session().equals(session)).toList();
    }

    Cells tap(Cells real) {
        return proxy(
                Cells.class,
                (_, method, arguments) -> {
                    Object answer = call(real, method, arguments);
                    return answer instanceof Cell cell ? tap(cell) : answer;
                });
    }

    private Cell tap(Cell real) {
        return proxy(
                Cell.class,
                (_, method, arguments) -> {
                    if (arguments != null && arguments[0] instanceof ActionId id) {
                        sent.add(new Sent(real.session(), method.getName(), id));
                    }
                    return call(real, method, arguments);
                });
    }

    static Object call(Object real, java.lang.reflect.Method method, Object[] arguments)
            throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
