/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.crd.processor;

import io.kubeloop.apiserver.customresources.definitions.CrdStrategy;
import io.kubeloop.apiserver.customresources.definitions.VersionOrder;
import io.kubeloop.apiserver.fielderrors.FieldError;
import io.kubeloop.apiserver.fielderrors.FieldErrors;
import io.kubeloop.crd.processor.Mark.InvalidSourceException;
import io.kubeloop.crd.processor.Mark.Origin;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;

/** The definition of a kind, made of the records of its versions. Confined to the compiler's thread. */
final class Definition {

    private static final Pattern VERSION = Pattern.compile("^spec\\.(?:versions\\[(\\d+)]\\.?)?(.*)");
    private static final String SCHEMA = "openAPIV3Schema";

    /**
     * A record with its annotation and schema.
     *
     * @param record the record
     * @param mark its annotation
     * @param result its schema
     */
    private record Version(TypeElement record, Mark mark, RecordSchema.Result result) {

        String name() {
            return mark.text("version");
        }
    }

    private final List<Version> versions = new ArrayList<>();

    /** Returns the name of the definition to which a record belongs: {@code PLURAL.GROUP}. */
    static String name(Mark mark) {
        return mark.text("plural") + "." + mark.text("group");
    }

    static String kind(TypeElement record, Mark mark) {
        return mark.text("kind").isEmpty() ? record.getSimpleName().toString() : mark.text("kind");
    }

    /** Adds a version. */
    void add(TypeElement record, Mark mark, RecordSchema.Result result) throws InvalidSourceException {
        Version added = new Version(record, mark, result);
        if (!versions.isEmpty() && !names(added).equals(names(versions.get(0)))) {
            throw mark.error("the versions of " + name(mark) + " differ: " + names(added) + " here, "
                    + names(versions.get(0)) + " on " + versions.get(0).record.getQualifiedName());
        }
        versions.add(added);
        versions.sort(Comparator.comparing(Version::name, VersionOrder::compare).reversed());
    }

    Element[] records() {
        return versions.stream().map(Version::record).toArray(Element[]::new);
    }

    private static JsonObject names(Version version) {
        Mark mark = version.mark;
        String kind = kind(version.record, mark);
        String singular = mark.text("singular").isEmpty() ? kind.toLowerCase(Locale.ROOT) : mark.text("singular");
        JsonObject.Builder names = JsonObject.builder()
                .put("kind", kind)
                .put("listKind", kind + "List")
                .put("plural", mark.text("plural"))
                .put("singular", singular);
        for (String list : List.of("shortNames", "categories")) {
            if (!mark.texts(list).isEmpty()) {
                names.put(list, JsonArray.ofStrings(mark.texts(list)));
            }
        }
        return JsonObject.EMPTY.with("scope", scope(mark)).with("names", names.build());
    }

    private static String scope(Mark mark) {
        boolean isCluster = mark.values().get("scope") instanceof VariableElement constant
                && constant.getSimpleName().contentEquals("CLUSTER");
        return isCluster ? "Cluster" : "Namespaced";
    }

    /** Returns the definition as it is written. */
    JsonObject document() {
        Version first = versions.get(0);
        return JsonObject.builder()
                .put("apiVersion", "apiextensions.k8s.io/v1")
                .put("kind", "CustomResourceDefinition")
                .put("metadata", JsonObject.EMPTY.with("name", name(first.mark)))
                .put(
                        "spec",
                        names(first)
                                .with("group", first.mark.text("group"))
                                .with("conversion", JsonObject.EMPTY.with("strategy", "None"))
                                .with(
                                        "versions",
                                        JsonArray.of(versions.stream()
                                                .map(Definition::version)
                                                .toList())))
                .build();
    }

    private static JsonObject version(Version version) {
        Mark mark = version.mark;
        RecordSchema.Result result = version.result;
        JsonObject.Builder document = JsonObject.builder()
                .put("name", version.name())
                .put("served", mark.isTrue("served"))
                .put("storage", mark.isTrue("storage"))
                .put("schema", JsonObject.of(SCHEMA, result.schema()));
        if (mark.isTrue("deprecated")) {
            document.put("deprecated", true);
        }
        if (!mark.text("deprecationWarning").isEmpty()) {
            document.put("deprecationWarning", mark.text("deprecationWarning"));
        }
        JsonObject subresources = subresources(mark, result.schema());
        if (!subresources.isEmpty()) {
            document.put("subresources", subresources);
        }
        if (!result.columns().isEmpty()) {
            document.put("additionalPrinterColumns", JsonArray.of(result.columns()));
        }
        if (!result.selectable().isEmpty()) {
            document.put("selectableFields", JsonArray.of(result.selectable()));
        }
        return document.build();
    }

    private static JsonObject subresources(Mark mark, JsonObject schema) {
        JsonObject.Builder subresources = JsonObject.builder();
        if (schema.object("properties").has("status")) {
            subresources.put("status", JsonObject.EMPTY);
        }
        for (Mark scale : mark.nested("scale")) {
            JsonObject paths = JsonObject.EMPTY
                    .with("specReplicasPath", scale.text("spec"))
                    .with("statusReplicasPath", scale.text("status"));
            subresources.put(
                    "scale",
                    scale.text("selector").isEmpty() ? paths : paths.with("labelSelectorPath", scale.text("selector")));
        }
        return subresources.build();
    }

    /**
     * Checks the definition as the API server does, the cost of its rules included.
     *
     * @param problems receives the place and the text of each error
     */
    void check(BiConsumer<Origin, String> problems) {
        versions.forEach(version ->
                version.mark.nested("scale").forEach(scale -> checkScale(scale, version.result.schema(), problems)));
        CrdStrategy server = new CrdStrategy();
        JsonObject document = document();
        FieldErrors errors = new FieldErrors(document);
        server.validateCreate(server.prepareForCreate(server.defaults(document)), errors);
        // An error that all versions share is reported once, for the first one.
        for (FieldError error : errors.list()) {
            problems.accept(origin(error.field()), error.message());
        }
    }

    /** The server accepts paths that lead nowhere. */
    private static void checkScale(Mark scale, JsonObject schema, BiConsumer<Origin, String> problems) {
        Map.of("spec", "integer", "status", "integer", "selector", "string").forEach((member, type) -> {
            String path = scale.text(member);
            JsonObject field = schema;
            for (String name : path.isEmpty()
                    ? List.<String>of()
                    : List.of(path.substring(1).split("\\."))) {
                field = field.object("properties", name);
            }
            if (!path.isEmpty() && !field.string("type").equals(type)) {
                problems.accept(scale.origin(), "the path " + path + " leads to no component of type " + type);
            }
        });
    }

    /** Returns the place in the source to which an error of the server belongs. */
    private Origin origin(String field) {
        Matcher parts = VERSION.matcher(field);
        Version version = versions.get(0);
        String rest = "";
        if (parts.matches()) {
            String index = parts.group(1);
            version = versions.get(index == null ? 0 : Integer.parseInt(index));
            rest = parts.group(2);
        }
        int schema = rest.indexOf(SCHEMA);
        String path = schema < 0 ? rest : rest.substring(schema + SCHEMA.length());
        Origin best = version.mark.origin();
        int length = schema < 0 ? 0 : -1;
        for (Map.Entry<String, Origin> known : version.result.origins().entrySet()) {
            if (known.getKey().length() > length && path.startsWith(known.getKey())) {
                best = known.getValue();
                length = known.getKey().length();
            }
        }
        return best;
    }
}
