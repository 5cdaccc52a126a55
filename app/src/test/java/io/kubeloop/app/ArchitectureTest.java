/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.conditions.ArchConditions.onlyDependOnClassesThat;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaMethodReference;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Checks the dependencies of docs/architecture.md against the compiled classes of every module. */
class ArchitectureTest {

    private static final Path HOME = Path.of("").toAbsolutePath().getParent();
    private static final Pattern EXPORT = Pattern.compile("exports ([a-z.]+);");

    /** The classes of every module. */
    static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("test-support") && !location.contains("-tests.jar"))
            .importPackages("io.kubeloop");

    /** What a controller may use: no controller's package uses another's. */
    private static final Set<String> BELOW_CONTROLLERS = Set.of(
            "io.kubeloop.api",
            "io.kubeloop.json",
            "io.kubeloop.runtime",
            "io.kubeloop.cache",
            "io.kubeloop.workqueue",
            "io.kubeloop.controller");

    /** The controller that compiles expressions, with the compiler of the API server. */
    private static final String EXPRESSION_CHECKER = "io.kubeloop.controller.validatingadmissionpolicystatus";

    /** The controller that counts with the arithmetic of the API server. */
    private static final String QUOTA_CONTROLLER = "io.kubeloop.controller.resourcequota";

    /** The packages of the controllers: what the modules other than controller-common export below its root package. */
    private static final Set<String> CONTROLLERS = controllers();

    /** Room → the rooms it may know. Each room is a package and what is below it, down to the next room. */
    private static final Map<String, Set<String>> ARROWS = new TreeMap<>(Map.ofEntries(
            Map.entry("io.kubeloop.api", Set.of()),
            Map.entry("io.kubeloop.runtime", Set.of()),
            Map.entry("io.kubeloop.workqueue", Set.of("io.kubeloop.runtime")),
            Map.entry("io.kubeloop.json", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.quota", Set.of("io.kubeloop.api", "io.kubeloop.json")),
            Map.entry("io.kubeloop.cache", Set.of("io.kubeloop.api", "io.kubeloop.runtime")),
            Map.entry(
                    "io.kubeloop.transport.http", Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.runtime")),
            Map.entry("io.kubeloop.transport.jdk", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.apiserver", Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.runtime")),
            Map.entry(
                    "io.kubeloop.apiserver.kinds",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.quota",
                            "io.kubeloop.runtime",
                            "io.kubeloop.apiserver")),
            Map.entry(
                    "io.kubeloop.apiserver.cel",
                    Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.apiserver")),
            Map.entry(
                    "io.kubeloop.apiserver.http",
                    Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.runtime", "io.kubeloop.apiserver")),
            Map.entry("io.kubeloop.crd", Set.of("io.kubeloop.api")),
            Map.entry("io.kubeloop.crd.processor", Set.of("io.kubeloop.json", "io.kubeloop.apiserver")),
            Map.entry(
                    "io.kubeloop.transport.memory",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.runtime",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.kinds")),
            Map.entry("io.kubeloop.kubelet", Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.runtime")),
            Map.entry(
                    "io.kubeloop.controlplane",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.kinds",
                            "io.kubeloop.apiserver.http",
                            "io.kubeloop.transport.memory",
                            "io.kubeloop.kubelet",
                            "io.kubeloop.runtime",
                            "io.kubeloop.cache",
                            "io.kubeloop.workqueue",
                            "io.kubeloop.controller",
                            "io.kubeloop.controller.namespace",
                            "io.kubeloop.manager")),
            Map.entry(
                    "io.kubeloop.demo",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.runtime",
                            "io.kubeloop.cache",
                            "io.kubeloop.workqueue",
                            "io.kubeloop.controller",
                            "io.kubeloop.manager",
                            "io.kubeloop.transport.http",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.http",
                            "io.kubeloop.controlplane",
                            "io.kubeloop.command",
                            "io.kubeloop.apiserver.command",
                            "io.kubeloop.manager.command")),
            Map.entry(
                    "io.kubeloop.simulation.command",
                    Set.of(
                            "io.kubeloop.json",
                            "io.kubeloop.controlplane",
                            "io.kubeloop.simulation",
                            "io.kubeloop.command",
                            "io.kubeloop.demo",
                            "io.kubeloop.manager.command")),
            Map.entry(
                    "io.kubeloop.app",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.manager",
                            "io.kubeloop.transport.http",
                            "io.kubeloop.command",
                            "io.kubeloop.apiserver.command",
                            "io.kubeloop.manager.command",
                            "io.kubeloop.demo",
                            "io.kubeloop.simulation.command")),
            Map.entry(
                    "io.kubeloop.junit",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.http",
                            "io.kubeloop.runtime",
                            "io.kubeloop.cache",
                            "io.kubeloop.controlplane",
                            "io.kubeloop.simulation")),
            Map.entry(
                    "io.kubeloop.simulation",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.http",
                            "io.kubeloop.runtime",
                            "io.kubeloop.workqueue",
                            "io.kubeloop.cache",
                            "io.kubeloop.controller",
                            "io.kubeloop.controlplane")),
            Map.entry(
                    "io.kubeloop.micrometer",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.cache",
                            "io.kubeloop.workqueue",
                            "io.kubeloop.controller",
                            "io.kubeloop.transport.http")),
            Map.entry(
                    "io.kubeloop.webhook",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.runtime",
                            "io.kubeloop.controller",
                            "io.kubeloop.apiserver.http")),
            Map.entry(
                    "io.kubeloop.command", Set.of("io.kubeloop.api", "io.kubeloop.json", "io.kubeloop.transport.http")),
            Map.entry("io.kubeloop.manager", union(BELOW_CONTROLLERS, CONTROLLERS)),
            Map.entry(
                    "io.kubeloop.manager.command",
                    union(
                            union(BELOW_CONTROLLERS, CONTROLLERS),
                            Set.of(
                                    "io.kubeloop.command",
                                    "io.kubeloop.manager",
                                    "io.kubeloop.transport.http",
                                    "io.kubeloop.micrometer",
                                    "io.kubeloop.apiserver",
                                    "io.kubeloop.apiserver.http"))),
            Map.entry(
                    "io.kubeloop.apiserver.command",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.runtime",
                            "io.kubeloop.command",
                            "io.kubeloop.transport.http",
                            "io.kubeloop.controller",
                            "io.kubeloop.kubelet",
                            "io.kubeloop.controlplane",
                            "io.kubeloop.apiserver",
                            "io.kubeloop.apiserver.http",
                            "io.kubeloop.apiserver.kinds")),
            Map.entry(
                    "io.kubeloop.controller",
                    Set.of(
                            "io.kubeloop.api",
                            "io.kubeloop.json",
                            "io.kubeloop.runtime",
                            "io.kubeloop.cache",
                            "io.kubeloop.workqueue"))));

    static {
        for (String controller : CONTROLLERS) {
            ARROWS.put(controller, BELOW_CONTROLLERS);
        }
        ARROWS.put(QUOTA_CONTROLLER, union(BELOW_CONTROLLERS, Set.of("io.kubeloop.quota")));
        ARROWS.put(EXPRESSION_CHECKER, union(BELOW_CONTROLLERS, Set.of("io.kubeloop.apiserver")));
    }

    /** The rooms of the command line; all others are libraries. */
    private static final Set<String> PROGRAM = Set.of(
            "io.kubeloop.app",
            "io.kubeloop.command",
            "io.kubeloop.apiserver.command",
            "io.kubeloop.manager.command",
            "io.kubeloop.demo",
            "io.kubeloop.simulation.command");

    /** The packages of the generic API server, each knowing only those before it. */
    private static final List<String> LAYERS_OF_THE_SERVER = List.of(
            "apiserver.storage.codec",
            "apiserver.storage",
            "apiserver.table",
            "apiserver.fielderrors",
            "apiserver.objectmeta",
            "apiserver.rest",
            "apiserver.admission",
            "apiserver.registry");

    /** The packages of the built-in kinds, each knowing only those before it. */
    private static final List<String> LAYERS_OF_THE_KINDS = List.of(
            "apiserver.kinds.validation",
            "apiserver.kinds.service",
            "apiserver.kinds.quota",
            "apiserver.kinds.strategy");

    private static Set<String> controllers() {
        Set<String> found = new TreeSet<>();
        try {
            for (Path module : ModuleFolders.all()) {
                Path info = module.resolve("src/main/java/module-info.java");
                if (Files.exists(info) && !module.endsWith("controller-common")) {
                    EXPORT.matcher(Files.readString(info))
                            .results()
                            .map(result -> result.group(1))
                            .filter(name -> name.startsWith("io.kubeloop.controller."))
                            .forEach(found::add);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static Set<String> union(Set<String> some, Set<String> others) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(others);
        return all;
    }

    private static String room(JavaClass type) {
        String best = "";
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
    void controllerOfExpressions_knowsNothingElseOfTheServer() {
        classes()
                .that()
                .resideInAPackage(EXPRESSION_CHECKER)
                .should(onlyDependOnClassesThat(describe(
                        "are no part of the API server but its expressions",
                        type -> !type.getPackageName().startsWith("io.kubeloop.apiserver")
                                || type.getPackageName().equals("io.kubeloop.apiserver.expressions"))))
                .check(CLASSES);
    }

    @Test
    void everyRoomWasImported() {
        Set<String> rooms = CLASSES.stream().map(ArchitectureTest::room).collect(Collectors.toSet());
        assertThat(rooms).containsAll(ARROWS.keySet()).doesNotContain("");
    }

    @Test
    void layersOfTheServer_knowOnlyThoseBelow() {
        checkLayers(LAYERS_OF_THE_SERVER);
        checkLayers(LAYERS_OF_THE_KINDS);
    }

    private static void checkLayers(List<String> layers) {
        for (int i = 0; i < layers.size(); i++) {
            String[] above =
                    layers.stream().skip(i + 1).map(ArchitectureTest::layer).toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(layer(layers.get(i)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .check(CLASSES);
        }
    }

    private static String layer(String name) {
        return "io.kubeloop." + name;
    }

    @Test
    void thirdParty_staysInItsRoom() {
        noClasses()
                .that(describe(
                        "are outside of controllers/certificates",
                        t -> !room(t).equals("io.kubeloop.controller.certificates")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.bouncycastle..")
                .check(CLASSES);
        noClasses()
                .that(describe("are outside of apiserver/cel", t -> !room(t).equals("io.kubeloop.apiserver.cel")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("dev.cel..", "com.google.common..", "com.google.protobuf..")
                .check(CLASSES);
        noClasses()
                .that(describe("are outside of the API server", t -> !room(t).startsWith("io.kubeloop.apiserver")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.google.re2j..")
                .check(CLASSES);
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
                        t -> Set.of(
                                        "io.kubeloop.api",
                                        "io.kubeloop.runtime",
                                        "io.kubeloop.workqueue",
                                        "io.kubeloop.transport.jdk")
                                .contains(room(t))))
                // Its meta-annotation is read by the compiler only.
                .and()
                .doNotHaveFullyQualifiedName("io.kubeloop.api.WithMethods")
                .should()
                .dependOnClassesThat(DescribedPredicate.not(resideInAnyPackage(
                        "java..",
                        "io.kubeloop..",
                        "org.jspecify..",
                        "com.google.errorprone.annotations..",
                        "javax.annotation.processing",
                        "javax.net.ssl")))
                .check(CLASSES);
    }

    /** The packages that a module exports to every other module. */
    private static Set<String> exportedPackages() throws IOException {
        Set<String> exported = new TreeSet<>();
        for (Path info :
                ModuleFolders.children("src/main/java/module-info.java").toList()) {
            EXPORT.matcher(Files.readString(info)).results().forEach(found -> exported.add(found.group(1)));
        }
        return exported;
    }

    @Test
    void publicSignatures_showNoTypesOfTheHttpOrJsonLibrary() throws IOException {
        Set<String> exported = exportedPackages();
        assertThat(exported).contains("io.kubeloop.transport.http");
        DescribedPredicate<JavaMethod> exposed = describe(
                "are public, in a public class of an exported package",
                method -> exported.contains(method.getOwner().getPackageName())
                        && method.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC)
                        && method.getOwner()
                                .getModifiers()
                                .contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC));
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

    /** Java's engine backtracks, so a short input of a client could occupy a core (ADR 0029). */
    @Test
    void server_matchesInLinearTime() {
        noClasses()
                .that(describe(
                        "are in the API server",
                        t -> room(t).startsWith("io.kubeloop.apiserver")
                                && !room(t).equals("io.kubeloop.apiserver.command")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.util.regex..")
                .orShould()
                .callMethod(String.class, "matches", String.class)
                .orShould()
                .callMethod(String.class, "replaceAll", String.class, String.class)
                .orShould()
                .callMethod(String.class, "replaceFirst", String.class, String.class)
                .check(CLASSES);
        assertThat(callersInLibraries(target -> target.getOwner().getName().equals("java.util.regex.Pattern")
                                && target.getName().equals("compile"))
                        .stream()
                        .filter(name -> name.startsWith("io.kubeloop.json.") || name.startsWith("io.kubeloop.api.")))
                .as("the patterns that are linear because no position has two ways to continue")
                .containsExactly(
                        "io.kubeloop.api.Rfc3339",
                        "io.kubeloop.api.selector.ShardSelector",
                        "io.kubeloop.api.value.IpAddress",
                        "io.kubeloop.api.value.QuantityParser",
                        "io.kubeloop.json.scan.JsonPaths",
                        "io.kubeloop.json.tree.JsonNumber",
                        "io.kubeloop.json.yaml.GoYamlErrors",
                        "io.kubeloop.json.yaml.YamlScalar");
    }

    @Test
    void libraries_doNotPrintOrExit() {
        noClasses()
                // What an exec plugin says on stderr is for the user's eyes, as in client-go.
                .that(describe(
                        "are libraries",
                        t -> !PROGRAM.contains(room(t))
                                // The test kit prints what happened when a test fails.
                                && !room(t).equals("io.kubeloop.junit")
                                && !t.getName().startsWith("io.kubeloop.transport.http.credentials.ExecRun")))
                .should()
                .accessField(System.class, "out")
                .orShould()
                .accessField(System.class, "err")
                .orShould()
                .callMethod(System.class, "exit", int.class)
                .check(CLASSES);
    }

    /** What is looked up by name at run time is missing from a native image that was not told of it. */
    @Test
    void libraries_reflectOnlyOnVirtualThreadsAndRecords() {
        Set<String> reflecting = callersInLibraries(target -> {
            String owner = target.getOwner().getName();
            String name = target.getName();
            return owner.matches("java\\.lang\\.reflect\\.(?!\\w*Exception).*")
                    || owner.equals("java.util.ServiceLoader")
                    || (owner.equals("java.lang.ClassLoader") && name.equals("loadClass"))
                    || (owner.equals("java.lang.Class")
                            && (name.equals("forName")
                                    || name.equals("newInstance")
                                    || name.matches("get(Declared)?(Method|Field|Constructor|RecordComponent)s?")));
        });
        assertThat(reflecting)
                .containsExactlyInAnyOrder(
                        "io.kubeloop.apiserver.expressions.InstalledCompiler",
                        "io.kubeloop.command.Terminal",
                        "io.kubeloop.controller.ControllerProvider",
                        "io.kubeloop.runtime.OwnedThreads",
                        "io.kubeloop.json.record.Accessors",
                        "io.kubeloop.json.record.Member",
                        "io.kubeloop.json.record.MemberTypes",
                        "io.kubeloop.json.record.RecordAdapter",
                        "io.kubeloop.json.record.RecordShape");
        // The metadata of api-json is compared with the records of the codec by BuiltInRecordsTest.
        assertThat(reachabilityMetadata("runtime").array("reflection").objects())
                .extracting(entry -> entry.string("type") + " "
                        + entry.array("methods")
                                .objects()
                                .findFirst()
                                .orElseThrow()
                                .string("name"))
                .containsExactly("java.lang.Thread ofVirtual", "java.lang.Thread$Builder factory");
    }

    @Test
    void resourcesOfLibraries_areNamedToNativeImages() throws IOException {
        assertThat(callersInLibraries(target -> target.getName().startsWith("getResource")))
                .containsExactlyInAnyOrder(
                        "io.kubeloop.apiserver.http.streams.SpdyHeaders",
                        "io.kubeloop.apiserver.kinds.BootstrapObjects",
                        "io.kubeloop.apiserver.kinds.validation.InternalForm",
                        "io.kubeloop.command.OptionTable",
                        "io.kubeloop.command.Version",
                        "io.kubeloop.apiserver.command.ApiServerCommand",
                        "io.kubeloop.apiserver.command.KubeconfigCommand",
                        "io.kubeloop.apiserver.command.KubeletCommand",
                        "io.kubeloop.apiserver.command.ServingOptions",
                        "io.kubeloop.json.schema.TypeText",
                        "io.kubeloop.transport.http.call.HttpRequests$UserAgent",
                        "io.kubeloop.controller.history.DeepHashPrinter$GoTypeTable",
                        "io.kubeloop.demo.DemoCommand",
                        "io.kubeloop.demo.live.LivePage",
                        "io.kubeloop.manager.command.FeatureGates",
                        "io.kubeloop.manager.command.ControllerManagerCommand",
                        "io.kubeloop.simulation.command.SimulateCommand");
        for (String module : List.of(
                "api-json",
                "apiserver/command",
                "apiserver/http",
                "apiserver/kinds",
                "command",
                "controller-common",
                "controllers/command",
                "testing/command",
                "testing/demo",
                "transport-http")) {
            Path resources = HOME.resolve(module).resolve("src/main/resources");
            try (Stream<Path> files = Files.walk(resources)) {
                assertThat(files.filter(Files::isRegularFile)
                                .map(file ->
                                        resources.relativize(file).toString().replace('\\', '/'))
                                .filter(name -> !name.startsWith("META-INF/")))
                        .as(module)
                        .containsExactlyInAnyOrderElementsOf(reachabilityMetadata(module)
                                .array("resources")
                                .objects()
                                .map(entry -> entry.string("glob"))
                                .filter(glob -> !glob.contains("*")) // the pages of docs, which the build copies
                                .toList());
            }
        }
    }

    private static Set<String> callersInLibraries(Predicate<CodeUnitAccessTarget> to) {
        return CLASSES.stream()
                // The test kit is part of no native image.
                .filter(type -> !room(type).equals("io.kubeloop.junit"))
                .filter(type -> Stream.<CodeUnitAccessTarget>concat(
                                type.getMethodCallsFromSelf().stream().map(JavaMethodCall::getTarget),
                                type.getMethodReferencesFromSelf().stream().map(JavaMethodReference::getTarget))
                        .anyMatch(target -> to.test(target)))
                .map(JavaClass::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static JsonObject reachabilityMetadata(String module) {
        Path folder = HOME.resolve(module).resolve("src/main/resources/META-INF/native-image/io.kubeloop");
        try (Stream<Path> artifacts = Files.list(folder)) {
            Path artifact = artifacts.findFirst().orElseThrow();
            return JsonObject.parse(Files.readString(artifact.resolve("reachability-metadata.json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Records and their generated builders are exempt: their components are data. */
    @Test
    void constructors_haveAtMost7Parameters() {
        Set<String> tooLong = CLASSES.stream()
                .filter(type -> !type.isRecord()
                        && !type.isEnum()
                        && !type.getSimpleName().endsWith("Builder"))
                .flatMap(type -> type.getConstructors().stream())
                .filter(constructor -> constructor.getRawParameterTypes().size() > 7)
                .map(constructor -> constructor.getFullName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(tooLong).isEmpty();
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
