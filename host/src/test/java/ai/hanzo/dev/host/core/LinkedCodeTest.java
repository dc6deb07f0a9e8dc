package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.host.core.Engine.Answer;
import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.id.Seq;
import ai.hanzo.dev.protocol.wire.ActionWire;
import ai.hanzo.dev.protocol.wire.ConfigWire;
import ai.hanzo.dev.protocol.wire.EventWire;
import com.dylibso.chicory.runtime.InterpreterMachine;
import com.dylibso.chicory.wasm.Parser;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.constantpool.MethodRefEntry;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Linking changes nothing of what a module does, and refuses what it was not written for. */
final class LinkedCodeTest {
    private static final int PAGES = 1_024;

    /** An engine and the one session that it is used for. */
    private static final class Alone {
        private final Engine engine;
        private Image image;
        private Engine.Session session;

        Alone(CoreProgram program, Bytes config) {
            engine = new Engine(program, new WasiHost(Map.of(), _ -> {}), PAGES);
            image = engine.pristine();
            engine.attach(image);
            session = engine.open(config).orThrow("the Config", config.length()).session();
            image = engine.detach();
        }

        Answer step(Bytes event) {
            engine.attach(image);
            Answer answer = engine.step(session, event);
            image = engine.detach();
            return answer;
        }

        Answer snapshot() {
            engine.attach(image);
            Answer answer = engine.snapshot(session);
            image = engine.detach();
            return answer;
        }
    }

    @Test
    void itLeavesEveryByteOfMemoryAsChicorysInterpreterDoes() {
        byte[] wasm = WasmCores.resource("dev.wasm");
        var module =
                new CoreModule(CoreDigest.of(wasm), Parser.parse(wasm), InterpreterMachine::new);
        Bytes config = ConfigWire.encode(Driver.config(Recital.TIGHT));
        for (long seed = 1; seed <= 3; seed++) {
            var interpreted = new Alone(module, config);
            var linked = new Alone(new BuiltInCore(), config);
            var host = new RandomHost(new SplittableRandom(seed));
            for (int i = 1; i <= 60; i++) {
                Bytes event = EventWire.encode(host.next(), new Seq(i + 1));
                Answer expected = interpreted.step(event);
                Answer actual = linked.step(event);
                assertThat(actual).as("step %s of session %s", i, seed).isEqualTo(expected);
                assertThat(linked.image.bytes()).isEqualTo(interpreted.image.bytes());
                assertThat(linked.image.pages()).isEqualTo(interpreted.image.pages());
                host.see(ActionWire.decodeBatch(actual.bytes()));
            }
            assertThat(linked.snapshot()).isEqualTo(interpreted.snapshot());
        }
    }

    @Test
    void allThatItCallsIsThere() throws Exception {
        ClassModel linked =
                ClassFile.of()
                        .parse(Path.of("target/classes/ai/hanzo/dev/host/core/DevCode.class"));
        var found = new ArrayList<String>();
        for (var entry : linked.constantPool()) {
            if (entry instanceof MethodRefEntry method
                    && method.owner().asSymbol().equals(LinkedCode.class.describeConstable().get())
                    && !method.name().equalsString("<init>")) {
                Method there = base(method);
                found.add(there.getName());
            }
        }
        assertThat(found).contains("memoryReadInt", "writeGlobal", "fd_write", "checkInterruption");
    }

    private static Method base(MethodRefEntry method) throws Exception {
        var type = MethodTypeDesc.ofDescriptor(method.type().stringValue());
        var parameters = new Class<?>[type.parameterCount()];
        for (int i = 0; i < parameters.length; i++) {
            parameters[i] =
                    type.parameterType(i)
                            .resolveConstantDesc(java.lang.invoke.MethodHandles.lookup());
        }
        return LinkedCode.class.getDeclaredMethod(method.name().stringValue(), parameters);
    }

    @Test
    void aModuleThatWantsMoreCannotBeLinked(@TempDir Path folder) throws Exception {
        String said = link(Path.of("src/test/resources/core/wants-more.wasm"), folder);
        assertThat(said)
                .contains(
                        "CoreLinker: the module wants the import"
                                + " wasi_snapshot_preview1.clock_time_get, which no core may have");
        try (Stream<Path> made = Files.list(folder)) {
            assertThat(made).isEmpty();
        }
    }

    @Test
    void aModuleThatStartsByItselfCannotBeLinked(@TempDir Path folder) throws Exception {
        Path module = Files.write(folder.resolve("a.wasm"), WasmFile.thatStartsALoop());
        assertThat(link(module, folder))
                .contains("CoreLinker: the module has a start function, which no core may have");
    }

    private static String link(Path module, Path folder) throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin/java")
                                                .toString(),
                                        "-XX:TieredStopAtLevel=1",
                                        "-cp",
                                        System.getProperty("java.class.path"),
                                        "src/build/java/CoreLinker.java",
                                        module.toString(),
                                        folder.toString(),
                                        folder.toString(),
                                        "Refused"))
                        .redirectErrorStream(true)
                        .start();
        String said =
                new String(
                        process.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(said).isNotZero();
        return said;
    }
}
