import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a linked class has beside the functions of its module. */
final class Glue {
    /** A constant of a class file has 65,535 bytes at most, and a character up to two of them. */
    private static final int MOST_CHARACTERS = 30_000;

    /** Memory and code, the last two parameters of each function. */
    private static final int OWN = 2;

    private Glue() {}

    static void constructor(ClassBuilder linked, int stackPointer) {
        MethodTypeDesc type =
                MethodTypeDesc.of(ConstantDescs.CD_void, CoreLinker.MEMORY, CoreLinker.HOST);
        linked.withMethodBody(
                ConstantDescs.INIT_NAME,
                type,
                0,
                code ->
                        code.aload(0)
                                .aload(1)
                                .aload(2)
                                .loadConstant(stackPointer)
                                .invokespecial(
                                        CoreLinker.BASE,
                                        ConstantDescs.INIT_NAME,
                                        type.insertParameterTypes(2, ConstantDescs.CD_int))
                                .return_());
    }

    /** What the host must know before there is a memory. */
    static void facts(ClassBuilder linked, String digest, int[] pages) {
        linked.withMethodBody(
                "digest",
                MethodTypeDesc.of(ConstantDescs.CD_String),
                ClassFile.ACC_STATIC,
                code -> code.loadConstant(digest).areturn());
        number(linked, "initialPages", pages[0]);
        number(linked, "maximumPages", pages[1]);
    }

    private static void number(ClassBuilder linked, String name, int value) {
        linked.withMethodBody(
                name,
                MethodTypeDesc.of(ConstantDescs.CD_int),
                ClassFile.ACC_STATIC,
                code -> code.loadConstant(value).ireturn());
    }

    static void load(ClassBuilder linked, Map<Integer, String> data) {
        MethodTypeDesc put =
                MethodTypeDesc.of(
                        ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_String);
        linked.withMethodBody(
                "load",
                ConstantDescs.MTD_void,
                0,
                code -> {
                    data.forEach(
                            (at, bytes) -> {
                                for (int i = 0; i < bytes.length(); i += MOST_CHARACTERS) {
                                    int end = Math.min(bytes.length(), i + MOST_CHARACTERS);
                                    code.aload(0)
                                            .loadConstant(at + i)
                                            .loadConstant(bytes.substring(i, end))
                                            .invokevirtual(CoreLinker.BASE, "put", put);
                                }
                            });
                    code.return_();
                });
    }

    /** A method of {@code CoreCode}, which calls the function that is exported. */
    static void export(
            ClassBuilder linked,
            ClassDesc name,
            String method,
            String function,
            MethodTypeDesc type) {
        int own = type.parameterCount() - OWN;
        linked.withMethodBody(
                method,
                type.dropParameterTypes(own, type.parameterCount()),
                ClassFile.ACC_PUBLIC,
                code -> {
                    load(code, type, own, 1);
                    code.aload(0)
                            .getfield(CoreLinker.BASE, "memory", CoreLinker.MEMORY)
                            .aload(0)
                            .invokestatic(name, function, type)
                            .return_(TypeKind.from(type.returnType()));
                });
    }

    /** A function that is an import. */
    static void imported(
            ClassBuilder linked, String function, MethodTypeDesc type, String imported) {
        linked.withMethodBody(
                function,
                type,
                ClassFile.ACC_STATIC,
                code -> {
                    load(code, type, type.parameterCount(), 0);
                    code.invokestatic(CoreLinker.BASE, imported, type)
                            .return_(TypeKind.from(type.returnType()));
                });
    }

    /**
     * A call through the table: the parameters of the function, its place in the table, the number
     * of the table, and what all functions have.
     */
    static void indirect(
            ClassBuilder linked,
            ClassDesc name,
            String id,
            MethodTypeDesc type,
            Map<Integer, String> table,
            Map<String, MethodTypeDesc> types) {
        int own = type.parameterCount() - OWN - 2;
        MethodTypeDesc function = type.dropParameterTypes(own, own + 2);
        linked.withMethodBody(
                id,
                type,
                ClassFile.ACC_STATIC,
                code -> {
                    int[] slots = slots(type, 0);
                    check(code, slots[own + 3]);
                    code.iload(slots[own]);
                    var places = new LinkedHashMap<Label, String>();
                    List<SwitchCase> cases = new ArrayList<>();
                    table.forEach(
                            (at, callee) -> {
                                if (function.equals(types.get(callee))) {
                                    Label label = code.newLabel();
                                    places.put(label, callee);
                                    cases.add(SwitchCase.of(at, label));
                                }
                            });
                    Label none = code.newLabel();
                    code.lookupswitch(none, cases);
                    places.forEach(
                            (label, callee) -> {
                                code.labelBinding(label);
                                load(code, type, own, 0);
                                code.aload(slots[own + 2])
                                        .aload(slots[own + 3])
                                        .invokestatic(name, callee, function)
                                        .return_(TypeKind.from(type.returnType()));
                            });
                    code.labelBinding(none)
                            .invokestatic(
                                    CoreLinker.BASE,
                                    "throwBadIndirectCall",
                                    MethodTypeDesc.of(ClassDesc.of("java.lang.RuntimeException")))
                            .athrow();
                });
    }

    /** Ends the call here if it is to stop; {@code self} has the code that runs. */
    static void check(CodeBuilder code, int self) {
        code.aload(self)
                .invokestatic(
                        CoreLinker.BASE,
                        "checkInterruption",
                        MethodTypeDesc.of(ConstantDescs.CD_void, CoreLinker.BASE));
    }

    private static void load(CodeBuilder code, MethodTypeDesc type, int count, int first) {
        int[] slots = slots(type, first);
        for (int i = 0; i < count; i++) {
            code.loadLocal(TypeKind.from(type.parameterType(i)), slots[i]);
        }
    }

    static int[] slots(MethodTypeDesc type, int first) {
        var slots = new int[type.parameterCount()];
        int next = first;
        for (int i = 0; i < slots.length; i++) {
            slots[i] = next;
            next += TypeKind.from(type.parameterType(i)).slotSize();
        }
        return slots;
    }
}
