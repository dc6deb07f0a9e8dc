import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeModel;
import java.lang.classfile.Label;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.BranchInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LabelTarget;
import java.lang.classfile.instruction.LoadInstruction;
import java.lang.classfile.instruction.LookupSwitchInstruction;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.classfile.instruction.TableSwitchInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One function of a module as Chicory compiled it, written again: calls go to the linked class and
 * to its base, and the interrupt flag is looked at once in each turn of a loop and on each circle
 * of calls, and not at every call. Between those looks everything comes to its end by itself.
 */
final class Relinked {
    private static final String CHECK = "checkInterruption";

    private Relinked() {}

    static void function(
            ClassBuilder linked,
            ClassDesc name,
            MethodModel function,
            Recursion recursion,
            Map<String, MethodTypeDesc> indirect) {
        String id = function.methodName().stringValue();
        CodeModel code = function.code().orElseThrow();
        List<CodeElement> elements = code.elementList();
        checkLoops(id, elements);
        MethodTypeDesc type = Retyped.of(function.methodTypeSymbol());
        int self = Glue.slots(type, 0)[type.parameterCount() - 1];
        linked.withMethodBody(
                id,
                type,
                ClassFile.ACC_STATIC,
                builder -> {
                    for (int i = 0; i < elements.size(); i++) {
                        if (elements.get(i) instanceof InvokeInstruction call) {
                            if (!call.name().equalsString(CHECK)) {
                                call(builder, name, call, indirect);
                            } else if (!isNeedless(callAfter(elements, i), id, recursion)) {
                                Glue.check(builder, self);
                            }
                        } else {
                            builder.with(elements.get(i));
                        }
                    }
                });
    }

    /** A look before a call that cannot come back here. */
    private static boolean isNeedless(String callee, String caller, Recursion recursion) {
        return !callee.isEmpty() && !recursion.isOnACircle(caller, callee);
    }

    /** The call that the element at {@code i} stands before, or empty. */
    private static String callAfter(List<CodeElement> elements, int i) {
        return i + 3 < elements.size()
                        && elements.get(i + 1) instanceof LoadInstruction
                        && elements.get(i + 2) instanceof LoadInstruction
                        && elements.get(i + 3) instanceof InvokeInstruction call
                        && (isFunction(call) || isIndirect(call))
                ? call.name().stringValue()
                : "";
    }

    private static boolean isFunction(InvokeInstruction call) {
        return call.name().stringValue().startsWith("func_");
    }

    private static boolean isIndirect(InvokeInstruction call) {
        return call.name().stringValue().startsWith("call_indirect_");
    }

    private static void call(
            CodeBuilder builder,
            ClassDesc name,
            InvokeInstruction call,
            Map<String, MethodTypeDesc> indirect) {
        String method = call.name().stringValue();
        String owner = call.owner().name().stringValue();
        MethodTypeDesc type = Retyped.of(call.typeSymbol());
        if (isFunction(call)) {
            builder.invokestatic(name, method, type);
        } else if (isIndirect(call)) {
            indirect.put(method, type);
            builder.invokestatic(name, method, type);
        } else if (owner.endsWith("MachineShaded")) {
            builder.invokestatic(CoreLinker.BASE, method, type);
        } else if (owner.equals("com/dylibso/chicory/runtime/OpcodeImpl")) {
            builder.with(call);
        } else {
            throw new LinkException("a function calls " + owner + "." + method);
        }
    }

    private static Stream<Label> targets(CodeElement element) {
        return switch (element) {
            case BranchInstruction branch -> Stream.of(branch.target());
            case TableSwitchInstruction table ->
                    targets(table.defaultTarget(), table.cases());
            case LookupSwitchInstruction table ->
                    targets(table.defaultTarget(), table.cases());
            default -> Stream.empty();
        };
    }

    private static Stream<Label> targets(Label otherwise, List<SwitchCase> cases) {
        return Stream.concat(Stream.of(otherwise), cases.stream().map(SwitchCase::target));
    }

    /** Chicory looks before each jump back; this is what a deadline rests on. */
    private static void checkLoops(String id, List<CodeElement> elements) {
        Set<Label> passed = new HashSet<>();
        boolean isChecked = false;
        for (CodeElement element : elements) {
            if (element instanceof LabelTarget target) {
                passed.add(target.label());
                continue;
            }
            if (!isChecked && targets(element).anyMatch(passed::contains)) {
                throw new LinkException(id + " jumps back without a look whether it is to stop");
            }
            isChecked =
                    element instanceof InvokeInstruction call && call.name().equalsString(CHECK);
        }
    }
}
