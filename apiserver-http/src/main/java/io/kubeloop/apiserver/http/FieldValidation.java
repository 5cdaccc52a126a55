package io.kubeloop.apiserver.http;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.apiserver.fields.FieldTable;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.registry.ResourceRegistry;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.yaml.YamlDocuments;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports unknown fields according to the parameter {@code fieldValidation}: {@code Strict} rejects the request,
 * {@code Warn}, the default, adds warnings, {@code Ignore} does nothing. Unknown fields are stored; upstream drops
 * them. Duplicate fields are not detected. Thread-safe.
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
     * @throws HttpApiFailure 400 if the request has unknown fields and {@code fieldValidation=Strict}
     */
    List<String> check(ApiRequest request) {
        String requested = request.query().getOrDefault("fieldValidation", "");
        ServedResource resource = requested.equals("Ignore") ? null : resource(request.path());
        JsonObject object = resource == null ? null : content(request);
        if (resource == null || object == null) {
            return List.of();
        }
        String kind = resource.type().kind();
        List<String> faults = fields.unknownFields(kind, object).stream()
                .map(path -> "unknown field \"" + path + "\"")
                .toList();
        if (requested.equals("Strict") && !faults.isEmpty()) {
            throw HttpApiFailure.badRequest(
                    kind + " in version \"" + resource.type().version()
                            + "\" cannot be handled as a " + kind + ": strict decoding error: "
                            + faults.stream().collect(Collectors.joining(", ")));
        }
        return faults;
    }

    /** Returns the resource of a path; null if its body has no fields of that resource, such as the body of a scale. */
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

    /** Returns the object or partial object in the body; null if there is none or it cannot be read. */
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
            // The server reports an unreadable body with a better message.
            return null;
        }
    }
}
