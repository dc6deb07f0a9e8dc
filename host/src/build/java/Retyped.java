import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** Chicory's types, and what stands for them in linked code. */
final class Retyped {
    private static final ClassDesc MEMORY = ClassDesc.of("com.dylibso.chicory.runtime.Memory");
    private static final ClassDesc INSTANCE = ClassDesc.of("com.dylibso.chicory.runtime.Instance");

    private Retyped() {}

    static MethodTypeDesc of(MethodTypeDesc type) {
        MethodTypeDesc retyped = type;
        for (int i = 0; i < type.parameterCount(); i++) {
            if (type.parameterType(i).equals(MEMORY)) {
                retyped = retyped.changeParameterType(i, CoreLinker.MEMORY);
            } else if (type.parameterType(i).equals(INSTANCE)) {
                retyped = retyped.changeParameterType(i, CoreLinker.BASE);
            }
        }
        return retyped;
    }
}
