/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonObject;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs use the generated builders, unions and constants, and versions are joined. */
class GeneratedSourcesTest {

    private static final String IMPORTS = """
            import io.kubeloop.api.*;
            import io.kubeloop.crd.*;
            import io.kubeloop.crd.Schema.*;
            import io.kubeloop.json.JsonCodec;
            import java.io.ByteArrayInputStream;
            import java.nio.charset.StandardCharsets;
            import java.util.*;
            import java.util.concurrent.Callable;
            import org.jspecify.annotations.Nullable;
            """;

    private static final String BOAT = """
            @CustomResource(group = "example.com", version = "v1", plural = "boats", scope = ResourceType.Scope.CLUSTER)
            record Boat(ObjectMeta metadata, Spec spec, @Nullable Status status, UnknownFields unknownFields)
                    implements BoatBuilder.With {
                record Spec(
                        @Default("3") int masts,
                        @Default("9000000000") long weight,
                        @Default("red") String color,
                        @Default("true") boolean floats,
                        @Nullable Integer age,
                        List<String> crew,
                        Map<String, String> cargo,
                        Hull hull,
                        @Nullable HarborUnion harbor,
                        UnknownFields unknownFields) implements BoatSpecBuilder.With {}
                record Hull(@JsonMember(name = "default") String material, UnknownFields unknownFields) {}
                record Status(int speed, UnknownFields unknownFields) {}
            }
            @Union(discriminator = "kind")
            sealed interface Harbor permits Import, Sea {}
            record Import(String country, UnknownFields unknownFields) implements Harbor {}
            record Sea(UnknownFields unknownFields) implements Harbor {}
            """;

    /** Compiles a program that returns texts, and runs it. */
    private static List<?> run(Path output, String declarations, String statements) throws Exception {
        String program = IMPORTS + declarations + """
                public final class Program implements Callable<List<?>> {
                    @Override
                    public List<?> call() {
                        %s
                    }
                    private static String json(Boat boat) {
                        JsonCodec codec = JsonCodec.standard().with(Boat.TYPE);
                        return new String(codec.encode(Boat.TYPE, boat), StandardCharsets.UTF_8);
                    }
                    private static Boat boat(String json) {
                        return JsonCodec.standard().with(Boat.TYPE).decode(Boat.TYPE,
                            new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
                    }
                }
                """.formatted(statements);
        CompiledKinds compiled = CompiledKinds.of(output, Map.of("Program.java", program));
        assertThat(compiled.errors()).isEmpty();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {output.toUri().toURL()})) {
            Object made = loader.loadClass("Program").getConstructor().newInstance();
            return (List<?>) ((Callable<?>) made).call();
        }
    }

    @Test
    void builder_beginsWithTheDefaultsOfTheDefinition(@TempDir Path output) throws Exception {
        List<?> results = run(output, BOAT, """
                Boat boat = BoatBuilder.builder().metadata(ObjectMeta.named("", "ark")).build();
                Boat changed = boat.withSpec(boat.spec().withMasts(0).withColor("")).withMetadata(
                    ObjectMeta.named("", "raft"));
                Boat.Spec copy = BoatSpecBuilder.builder(boat.spec()).age(4).build();
                return List.of(json(boat), json(changed), copy.age() + copy.color(), Boat.TYPE.objectPath(
                    changed.objectName()), json(boat(json(changed))).equals(json(changed)));
                """);
        assertThat(results.get(0))
                .asString()
                .contains("\"masts\":3", "\"weight\":9000000000", "\"color\":\"red\"", "\"floats\":true")
                .doesNotContain("age", "status");
        assertThat(results.get(1)).asString().contains("\"masts\":0", "raft").doesNotContain("color");
        assertThat(results.subList(2, 5)).isEqualTo(List.of("4red", "/apis/example.com/v1/boats/raft", true));
    }

    @Test
    void unions_haveNoBuilder(@TempDir Path output) throws Exception {
        run(output, BOAT, "return List.of();");
        assertThat(output.resolve("HarborUnion.class")).exists();
        assertThat(output.resolve("HarborUnionBuilder.java")).doesNotExist();
    }

    @Test
    void union_holdsOneRecord_andKeepsUnknownOnes(@TempDir Path output) throws Exception {
        List<?> results = run(output, BOAT, """
                Boat boat = BoatBuilder.builder().build();
                HarborUnion port = HarborUnion.of(new Import("nl", UnknownFields.NONE));
                String unknown = "{\\"apiVersion\\":\\"example.com/v1\\",\\"kind\\":\\"Boat\\",\
                \\"spec\\":{\\"harbor\\":"
                    + "{\\"kind\\":\\"River\\",\\"river\\":{\\"depth\\":3}}}}";
                Boat later = boat(unknown);
                return List.of(
                    json(boat.withSpec(boat.spec().withHarbor(port))),
                    port.value(),
                    json(boat.withSpec(boat.spec().withHarbor(HarborUnion.of(new Sea(UnknownFields.NONE))))),
                    later.spec().harbor().value() == null,
                    json(later));
                """);
        assertThat(results.get(0))
                .asString()
                .contains("\"harbor\":{\"kind\":\"Import\",\"import\":{\"country\":\"nl\"}}");
        assertThat(results.get(1)).asString().startsWith("Import[country=nl");
        assertThat(results.get(2)).asString().contains("\"harbor\":{\"kind\":\"Sea\",\"sea\":{}}");
        assertThat(results.get(3)).isEqualTo(true);
        assertThat(results.get(4)).asString().contains("{\"kind\":\"River\",\"river\":{\"depth\":3}}");
    }

    private static String version(String version, String members, String component) {
        return "package kinds." + version + ";\n" + IMPORTS + """
                /** A {@code kite}<p>that flies &amp; {@link String#length() falls}.
                 *
                 * @param spec how it
                 *     looks
                 */
                @CustomResource(group = "example.com", version = "%s", plural = "kites"%s)
                public record Kite(ObjectMeta metadata, Spec spec, UnknownFields unknownFields)
                        implements KiteBuilder.With {
                    /** Not shown. */
                    public record Spec(%s, UnknownFields unknownFields) {}
                }
                """.formatted(version, members, component);
    }

    @Test
    void versions_areOneDefinition_theNewestFirst(@TempDir Path first, @TempDir Path second) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        sources.put("kinds/v1beta1/Kite.java", version("v1beta1", ", storage = false, served = false", "String old"));
        sources.put("kinds/v1/Kite.java", version("v1", "", "String color"));
        sources.put("kinds/v2alpha1/Kite.java", version("v2alpha1", ", storage = false", "int color"));
        CompiledKinds compiled = CompiledKinds.of(first, sources);
        assertThat(compiled.errors()).isEmpty();
        JsonObject spec = compiled.definitions().get("kites.example.com").object("spec");
        assertThat(spec.array("versions").objects())
                .extracting(version -> version.string("name") + version.bool("storage") + version.bool("served"))
                .containsExactly("v1truetrue", "v1beta1falsefalse", "v2alpha1falsetrue");
        assertThat(spec.string("conversion", "strategy")).isEqualTo("None");
        JsonObject schema =
                spec.array("versions").objects().findFirst().orElseThrow().object("schema", "openAPIV3Schema");
        assertThat(schema.string("description")).isEqualTo("A kite\nthat flies & falls.");
        assertThat(schema.string("properties", "spec", "description")).isEqualTo("how it looks");
        try (KindServer server = new KindServer()) {
            server.define(compiled.definitions());
            assertThat(server.read("/apis/example.com/v1beta1/kites", false)).startsWith("404");
            assertThat(server.read("/apis/example.com/v2alpha1/kites", false)).startsWith("200");
        }
        // The order of the sources does not matter.
        Map<String, String> reversed = new LinkedHashMap<>();
        List<String> names = List.copyOf(sources.keySet());
        for (int i = names.size() - 1; i >= 0; i--) {
            reversed.put(names.get(i), sources.get(names.get(i)));
        }
        assertThat(CompiledKinds.of(second, reversed).errors()).isEmpty();
        assertThat(second.resolve("META-INF/kubeloop/crds/kites.example.com.yaml"))
                .hasSameBinaryContentAs(first.resolve("META-INF/kubeloop/crds/kites.example.com.yaml"));
        assertThat(Files.exists(first.resolve("kinds/v1/KiteBuilder.class"))).isTrue();
    }

    @Test
    void versions_mustAgree(@TempDir Path output) {
        CompiledKinds compiled = CompiledKinds.of(
                output,
                Map.of(
                        "kinds/v1/Kite.java", version("v1", "", "String color"),
                        "kinds/v2/Kite.java", version("v2", ", storage = false, shortNames = \"kt\"", "String color")));
        assertThat(compiled.errors()).anyMatch(error -> error.contains("the versions of kites.example.com differ"));
    }

    @Test
    void unions_consistOfRecords_andKindsAreRecords(@TempDir Path output) {
        CompiledKinds compiled = CompiledKinds.of(
                output,
                Map.of(
                        "Open.java",
                        "@io.kubeloop.crd.Union public interface Open {}",
                        "Some.java",
                        "@io.kubeloop.crd.Union public sealed interface Some permits Other {}",
                        "Other.java",
                        "public final class Other implements Some {}",
                        "Type.java",
                        "@io.kubeloop.crd.Union public sealed interface Type permits Unknown, UnknownFields {}",
                        "Unknown.java",
                        "public record Unknown() implements Type {}",
                        "UnknownFields.java",
                        "public record UnknownFields() implements Type {}",
                        "Kind.java",
                        "@io.kubeloop.crd.CustomResource(group = \"a.b\", version = \"v1\", plural = \"c\") class "
                                + "Kind {}"));
        assertThat(compiled.errors())
                .containsExactlyInAnyOrder(
                        "/Open.java:1: a union is a sealed interface",
                        "/Other.java:1: the union Some can only consist of records",
                        "/UnknownFields.java:1: the member unknownFields of the union Type needs another name: rename"
                                + " the record",
                        "/Kind.java:1: only a record can be a kind");
    }
}
