package ai.hanzo.dev.host.core;

import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.protocol.Bytes;
import ai.hanzo.dev.protocol.wire.ActionWire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same log gives the same bytes: from the WebAssembly build and from the native build of the
 * same sources, under different collectors, time zones and languages.
 */
@Timeout(300)
final class DeterminismTest {
    private static Cores wasm;

    @BeforeAll
    static void load() {
        wasm = new WasmCores(CoreLimits.DEFAULTS);
    }

    @AfterAll
    static void unload() {
        wasm.close();
    }

    @Test
    void bothBuildsGiveTheSameActionsAndSnapshots() throws Exception {
        try (Cores machine = new NativeCores(NativeLibrary.built())) {
            assertThat(Recital.digest(machine)).isEqualTo(Recital.digest(wasm));
        }
    }

    @Test
    void eachBuildGoesOnFromTheSnapshotOfTheOther() throws Exception {
        var host = new RandomHost(new SplittableRandom(7));
        try (Cores machine = new NativeCores(NativeLibrary.built());
                Driver driver = Driver.open(wasm, Recital.TIGHT)) {
            for (int i = 0; i < 80; i++) {
                Bytes before = driver.snapshot();
                Bytes batch = driver.feedBytes(host.next());
                host.see(ActionWire.decodeBatch(batch));
                try (Core other = machine.restore(machine.current(), before)) {
                    assertThat(other.snapshot()).isEqualTo(before);
                    assertThat(other.step(driver.journal().getLast())).isEqualTo(batch);
                    assertThat(other.snapshot()).isEqualTo(driver.snapshot());
                }
            }
        }
    }

    @Test
    void bothBuildsRefuseTheSameBytes() throws Exception {
        var random = new SplittableRandom(11);
        try (Cores machine = new NativeCores(NativeLibrary.built());
                Driver driver = Driver.open(wasm);
                Core other = machine.open(machine.current(), driver.journal().getFirst())) {
            driver.turn(1, "go");
            other.step(driver.journal().getLast());
            byte[] good = driver.journal().getLast().toArray();
            for (int i = 0; i < 3_000; i++) {
                byte[] bad = good.clone();
                bad[random.nextInt(bad.length)] ^= (byte) (1 << random.nextInt(8));
                Bytes event = Bytes.wrap(bad);
                assertThat(outcome(other, event)).isEqualTo(outcome(driver.core(), event));
            }
            assertThat(other.snapshot()).isEqualTo(driver.snapshot());
        }
    }

    private static String outcome(Core core, Bytes event) {
        try {
            return core.step(event).toHex();
        } catch (CoreException e) {
            return e.code().name();
        }
    }

    @Test
    void everyProcessGivesTheSameBytes() throws Exception {
        String expected = "recital " + Recital.digest(wasm);
        String library = NativeLibrary.built().toString();
        assertThat(recital("wasm", "-XX:+UseSerialGC", "UTC", "en", "US")).isEqualTo(expected);
        assertThat(recital("wasm", "-XX:+UseZGC", "Pacific/Kiritimati", "tr", "TR"))
                .isEqualTo(expected);
        assertThat(recital(library, "-XX:+UseG1GC", "America/St_Johns", "ar", "EG"))
                .isEqualTo(expected);
    }

    private static String recital(
            String core, String collector, String zone, String language, String country)
            throws Exception {
        String classPath =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                collector,
                                "-Xmx256m",
                                "-Duser.timezone=" + zone,
                                "-Duser.language=" + language,
                                "-Duser.country=" + country,
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                classPath,
                                Recital.class.getName(),
                                core));
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
        return out.lines().filter(line -> line.startsWith("recital ")).findFirst().orElse(out);
    }
}
