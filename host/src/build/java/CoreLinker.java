import com.dylibso.chicory.wasm.Parser;
import com.dylibso.chicory.wasm.WasmModule;
import com.dylibso.chicory.wasm.types.ActiveDataSegment;
import com.dylibso.chicory.wasm.types.ActiveElement;
import com.dylibso.chicory.wasm.types.DataSegment;
import com.dylibso.chicory.wasm.types.Element;
import com.dylibso.chicory.wasm.types.ExternalType;
import com.dylibso.chicory.wasm.types.Instruction;
import com.dylibso.chicory.wasm.types.OpCode;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Links a module that Chicory has compiled to {@code ai.hanzo.dev.host.core.LinkedCode}, so that it
 * runs without Chicory's instance: its stack pointer is a field, its table and its imports are
 * calls, its data is in the class. Run by the build:
 *
 * <pre>java CoreLinker.java MODULE COMPILED-FOLDER OUTPUT-FOLDER CLASS</pre>
 *
 * <p>Anything that it was not written for fails the build with a sentence. {@code docs/core.md},
 * "Linked code", says what is changed and why.
 */
final class CoreLinker {
    static final String PACKAGE = "ai.hanzo.dev.host.core";
    static final ClassDesc BASE = ClassDesc.of(PACKAGE, "LinkedCode");
    static final ClassDesc MEMORY = ClassDesc.of(PACKAGE, "FlatMemory");
    static final ClassDesc HOST = ClassDesc.of(PACKAGE, "WasiHost");

    private static final String WASI = "wasi_snapshot_preview1";
    private static final List<String> IMPORTS =
            List.of("environ_get", "environ_sizes_get", "fd_write");

    /** Export → method of {@code CoreCode}. */
    private static final Map<String, String> EXPORTS =
            new TreeMap<>(
                    Map.of(
                            "dev_abi", "abi",
                            "dev_new", "open",
                            "dev_step", "step",
                            "dev_snapshot", "snapshot",
                            "dev_restore", "restore",
                            "dev_drop", "drop",
                            "dev_alloc", "alloc",
                            "dev_free", "free",
                            "dev_release", "release"));

    private final WasmModule module;
    private final String digest;
    private final ClassDesc name;
    private final List<MethodModel> functions;

    private CoreLinker(byte[] wasm, List<ClassModel> compiled, ClassDesc name) {
        this.module = Parser.parse(wasm);
        this.digest = sha256(wasm);
        this.name = name;
        this.functions =
                compiled.stream()
                        .flatMap(model -> model.methods().stream())
                        .filter(method -> method.methodName().stringValue().startsWith("func_"))
                        .toList();
    }

    /** Links one module. */
    public static void main(String... arguments) throws IOException {
        if (arguments.length != 4) {
            throw new LinkException("it takes a module, two folders and the name of a class");
        }
        List<ClassModel> compiled = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of(arguments[1]))) {
            for (Path file :
                    files.filter(f -> f.getFileName().toString().contains("FuncGroup")).toList()) {
                compiled.add(ClassFile.of().parse(file));
            }
        }
        ClassDesc name = ClassDesc.of(PACKAGE, arguments[3]);
        byte[] wasm = Files.readAllBytes(Path.of(arguments[0]));
        byte[] linked = new CoreLinker(wasm, compiled, name).link();
        Path folder = Path.of(arguments[2], PACKAGE.split("\\."));
        Files.createDirectories(folder);
        Files.write(folder.resolve(arguments[3] + ".class"), linked);
    }

    private byte[] link() {
        if (module.startSection().isPresent()) {
            throw new LinkException("the module has a start function, which no core may have");
        }
        List<String> imports = imports();
        Map<String, MethodTypeDesc> types = new LinkedHashMap<>();
        for (MethodModel function : functions) {
            types.put(function.methodName().stringValue(), Retyped.of(function.methodTypeSymbol()));
        }
        var recursion = Recursion.of(functions);
        Map<Integer, String> table = table();
        return ClassFile.of()
                .build(
                        name,
                        linked -> {
                            linked.withSuperclass(BASE).withFlags(ClassFile.ACC_FINAL);
                            Glue.constructor(linked, stackPointer());
                            Glue.facts(linked, digest, memory());
                            Glue.load(linked, data());
                            EXPORTS.forEach((export, method) -> {
                                String function = "func_" + export(export);
                                Glue.export(linked, name, method, function, types.get(function));
                            });
                            var indirect = new LinkedHashMap<String, MethodTypeDesc>();
                            for (MethodModel function : functions) {
                                String id = function.methodName().stringValue();
                                int index = Integer.parseInt(id.substring("func_".length()));
                                if (index < imports.size()) {
                                    Glue.imported(linked, id, types.get(id), imports.get(index));
                                } else {
                                    Relinked.function(linked, name, function, recursion, indirect);
                                }
                            }
                            indirect.forEach((id, type) ->
                                    Glue.indirect(linked, name, id, type, table, types));
                        });
    }

    private int stackPointer() {
        if (module.globalSection().globalCount() == 0) {
            return 0;
        }
        if (module.globalSection().globalCount() > 1) {
            throw new LinkException("the module has more globals than a stack pointer");
        }
        return constant(module.globalSection().getGlobal(0).initInstructions(), "the global");
    }

    private int[] memory() {
        var limits =
                module.memorySection()
                        .filter(section -> section.memoryCount() == 1)
                        .orElseThrow(() -> new LinkException("the module has not one memory"))
                        .getMemory(0)
                        .limits();
        return new int[] {limits.initialPages(), limits.maximumPages()};
    }

    /** Address → data, a byte in each character. */
    private Map<Integer, String> data() {
        var data = new TreeMap<Integer, String>();
        for (DataSegment segment : module.dataSection().dataSegments()) {
            if (!(segment instanceof ActiveDataSegment active)) {
                throw new LinkException("the module has data that is put in place later");
            }
            int at = constant(active.offsetInstructions(), "the place of some data");
            data.put(at, new String(active.data(), StandardCharsets.ISO_8859_1));
        }
        return data;
    }

    /** Place in the table → function. */
    private Map<Integer, String> table() {
        if (module.tableSection().tableCount() > 1) {
            throw new LinkException("the module has more than one table");
        }
        var table = new TreeMap<Integer, String>();
        for (Element element : module.elementSection().elements()) {
            if (!(element instanceof ActiveElement active) || active.tableIndex() != 0) {
                throw new LinkException("the module fills a table while it runs");
            }
            int at = constant(active.offset(), "the place of some functions in the table");
            for (List<Instruction> initializer : active.initializers()) {
                Instruction first = initializer.getFirst();
                if (first.opcode() != OpCode.REF_FUNC) {
                    throw new LinkException("the table holds something that is no function");
                }
                table.put(at++, "func_" + first.operand(0));
            }
        }
        return table;
    }

    private static int constant(List<Instruction> code, String what) {
        if (code.isEmpty() || code.getFirst().opcode() != OpCode.I32_CONST) {
            throw new LinkException(what + " is not a constant");
        }
        return (int) code.getFirst().operand(0);
    }

    private int export(String wanted) {
        for (int i = 0; i < module.exportSection().exportCount(); i++) {
            var export = module.exportSection().getExport(i);
            if (export.exportType() == ExternalType.FUNCTION && export.name().equals(wanted)) {
                return export.index();
            }
        }
        throw new LinkException("the module lacks the export " + wanted);
    }

    /** Refuses what is not one of the three, by name. */
    private List<String> imports() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < module.importSection().importCount(); i++) {
            var wanted = module.importSection().getImport(i);
            if (!wanted.module().equals(WASI) || !IMPORTS.contains(wanted.name())) {
                throw new LinkException(
                        "the module wants the import "
                                + wanted.module()
                                + "."
                                + wanted.name()
                                + ", which no core may have");
            }
            names.add(wanted.name());
        }
        return names;
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
