package ai.hanzo.dev.host.core;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * What must hold for a core to be built in. Each gate answers what violates it, a sentence each.
 */
final class BuildGates {
    /**
     * HotSpot never compiles a larger method ({@code HugeMethodLimit}): it would run 9 to 18 times
     * slower.
     */
    static final int HUGE_METHOD_BYTES = 8_000;

    static final int MAX_MODULE_BYTES = 150 * 1024;
    static final int MAX_PAGES = 1;

    private BuildGates() {}

    /** Its size and memory, against the bounds or what the lock excuses, up to its figure. */
    static List<String> size(CoreReport report, CoreLock lock) {
        var found = new ArrayList<String>();
        if (!lock.allows("size", report.sizeBytes(), MAX_MODULE_BYTES)) {
            found.add(
                    "the module has %d bytes, more than %d: make it smaller, or say why not in the"
                                    .formatted(report.sizeBytes(), MAX_MODULE_BYTES)
                            + " lock by 'because-size BYTES REASON'");
        }
        if (!lock.allows("pages", report.pages(), MAX_PAGES)) {
            found.add(
                    "the module begins with %d pages, more than %d: say why in the lock by"
                                    .formatted(report.pages(), MAX_PAGES)
                            + " 'because-pages PAGES REASON'");
        }
        return found;
    }

    /** Its imports, exports and ABI. */
    static List<String> interfaces(CoreReport report) {
        return report.problems();
    }

    /** The methods of a compiled core. */
    static List<String> methods(byte[] compiled) {
        ClassModel model = ClassFile.of().parse(compiled);
        var found = new ArrayList<String>();
        for (var method : model.methods()) {
            int bytes =
                    method.findAttribute(java.lang.classfile.Attributes.code())
                            .map(code -> code.codeLength())
                            .orElse(0);
            if (bytes >= HUGE_METHOD_BYTES) {
                found.add(
                        "%s has %d bytes, which HotSpot never compiles"
                                .formatted(method.methodName(), bytes));
            }
        }
        return found;
    }

    /** Functions that Chicory did not compile are given to its interpreter, by name. */
    static List<String> interpreted(byte[] compiled) {
        var found = new ArrayList<String>();
        for (PoolEntry entry : ClassFile.of().parse(compiled).constantPool()) {
            if (entry instanceof ClassEntry named
                    && named.asInternalName().contains("CompilerInterpreterMachine")) {
                found.add("a function is left to " + named.asInternalName());
            }
        }
        return found;
    }
}
