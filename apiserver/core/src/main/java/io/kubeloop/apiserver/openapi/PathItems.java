/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.openapi.Operation.Parameter;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The parts of a path item that OpenAPI v2 and v3 have in common. Thread-safe: stateless. */
final class PathItems {

    static final JsonObject BEARER_TOKEN = JsonObject.EMPTY
            .with("type", "apiKey")
            .with("name", "authorization")
            .with("in", "header")
            .with("description", "Bearer Token authentication");

    private PathItems() {}

    /**
     * Returns the path items of operations, which contain the parameters that all operations of a path share.
     *
     * @param form returns the form of an operation beside the shared parameters
     * @param parameters returns the form of parameters
     */
    static JsonObject of(
            List<Operation> operations,
            BiFunction<Operation, List<Parameter>, JsonObject> form,
            Function<List<Parameter>, JsonArray> parameters) {
        Map<String, List<Operation>> paths = new TreeMap<>();
        for (Operation operation : operations) {
            paths.computeIfAbsent(operation.path(), path -> new ArrayList<>()).add(operation);
        }
        JsonObject.Builder items = JsonObject.builder();
        paths.forEach((path, of) -> {
            List<Parameter> common = common(of);
            JsonObject.Builder item = JsonObject.builder();
            of.forEach(operation -> item.put(operation.method(), form.apply(operation, common)));
            if (!common.isEmpty()) {
                item.put("parameters", parameters.apply(common));
            }
            items.put(path, item.build());
        });
        return items.build();
    }

    private static List<Parameter> common(List<Operation> operations) {
        List<Parameter> common = new ArrayList<>(operations.get(0).parameters());
        operations.forEach(operation -> common.retainAll(operation.parameters()));
        return sorted(common);
    }

    /** Returns the parameters of an operation that the path item does not contain. */
    static List<Parameter> own(Operation operation, List<Parameter> common) {
        List<Parameter> own = new ArrayList<>(operation.parameters());
        own.removeAll(common);
        return sorted(own);
    }

    private static List<Parameter> sorted(List<Parameter> parameters) {
        return parameters.stream()
                .sorted(Comparator.comparing(Parameter::name)
                        .thenComparing(Parameter::inPath, Comparator.reverseOrder()))
                .toList();
    }

    static JsonObject.Builder named(Parameter parameter) {
        JsonObject.Builder json =
                JsonObject.builder().put("name", parameter.name()).put("in", parameter.inPath() ? "path" : "query");
        return parameter.inPath() ? json.put("required", true) : json;
    }

    static JsonObject.Builder begin(Operation operation) {
        return JsonObject.builder()
                .put("tags", JsonArray.ofStrings(List.of(operation.tag())))
                .put("operationId", operation.id());
    }

    static JsonObject end(JsonObject.Builder json, Operation operation) {
        if (!operation.action().isEmpty()) {
            json.put("x-kubernetes-action", operation.action());
        }
        if (operation.kind() != null) {
            json.put("x-kubernetes-group-version-kind", operation.kind());
        }
        return json.build();
    }

    /** Returns the description of a status code, which OpenAPI requires. */
    static String reason(String code) {
        return switch (code) {
            case "200" -> "OK";
            case "201" -> "Created";
            case "202" -> "Accepted";
            case "401" -> "Unauthorized";
            default -> throw new IllegalArgumentException("no description of code " + code);
        };
    }
}
