/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import io.kubeloop.json.yaml.Manifests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Executes docs/kinds.md: each row of its tables is compiled, compared, and sent to a server. */
class KindsPageTest {

    private static final Path PAGE = Path.of("../../docs/kinds.md");
    private static final Pattern ROW =
            Pattern.compile("(?m)^\\| `(.*)` \\| `(.*)` \\| `(.*)` is (rejected: |stored as )`(.*)` \\|$");
    private static final Pattern TYPES = Pattern.compile("<!-- types -->\\s*```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern KIND = Pattern.compile("<!-- kind -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    private static final Pattern NAME = Pattern.compile("(?:record|enum|interface) (\\w+)");

    private static final String IMPORTS = """
            package rows;

            import io.kubeloop.api.*;
            import io.kubeloop.api.core.ConfigMap;
            import io.kubeloop.api.selector.LabelSelector;
            import io.kubeloop.api.value.IntOrString;
            import io.kubeloop.crd.CustomResource;
            import io.kubeloop.crd.Schema.*;
            import io.kubeloop.crd.Schema.Enum;
            import io.kubeloop.crd.Union;
            import java.util.List;
            import java.util.Map;
            import org.jspecify.annotations.NonNull;
            import org.jspecify.annotations.Nullable;

            """;

    private record Row(String component, JsonObject schema, JsonObject given, boolean isRejected, String result) {}

    private static List<Row> rows(String page) {
        return ROW.matcher(page).results().map(KindsPageTest::row).toList();
    }

    private static Row row(MatchResult cells) {
        return new Row(
                cell(cells, 1),
                yaml(cell(cells, 2)),
                yaml(cell(cells, 3)),
                cells.group(4).startsWith("rejected"),
                cell(cells, 5));
    }

    private static String cell(MatchResult cells, int number) {
        return cells.group(number).replace("\\|", "|");
    }

    private static JsonObject yaml(String text) {
        return Manifests.read("row", "apiVersion: v1\nkind: Row\nvalue: " + text)
                .get(0)
                .object("value");
    }

    private static void addTypes(String page, Map<String, String> sources) {
        String types = TYPES.matcher(page).results().findFirst().orElseThrow().group(1);
        for (String type : types.split("\n\n", -1)) {
            String name = NAME.matcher(type).results().findFirst().orElseThrow().group(1);
            sources.put("rows/" + name + ".java", IMPORTS + type);
        }
    }

    @Test
    void components_haveTheirSchemaAndBehavior(@TempDir Path output) throws IOException {
        String page = Files.readString(PAGE);
        List<Row> rows = rows(page);
        Map<String, String> sources = new LinkedHashMap<>();
        addTypes(page, sources);
        for (int i = 0; i < rows.size(); i++) {
            sources.put("rows/Row" + i + ".java", IMPORTS + """
                            @CustomResource(group = "example.com", version = "v1", plural = "row%1$ds")
                            public record Row%1$d(ObjectMeta metadata, Spec spec, UnknownFields unknownFields)
                                    implements Row%1$dBuilder.With {
                                record Spec(%2$s, UnknownFields unknownFields) {}
                            }
                            """.formatted(i, rows.get(i).component));
        }
        CompiledKinds compiled = CompiledKinds.of(output, sources);
        assertThat(compiled.errors()).isEmpty();
        Map<String, JsonObject> definitions = compiled.definitions();
        assertThat(definitions).hasSize(rows.size()).hasSizeGreaterThan(30);
        List<String> wrong = new ArrayList<>();
        try (KindServer server = new KindServer()) {
            server.define(definitions);
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                JsonObject spec = definitions
                        .get("row" + i + "s.example.com")
                        .array("spec", "versions")
                        .objects()
                        .findFirst()
                        .orElseThrow()
                        .object("schema", "openAPIV3Schema", "properties", "spec");
                JsonObject schema = spec.object("properties", "a");
                if (!schema.equals(row.schema)) {
                    wrong.add(row.component + " makes " + schema);
                }
                JsonObject object = JsonObject.builder()
                        .put("apiVersion", "example.com/v1")
                        .put("kind", "Row" + i)
                        .put("metadata", JsonObject.EMPTY.with("name", "a"))
                        .put("spec", row.given)
                        .build();
                JsonObject answer =
                        server.send("POST", "/apis/example.com/v1/namespaces/default/row" + i + "s", object);
                boolean isRight = row.isRejected
                        ? answer.string("message").contains(row.result)
                        : answer.object("spec").equals(yaml(row.result));
                if (!isRight) {
                    wrong.add(row.component + " answers " + answer.string("message") + answer.get("spec"));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    private static final Pattern KIND_ROW =
            Pattern.compile("(?m)^\\| `(.*)` \\| `(.*)` \\| GET `(.*)` returns `(.*)` \\|$");
    private static final Pattern BASE = Pattern.compile("<!-- base -->\\s*```java\\n(.*?)```", Pattern.DOTALL);

    /** Returns the kind of the page with what a row adds. */
    private static String kind(String base, int number, String added) {
        String kind = base.replace("kinds", "kind" + number + "s").replace("Kind", "Kind" + number);
        if (added.startsWith("@CustomResource(")) {
            String members = added.substring("@CustomResource(".length(), added.length() - 1);
            return kind.replace("s\")\n", "s\", " + members + ")\n");
        }
        if (added.endsWith(" color")) {
            return kind.replace("String color", added);
        }
        return added.startsWith("@") ? added.replace(" record", "") + "\n" + kind : kind;
    }

    /** Returns whether a tree has the members somewhere. */
    private static boolean contains(JsonValue tree, Map<String, JsonValue> members) {
        if (tree instanceof JsonObject object) {
            return object.members().entrySet().containsAll(members.entrySet())
                    || object.members().values().stream().anyMatch(value -> contains(value, members));
        }
        return tree instanceof JsonArray array && array.elements().stream().anyMatch(value -> contains(value, members));
    }

    @Test
    void kinds_haveTheirDefinitionAndBehavior(@TempDir Path output) throws IOException {
        String page = Files.readString(PAGE);
        List<MatchResult> rows = KIND_ROW.matcher(page).results().toList();
        String base = BASE.matcher(page).results().findFirst().orElseThrow().group(1);
        Map<String, String> sources = new LinkedHashMap<>();
        for (int i = 0; i < rows.size(); i++) {
            sources.put("rows/Kind" + i + ".java", IMPORTS + kind(base, i, cell(rows.get(i), 1)));
        }
        CompiledKinds compiled = CompiledKinds.of(output, sources);
        assertThat(compiled.errors()).isEmpty();
        assertThat(rows).hasSizeGreaterThan(10);
        List<String> wrong = new ArrayList<>();
        try (KindServer server = new KindServer()) {
            for (int i = 0; i < rows.size(); i++) {
                String added = cell(rows.get(i), 1);
                JsonObject definition = compiled.definitions().get("kind" + i + "s.example.com");
                if (!contains(definition, yaml("{" + cell(rows.get(i), 2) + "}").members())) {
                    wrong.add(added + " makes " + definition);
                }
                server.define(Map.of(added, definition));
                String scope = definition.string("spec", "scope").equals("Cluster") ? "" : "namespaces/default/";
                String objects = "/apis/example.com/v1/" + scope + "kind" + i + "s";
                JsonObject object = JsonObject.parse("""
                        {"apiVersion": "example.com/v1", "kind": "Kind%d", "metadata": {"name": "a"},
                         "spec": {"replicas": 3, "color": "red"}, "status": {"ready": 2, "selector": "app=a"}}
                        """.formatted(i));
                JsonObject created = server.send("POST", objects, object);
                server.send("PUT", objects + "/a/status", created.with("status", object.object("status")));
                String answer =
                        server.read(cell(rows.get(i), 3).replace("~", objects), added.contains("PrinterColumn"));
                if (!answer.contains(cell(rows.get(i), 4))) {
                    wrong.add(added + " answers " + answer);
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void kindOfTheFirstPart_isServed(@TempDir Path output) throws IOException {
        String kind = KIND.matcher(Files.readString(PAGE))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        CompiledKinds compiled = CompiledKinds.of(output, Map.of("example/Backup.java", kind));
        assertThat(compiled.errors()).isEmpty();
        try (KindServer server = new KindServer()) {
            server.define(compiled.definitions());
        }
    }
}
