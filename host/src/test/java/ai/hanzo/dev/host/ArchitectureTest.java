package ai.hanzo.dev.host;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import ai.hanzo.dev.ledger.Ledger;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Timer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may know whom, in all modules but bench. */
class ArchitectureTest {

    private static final JavaClasses ALL =
            new ClassFileImporter()
                    .withImportOption(new ImportOption.DoNotIncludeTests())
                    .importPackages("ai.hanzo.dev");

    private static final String OURS = "ai.hanzo.dev..";
    private static final String TURN_LOOP = "ai.hanzo.dev.host.session.TurnLoop";
    private static final String[] MIDDLE = {
        "ai.hanzo.dev.ledger..",
        "ai.hanzo.dev.policy..",
        "ai.hanzo.dev.sandbox..",
        "ai.hanzo.dev.workspace.."
    };

    /** A library and the packages that may import it. */
    record Library(String name, List<String> packages, List<String> users) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Library library(String name, String packages, String... users) {
        return new Library(name, List.of(packages.split(" ", -1)), List.of(users));
    }

    static List<Library> libraries() {
        return List.of(
                library("Chicory", "com.dylibso.chicory..", "ai.hanzo.dev.host.core.."),
                library("Netty", "io.netty..", "ai.hanzo.dev.sandbox.netty"),
                library(
                        "Javalin",
                        "io.javalin.. org.eclipse.jetty..",
                        "ai.hanzo.dev.host.surface.rest",
                        "ai.hanzo.dev.host.surface.sse"),
                library("picocli", "picocli..", "ai.hanzo.dev.host.surface.cli"),
                library("LangChain4j", "dev.langchain4j..", "ai.hanzo.dev.host.model"),
                library(
                        "Jackson",
                        "com.fasterxml..",
                        "ai.hanzo.dev.host.model..",
                        "ai.hanzo.dev.host.surface..",
                        "ai.hanzo.dev.host.tool.."),
                library("SQL", "java.sql.. javax.sql..", "ai.hanzo.dev.ledger.jdbc"),
                library("Micronaut", "io.micronaut..", "ai.hanzo.dev.ledger.jdbc"),
                library(
                        "PostgreSQL's driver, its pool and its migrations",
                        "org.postgresql.. com.zaxxer.. org.flywaydb..",
                        "ai.hanzo.dev.ledger.jdbc"),
                library("Apache HTTP", "org.apache.hc..", "ai.hanzo.dev.host.dispatch"),
                library("db-scheduler", "com.github.kagkarlsson..", "ai.hanzo.dev.ledger.jdbc"),
                library("archives", "org.apache.commons.. org.tukaani..", "ai.hanzo.dev.ledger.pg"),
                library(
                        "Protobuf",
                        "com.google.protobuf..",
                        "ai.hanzo.dev.host.archive..",
                        "ai.hanzo.dev.host.op..",
                        "ai.hanzo.dev.host.surface..",
                        "ai.hanzo.dev.host.service",
                        "ai.hanzo.dev.host.stream",
                        "ai.hanzo.dev.host.local"),
                library(
                        "processes",
                        "java.lang",
                        "ai.hanzo.dev.ledger.pg",
                        "ai.hanzo.dev.sandbox",
                        "ai.hanzo.dev.host.local",
                        "ai.hanzo.dev.host.surface.cli"));
    }

    private static boolean isOf(Library library, JavaClass type) {
        return library.name().equals("processes")
                ? type.isEquivalentTo(ProcessBuilder.class)
                : resideInAnyPackage(library.packages().toArray(String[]::new)).test(type);
    }

    private static List<String> users(Library library, boolean allowed) {
        String[] users = library.users().toArray(String[]::new);
        return ALL.stream()
                .filter(type -> resideInAnyPackage(users).test(type) == allowed)
                .filter(type ->
                        type.getDirectDependenciesFromSelf().stream()
                                .anyMatch(d -> isOf(library, d.getTargetClass())))
                .map(JavaClass::getName)
                .toList();
    }

    private static DescribedPredicate<JavaMethodCall> isCall(Class<?> owner, String names) {
        return DescribedPredicate.describe(
                owner.getSimpleName() + "." + names,
                call ->
                        call.getTargetOwner().isAssignableTo(owner)
                                && call.getName().matches(names));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void aLibraryIsKnownOnlyWhereItBelongs(Library library) {
        assertThat(users(library, /* allowed= */ false)).isEmpty();
        assertThat(users(library, /* allowed= */ true))
                .as("the rule names what is used")
                .isNotEmpty();
    }

    @Test
    void theMiddleModulesKnowTheCodecOnly() {
        for (String one : MIDDLE) {
            String[] others = {"ai.hanzo.dev.host..", "", "", ""};
            int next = 1;
            for (String other : MIDDLE) {
                if (!other.equals(one)) {
                    others[next++] = other;
                }
            }
            noClasses()
                    .that()
                    .resideInAPackage(one)
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(others)
                    .check(ALL);
        }
    }

    @Test
    void theCodecKnowsNobody() {
        noClasses()
                .that()
                .resideInAnyPackage("ai.hanzo.dev.protocol..", "ai.hanzo.dev.zap..")
                .should()
                .dependOnClassesThat(
                        resideInAnyPackage(OURS)
                                .and(
                                        resideOutsideOfPackages(
                                                "ai.hanzo.dev.protocol..", "ai.hanzo.dev.zap..")))
                .check(ALL);
    }

    @Test
    void nettyIsBehindTheSandboxClient() {
        noClasses()
                .that()
                .resideOutsideOfPackage("ai.hanzo.dev.sandbox..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.hanzo.dev.sandbox.netty")
                .check(ALL);
    }

    /** A decision depends on the arguments alone: no input, no clock, no chance, no thread. */
    @Test
    void policyIsPure() {
        classes()
                .that()
                .resideInAPackage("ai.hanzo.dev.policy..")
                .should()
                .onlyDependOnClassesThat(
                        resideInAnyPackage(
                                        "ai.hanzo.dev.policy..",
                                        "ai.hanzo.dev.protocol..",
                                        "java.lang",
                                        "java.lang.annotation",
                                        "java.lang.invoke",
                                        "java.lang.runtime",
                                        "java.nio.charset",
                                        "java.security",
                                        "java.util",
                                        "java.util.function",
                                        "java.util.regex",
                                        "java.util.stream",
                                        "org.jspecify.annotations")
                                // Only takes a text apart; java.net.URL would look names up.
                                .or(type(java.net.URI.class))
                                .or(type(java.net.URISyntaxException.class)))
                .check(ALL);
        noClasses()
                .that()
                .resideInAPackage("ai.hanzo.dev.policy..")
                .should()
                .dependOnClassesThat(
                        assignableTo(Thread.class)
                                .or(assignableTo(java.util.Random.class))
                                .or(assignableTo(java.util.UUID.class))
                                .or(assignableTo(java.util.Date.class))
                                .or(assignableTo(Process.class))
                                .or(assignableTo(ProcessBuilder.class))
                                .or(assignableTo(Runtime.class)))
                .orShould()
                .callMethodWhere(
                        isCall(System.class, "currentTimeMillis|nanoTime|getenv|getProperty"))
                .check(ALL);
    }

    @Test
    void thePackagesOfTheHostHaveNoCycles() {
        slices().matching("ai.hanzo.dev.host.(*)..").should().beFreeOfCycles().check(ALL);
    }

    @Test
    void nobodyKnowsTheAssembly() {
        noClasses()
                .that()
                .resideInAPackage("ai.hanzo.dev.host.*..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("ai.hanzo.dev.host")
                .check(ALL);
    }

    @Test
    void noThreadHasLocals() {
        noClasses().should().dependOnClassesThat().areAssignableTo(ThreadLocal.class).check(ALL);
    }

    @Test
    void onlyTheTurnLoopSteps() {
        noClasses()
                .that()
                .resideOutsideOfPackage("ai.hanzo.dev.ledger..")
                .and()
                .doNotHaveFullyQualifiedName(TURN_LOOP)
                .should()
                .callMethodWhere(isCall(Ledger.class, "step"))
                .check(ALL);
        assertThat(ALL.get(TURN_LOOP).getMethodCallsFromSelf())
                .anyMatch(isCall(Ledger.class, "step"));
    }

    /** What must happen later is a row of db-scheduler: it outlives the process. */
    @Test
    void thereIsNoOtherTimer() {
        noClasses()
                .should()
                .callMethodWhere(isCall(ScheduledExecutorService.class, "schedule.*"))
                .orShould()
                .callMethodWhere(isCall(Timer.class, "schedule.*"))
                .orShould()
                .callMethodWhere(
                        isCall(
                                CompletableFuture.class,
                                "delayedExecutor|completeOnTimeout|orTimeout"))
                .check(ALL);
    }

    @Test
    void noFutureIsPublic() {
        methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat()
                .arePublic()
                .should()
                .notHaveRawReturnType(CompletableFuture.class)
                .check(ALL);
    }

    /** Where a decision hangs on the time, the clock comes in through the constructor. */
    @Test
    void theTimeIsGiven() {
        noClasses()
                .that()
                .resideInAnyPackage(
                        "ai.hanzo.dev.host.session",
                        "ai.hanzo.dev.host.dispatch",
                        "ai.hanzo.dev.host.service",
                        "ai.hanzo.dev.host.stream",
                        "ai.hanzo.dev.host.model",
                        "ai.hanzo.dev.ledger..")
                .should()
                .callMethod(Instant.class, "now")
                .orShould()
                .callMethod(Clock.class, "systemUTC")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(ALL);
    }
}
