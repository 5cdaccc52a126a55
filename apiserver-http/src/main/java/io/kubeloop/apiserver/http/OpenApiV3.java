package io.kubeloop.apiserver.http;

import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.fields.FieldTable;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The parts of OpenAPI 3 that kubectl needs to create, apply and edit objects: the paths of each kind, and their
 * support for {@code fieldValidation} and {@code dryRun}. Schemas contain fields and types, but no descriptions.
 * Created once; immutable.
 */
final class OpenApiV3 {

    private static final List<String> WRITE_PARAMETERS = List.of("dryRun", "fieldManager", "fieldValidation");

    private static final String PREFIX = "io.kubeloop.";

    private final Map<String, JsonObject> documents = new LinkedHashMap<>();

    OpenApiV3(ResourceRegistry registry) {
        JsonObject.Builder index = JsonObject.builder();
        for (String groupVersion : registry.groupVersions()) {
            String root = (groupVersion.contains("/") ? "apis/" : "api/") + groupVersion;
            List<ServedResource> resources = registry.all().stream()
                    .filter(resource -> resource.type().apiVersion().equals(groupVersion))
                    .toList();
            documents.put("/openapi/v3/" + root, document(resources));
            index.put(root, JsonObject.EMPTY.with("serverRelativeURL", "/openapi/v3/" + root));
        }
        documents.put("/openapi/v3", JsonObject.of("paths", index.build()));
    }

    /** Returns the document at a path; null if there is none. */
    @Nullable
    JsonObject at(String path) {
        return documents.get(path);
    }

    private static JsonObject document(List<ServedResource> resources) {
        JsonObject.Builder paths = JsonObject.builder();
        JsonObject.Builder schemas = JsonObject.builder();
        for (ServedResource resource : resources) {
            ResourceType<?> type = resource.type();
            JsonObject groupVersionKind = JsonObject.EMPTY
                    .with("group", type.group())
                    .with("kind", type.kind())
                    .with("version", type.version());
            String collection = type.collectionPath(type.isNamespaced() ? "{namespace}" : "");
            paths.put(
                    collection,
                    JsonObject.EMPTY
                            .with("get", operation("list", groupVersionKind, List.of()))
                            .with("post", operation("post", groupVersionKind, WRITE_PARAMETERS)));
            paths.put(
                    collection + "/{name}",
                    JsonObject.EMPTY
                            .with("get", operation("get", groupVersionKind, List.of()))
                            .with("put", operation("put", groupVersionKind, WRITE_PARAMETERS))
                            .with("patch", operation("patch", groupVersionKind, WRITE_PARAMETERS))
                            .with("delete", operation("delete", groupVersionKind, List.of("dryRun"))));
            schemas.put(
                    PREFIX + type.kind(),
                    FieldTable.builtIn()
                            .schema(type.kind(), OpenApiV3::reference)
                            .with("x-kubernetes-group-version-kind", JsonArray.of(groupVersionKind)));
        }
        for (String part : FieldTable.builtIn().types()) {
            if (schemas.get(PREFIX + part) == null) {
                schemas.put(PREFIX + part, FieldTable.builtIn().schema(part, OpenApiV3::reference));
            }
        }
        return JsonObject.builder()
                .put("openapi", "3.0.0")
                .put("info", JsonObject.EMPTY.with("title", "Kubeloop").with("version", ServerVersion.GIT_VERSION))
                .put("paths", paths.build())
                .put("components", JsonObject.of("schemas", schemas.build()))
                .build();
    }

    private static JsonObject operation(String action, JsonObject groupVersionKind, List<String> parameters) {
        List<JsonValue> described = parameters.stream()
                .<JsonValue>map(name -> JsonObject.builder()
                        .put("name", name)
                        .put("in", "query")
                        .put("schema", JsonObject.EMPTY.with("type", "string"))
                        .build())
                .toList();
        return JsonObject.builder()
                .put("parameters", JsonArray.of(described))
                .put("responses", JsonObject.of("200", JsonObject.EMPTY.with("description", "OK")))
                .put("x-kubernetes-action", action)
                .put("x-kubernetes-group-version-kind", groupVersionKind)
                .build();
    }

    private static String reference(String type) {
        return "#/components/schemas/" + PREFIX + type;
    }
}
