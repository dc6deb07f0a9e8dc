import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which calls may come back to the function that makes them. Indirect calls do not count: each of
 * them looks at the interrupt flag by itself.
 *
 * @param reached what a function may come to, itself only if it recurses
 */
record Recursion(Map<String, Set<String>> reached) {
    static Recursion of(List<MethodModel> functions) {
        var calls = new HashMap<String, Set<String>>();
        for (MethodModel function : functions) {
            var called = new HashSet<String>();
            function.code()
                    .orElseThrow()
                    .forEach(element -> {
                        if (element instanceof InvokeInstruction call
                                && call.name().stringValue().startsWith("func_")) {
                            called.add(call.name().stringValue());
                        }
                    });
            calls.put(function.methodName().stringValue(), called);
        }
        var reached = new HashMap<String, Set<String>>();
        calls.keySet().forEach(from -> reached.put(from, reachedFrom(from, calls)));
        return new Recursion(reached);
    }

    private static Set<String> reachedFrom(String from, Map<String, Set<String>> calls) {
        var seen = new HashSet<String>();
        Deque<String> left = new ArrayDeque<>(calls.get(from));
        while (!left.isEmpty()) {
            String next = left.pop();
            if (seen.add(next)) {
                left.addAll(calls.getOrDefault(next, Set.of()));
            }
        }
        return seen;
    }

    /** Whether a call of {@code callee} in {@code caller} lies on a circle. */
    boolean isOnACircle(String caller, String callee) {
        return reached.getOrDefault(callee, Set.of()).contains(caller)
                || callee.equals(caller);
    }
}
