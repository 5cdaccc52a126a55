/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.openapi;

import io.kubeloop.apiserver.openapi.Operation.Exchange;
import io.kubeloop.apiserver.openapi.Operation.Parameter;
import io.kubeloop.apiserver.rest.CustomSchema;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.json.schema.TypeCatalog;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Builds OpenAPI v3 documents, one for each API version. Immutable. */
final class Version3 {

    private final String release;

    Version3(String release) {
        this.release = release;
    }

    /**
     * Returns the document of a group and version.
     *
     * @param path such as {@code apis/apps/v1}
     */
    JsonObject ofVersion(String path, List<ResourceStore> stores) {
        boolean isCustom = stores.stream().allMatch(store -> store.definition().custom() != null);
        List<String> versions = new ArrayList<>();
        if (isCustom) {
            versions.addAll(TypeCatalog.kubernetes().groupVersions());
        } else {
            String own = stores.get(0).type().apiVersion();
            versions.add("v1");
            if (!own.equals("v1")) {
                versions.add(own);
            }
        }
        Schemas schemas = new Schemas(true, versions);
        List<Operation> operations = new ArrayList<>();
        if (!isCustom) {
            operations.add(DiscoveryOperations.ofVersion("/" + path));
        }
        for (ResourceStore store : stores) {
            CustomSchema custom = store.definition().custom();
            if (custom != null) {
                CustomDefinitions.add(schemas, store, custom, true);
            }
            operations.addAll(Operations.of(store, "/" + path));
        }
        return document(
                isCustom ? "Kubernetes CRD Swagger" : "Kubernetes", isCustom ? "v0.1.0" : release, operations, schemas);
    }

    /** Returns the document that describes a group, the list of groups, or the server version. */
    JsonObject ofGroup(String path) {
        return document(
                "Kubernetes", release, List.of(DiscoveryOperations.of("/" + path)), new Schemas(true, List.of()));
    }

    private static JsonObject document(String title, String version, List<Operation> operations, Schemas schemas) {
        JsonObject paths = PathItems.of(
                operations, (operation, common) -> operation(operation, common, schemas), Version3::parameters);
        return JsonObject.builder()
                .put("openapi", "3.0.0")
                .put("info", JsonObject.EMPTY.with("title", title).with("version", version))
                .put("paths", paths)
                .put(
                        "components",
                        JsonObject.EMPTY
                                .with("schemas", schemas.all())
                                .with("securitySchemes", JsonObject.of("BearerToken", PathItems.BEARER_TOKEN)))
                .build();
    }

    private static JsonObject operation(Operation operation, List<Parameter> common, Schemas schemas) {
        JsonObject.Builder json = PathItems.begin(operation);
        List<Parameter> own = PathItems.own(operation, common);
        if (!own.isEmpty()) {
            json.put("parameters", parameters(own));
        }
        Exchange exchange = operation.exchange();
        if (!exchange.request().isEmpty()) {
            JsonObject body =
                    JsonObject.of("content", content(exchange.consumes(), schemas.reference(exchange.request())));
            json.put("requestBody", exchange.required() ? body.with("required", true) : body);
        }
        boolean isText = exchange.response().equals(Operation.TEXT);
        JsonObject response = isText ? JsonObject.EMPTY.with("type", "string") : schemas.reference(exchange.response());
        JsonObject.Builder responses = JsonObject.builder();
        for (String code : exchange.codes()) {
            responses.put(
                    code,
                    JsonObject.EMPTY
                            .with("description", PathItems.reason(code))
                            .with("content", content(exchange.produces(), response)));
        }
        responses.put("401", JsonObject.EMPTY.with("description", PathItems.reason("401")));
        json.put("responses", responses.build());
        return PathItems.end(json, operation);
    }

    private static JsonObject content(List<String> types, JsonObject schema) {
        Map<String, JsonObject> content = new LinkedHashMap<>();
        types.forEach(type -> content.put(type, JsonObject.of("schema", schema)));
        return JsonObject.of(content);
    }

    private static JsonArray parameters(List<Parameter> parameters) {
        return JsonArray.of(parameters.stream()
                .map(parameter -> PathItems.named(parameter)
                        .put(
                                "schema",
                                JsonObject.EMPTY.with("type", parameter.type()).with("uniqueItems", true))
                        .build())
                .toList());
    }
}
