/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.openapi.Operation.Exchange;
import io.kubeloop.apiserver.openapi.Operation.Parameter;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Builds the OpenAPI v2 document. Upstream defines shared parameters once and refers to them; this document repeats
 * them. Immutable.
 */
final class Version2 {

    private final String release;

    Version2(String release) {
        this.release = release;
    }

    JsonObject of(Map<String, List<ResourceStore>> groupVersions) {
        Schemas schemas = new Schemas(false, TypeCatalog.kubernetes().groupVersions());
        List<Operation> operations = new ArrayList<>();
        operations.add(DiscoveryOperations.of("/version"));
        operations.add(DiscoveryOperations.of("/apis"));
        TreeSet<String> groups = new TreeSet<>();
        groupVersions.forEach((path, stores) -> {
            if (stores.stream().anyMatch(store -> store.definition().custom() == null)) {
                groups.add(path.substring(0, path.lastIndexOf('/')));
                operations.add(DiscoveryOperations.ofVersion("/" + path));
            }
            for (ResourceStore store : stores) {
                CustomSchema custom = store.definition().custom();
                if (custom != null) {
                    CustomDefinitions.add(schemas, store, custom, false);
                }
                operations.addAll(Operations.of(store, "/" + path));
            }
        });
        groups.forEach(group -> operations.add(DiscoveryOperations.of("/" + group)));
        JsonObject paths = PathItems.of(
                operations,
                (operation, common) -> operation(operation, common, schemas),
                common -> JsonArray.of(parameters(common)));
        return JsonObject.builder()
                .put("swagger", "2.0")
                .put("info", JsonObject.EMPTY.with("title", "Kubernetes").with("version", release))
                .put("paths", paths)
                .put("definitions", schemas.all())
                .put("securityDefinitions", JsonObject.of("BearerToken", PathItems.BEARER_TOKEN))
                .put("security", JsonArray.of(JsonObject.of("BearerToken", JsonArray.EMPTY)))
                .build();
    }

    private static JsonObject operation(Operation operation, List<Parameter> common, Schemas schemas) {
        Exchange exchange = operation.exchange();
        JsonObject.Builder json = PathItems.begin(operation)
                .put("consumes", JsonArray.ofStrings(exchange.consumes()))
                .put("produces", JsonArray.ofStrings(exchange.produces()))
                .put("schemes", JsonArray.ofStrings(List.of("https")));
        List<JsonValue> parameters = new ArrayList<>();
        if (!exchange.request().isEmpty()) {
            JsonObject body = JsonObject.EMPTY.with("name", "body").with("in", "body");
            parameters.add((exchange.required() ? body.with("required", true) : body)
                    .with("schema", schemas.reference(exchange.request())));
        }
        parameters.addAll(parameters(PathItems.own(operation, common)));
        if (!parameters.isEmpty()) {
            json.put("parameters", JsonArray.of(parameters));
        }
        boolean isText = exchange.response().equals(Operation.TEXT);
        JsonObject response = isText ? JsonObject.EMPTY.with("type", "string") : schemas.reference(exchange.response());
        JsonObject.Builder responses = JsonObject.builder();
        for (String code : exchange.codes()) {
            responses.put(
                    code,
                    JsonObject.EMPTY.with("description", PathItems.reason(code)).with("schema", response));
        }
        responses.put("401", JsonObject.EMPTY.with("description", PathItems.reason("401")));
        json.put("responses", responses.build());
        return PathItems.end(json, operation);
    }

    private static List<JsonValue> parameters(List<Parameter> parameters) {
        return parameters.stream()
                .<JsonValue>map(parameter -> PathItems.named(parameter)
                        .put("type", parameter.type())
                        .put("uniqueItems", true)
                        .build())
                .toList();
    }
}
