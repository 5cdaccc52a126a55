package io.kubeloop.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The arrows of docs/architecture.md, held against the compiled classes of every module. */
class ArchitectureTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("test-support"))
            .importPackages("io.kubeloop");

    /** Room → the rooms it may know. Each room is a package and what is below it, down to the next room. */
    private static final Map<String, Set<String>> ARROWS = new TreeMap<>(Map.ofEntries(
            Map.entry("io.kubeloop.api", Set.of()),
            Map.entry("io.kubeloop.workqueue", Set.of()),
            Map.entry("io.kubeloop.json", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.cache", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.transport.http", Set.of("io.kubeloop.api", "io.kubeloop.json")),
            Map.entry("io.kubeloop.transport.jdk", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.transport.protobuf", Set.of("io.kubeloop.api", "io.kubeloop.json")),
            Map.entry("io.kubeloop.transport.memory", Set.of("io.kubeloop.api", "io.kubeloop.json")),
            Map.entry(
                    "io.kubeloop.controller", Set.of("io.kubeloop.api", "io.kubeloop.cache", "io.kubeloop.workqueue")),
            Map.entry(
                    "io.kubeloop.controller.endpoint",
                    Set.of("io.kubeloop.api", "io.kubeloop.cache", "io.kubeloop.workqueue", "io.kubeloop.controller")),
            Map.entry(
                    "io.kubeloop.controller.replicaset",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.cache",
                            "io.kubeloop.workqueue",
                            "io.kubeloop.controller"))));

    private static String room(JavaClass type) {
        String best = type.getPackageName().startsWith("io.kubeloop.app") ? "io.kubeloop.app" : "";
        for (String room : ARROWS.keySet()) {
            boolean inside =
                    type.getPackageName().equals(room) || type.getPackageName().startsWith(room + ".");
            if (inside && room.length() > best.length()) {
                best = room;
            }
        }
        return best;
    }

    @TestFactory
    Stream<DynamicTest> room_knowsOnlyTheRoomsBelow() {
        return ARROWS.entrySet().stream()
                .map(arrow -> DynamicTest.dynamicTest(arrow.getKey(), () -> {
                    Set<String> allowed = new TreeSet<>(arrow.getValue());
                    allowed.add(arrow.getKey());
                    DescribedPredicate<JavaClass> inRoom = describe(
                            "are in " + arrow.getKey(), type -> room(type).equals(arrow.getKey()));
                    DescribedPredicate<JavaClass> known = describe(
                            "are outside of the project or in " + allowed,
                            type -> !type.getPackageName().startsWith("io.kubeloop") || allowed.contains(room(type)));
                    classes()
                            .that(inRoom)
                            .should(onlyDependOnClassesThat(known))
                            .check(CLASSES);
                }));
    }

    @Test
    void everyRoomWasImported() {
        Set<String> rooms = CLASSES.stream().map(ArchitectureTest::room).collect(Collectors.toSet());
        assertThat(rooms)
                .containsAll(ARROWS.keySet())
                .contains("io.kubeloop.app")
                .doesNotContain("");
    }

    @Test
    void thirdParty_staysInItsRoom() {
        noClasses()
                .that(describe("are outside of transport-http", t -> !room(t).equals("io.kubeloop.transport.http")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("okhttp3..")
                .check(CLASSES);
        noClasses()
                .that(describe(
                        "are outside of api-json and transport-http",
                        t -> !Set.of("io.kubeloop.json", "io.kubeloop.transport.http")
                                .contains(room(t))))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.squareup.moshi..", "okio..", "kotlin..")
                .check(CLASSES);
        noClasses()
                .that(describe(
                        "are in a room without dependencies",
                        t -> Set.of("io.kubeloop.api", "io.kubeloop.workqueue", "io.kubeloop.transport.jdk")
                                .contains(room(t))))
                .should()
                .dependOnClassesThat(DescribedPredicate.not(resideInAnyPackage(
                        "java..", "io.kubeloop..", "org.jspecify..", "javax.annotation.processing", "javax.net.ssl")))
                .check(CLASSES);
    }

    @Test
    void publicSignatures_showNoTypesOfTheHttpOrJsonLibrary() {
        DescribedPredicate<JavaMethod> exposed = describe(
                "are public, in a public class outside of api-json",
                method -> method.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC)
                        && method.getOwner()
                                .getModifiers()
                                .contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC)
                        && !room(method.getOwner()).equals("io.kubeloop.json"));
        methods()
                .that(exposed)
                .should()
                .notHaveRawReturnType(resideInAnyPackage("okhttp3..", "okio..", "com.squareup.moshi.."))
                .check(CLASSES);
        for (JavaMethod method : CLASSES.stream()
                .flatMap(type -> type.getMethods().stream())
                .filter(exposed)
                .toList()) {
            assertThat(method.getRawParameterTypes())
                    .as(method.getFullName())
                    .noneMatch(resideInAnyPackage("okhttp3..", "okio..", "com.squareup.moshi.."));
        }
    }

    @Test
    void libraries_doNotPrintOrExit() {
        noClasses()
                // What an exec plugin says on stderr is for the user's eyes, as in client-go.
                .that(describe(
                        "are libraries",
                        t -> !room(t).equals("io.kubeloop.app")
                                && !t.getName().startsWith("io.kubeloop.transport.http.ExecRun")))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(CLASSES);
    }

    @Test
    void packages_areNullMarked() {
        for (String name :
                CLASSES.stream().map(JavaClass::getPackageName).collect(Collectors.toCollection(TreeSet::new))) {
            Package loaded = CLASSES.stream()
                    .filter(type -> type.getPackageName().equals(name))
                    .findFirst()
                    .orElseThrow()
                    .reflect()
                    .getPackage();
            assertThat(loaded.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
        }
    }
}
