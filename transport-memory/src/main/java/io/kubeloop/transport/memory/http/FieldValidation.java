package io.kubeloop.transport.memory.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlDocuments;
import io.kubeloop.transport.memory.http.fields.FieldTable;
import io.kubeloop.transport.memory.machinery.ServedResource;
import io.kubeloop.transport.memory.registry.ResourceRegistry;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells clients of fields that do not exist, as they ask with {@code fieldValidation}: {@code Strict} refuses them, {@code
 * Warn}, the default, warns of them, {@code Ignore} takes them. They are stored all the same; upstream drops them. A field
 * that is there twice goes unnoticed. Thread-safe.
 */
final class FieldValidation {

    private final ResourceRegistry registry;
    private final FieldTable fields = FieldTable.builtIn();

    FieldValidation(ResourceRegistry registry) {
        this.registry = registry;
    }

    /**
     * Returns the warnings for a request.
     *
     * @throws HttpApiFailure 400 if the request wants to be refused for its unknown fields
     */
    List<String> check(ApiRequest request) {
        String wish = request.query().getOrDefault("fieldValidation", "");
        ServedResource resource = wish.equals("Ignore") ? null : resource(request.path());
        JsonObject object = resource == null ? null : content(request);
        if (resource == null || object == null) {
            return List.of();
        }
        String kind = resource.type().kind();
        List<String> faults = fields.unknownFields(kind, object).stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        if (wish.equals("Strict") && !faults.isEmpty()) {
            throw HttpApiFailure.badRequest(
                    kind + " in version \"" + resource.type().version()
                            + "\" cannot be handled as a " + kind + ": strict decoding error: "
                            + faults.stream().collect(Collectors.joining(", ")));
        }
        return faults;
    }

    /** Returns what a path is about, or null for what has no fields of its own kind there, such as a scale. */
    private @Nullable ServedResource resource(String path) {
        String[] parts = path.substring(1).split("/", -1);
        boolean isCore = parts[0].equals("api");
        int next = isCore ? 2 : 3;
        if (parts.length <= next) {
            return null;
        }
        String group = isCore ? "" : parts[1];
        String version = parts[next - 1];
        if (parts[next].equals("namespaces") && parts.length > next + 2 && !isPartOfNamespace(parts[next + 2])) {
            next += 2;
        }
        boolean isWhole = parts.length <= next + 2;
        boolean isStatus = parts.length == next + 3 && parts[next + 2].equals("status");
        return isWhole || isStatus ? registry.find(group, version, parts[next]) : null;
    }

    private static boolean isPartOfNamespace(String segment) {
        return segment.equals("status") || segment.equals("finalize");
    }

    /** Returns the object, or the part of one, that a request brings; null if it brings none or nothing readable. */
    private static @Nullable JsonObject content(ApiRequest request) {
        ApiRequest.Body body = request.body();
        if (body == null || request.method().equals("DELETE")) {
            return null;
        }
        try {
            if (body.contentType().equals(Patch.Type.APPLY.contentType())) {
                List<YamlDocuments.Document> documents =
                        YamlDocuments.parse("body", new String(body.bytes(), StandardCharsets.UTF_8));
                return documents.size() == 1 && documents.get(0).value() instanceof JsonObject object ? object : null;
            }
            return body.contentType().equals(Patch.Type.JSON.contentType()) ? null : JsonObject.parse(body.bytes());
        } catch (DecodeException e) {
            // The server says better what is wrong with the body as a whole.
            return null;
        }
    }
}
