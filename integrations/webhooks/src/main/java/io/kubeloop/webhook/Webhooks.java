/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.webhook;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The webhooks of an operator, by path. Reviews have the version {@code v1}. Immutable; thread-safe.
 *
 * <pre>{@code
 * Webhooks webhooks = Webhooks.of(codec)
 *         .admission("/sites", SITES, review -> AdmissionAnswer.deny("no sites on Sundays"))
 *         .conversion("/convert", VersionConversions.of(codec).with(SITES_V1, SITES, SiteV1::toV2, Site::toV1));
 * }</pre>
 */
public final class Webhooks {

    private final ObjectCodec codec;
    private final Map<String, Function<JsonObject, JsonObject>> reviews;

    private Webhooks(ObjectCodec codec, Map<String, Function<JsonObject, JsonObject>> reviews) {
        this.codec = codec;
        this.reviews = Map.copyOf(reviews);
    }

    /** Returns no webhooks. */
    public static Webhooks of(ObjectCodec codec) {
        return new Webhooks(codec, Map.of());
    }

    /**
     * Returns these webhooks and one for admission.
     *
     * @param path begins with a slash
     * @param type the resource that the rules of the webhook's configuration name
     */
    public <T extends KubeObject> Webhooks admission(String path, ResourceType<T> type, AdmissionHandler<T> handler) {
        return with(path, request -> admission(request, type, handler));
    }

    /** Returns these webhooks and one that converts custom resources at a path. */
    public Webhooks conversion(String path, VersionConversions conversions) {
        return with(path, request -> conversion(request, conversions));
    }

    private Webhooks with(String path, Function<JsonObject, JsonObject> review) {
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("Cannot serve the webhook " + path + ": the path begins with no slash");
        }
        Map<String, Function<JsonObject, JsonObject>> more = new HashMap<>(reviews);
        if (more.put(path, review) != null) {
            throw new IllegalArgumentException("Cannot serve two webhooks at " + path);
        }
        return new Webhooks(codec, more);
    }

    /** Returns the paths. */
    public Set<String> paths() {
        return reviews.keySet();
    }

    /**
     * Answers a review in this process, without a port.
     *
     * @param review the document that an API server sends, in JSON
     * @return the document that it receives
     * @throws DecodeException if the review or its objects are invalid
     * @throws IllegalArgumentException if nothing is served at the path, or the handler of the path is for another
     *     resource
     * @throws RuntimeException what a handler has thrown
     */
    public byte[] answer(String path, byte[] review) {
        Function<JsonObject, JsonObject> function = reviews.get(path);
        if (function == null) {
            throw new IllegalArgumentException("no webhook at " + path + "; the webhooks are " + reviews.keySet());
        }
        JsonObject document = JsonObject.parse(review);
        JsonObject request = document.object("request");
        if (request.string("uid").isEmpty()) {
            throw new IllegalArgumentException("the review has no request with a uid");
        }
        return JsonObject.EMPTY
                .with("apiVersion", document.string("apiVersion"))
                .with("kind", document.string("kind"))
                .with("response", function.apply(request).with("uid", request.string("uid")))
                .toBytes();
    }

    private <T extends KubeObject> JsonObject admission(
            JsonObject request, ResourceType<T> type, AdmissionHandler<T> handler) {
        JsonObject resource = request.object("resource");
        JsonObject expected = JsonObject.EMPTY
                .with("group", type.group())
                .with("version", type.version())
                .with("resource", type.plural());
        if (!resource.equals(expected)) {
            throw new IllegalArgumentException("the webhook is for " + expected + ", not for " + resource);
        }
        T object = object(request.get("object"), type);
        AdmissionAnswer<T> answer = handler.review(new AdmissionReview<>(
                request.string("operation"),
                request.string("namespace"),
                request.string("name"),
                request.string("subResource"),
                request.string("userInfo", "username"),
                request.bool("dryRun"),
                object,
                object(request.get("oldObject"), type)));
        JsonObject response = JsonObject.EMPTY.with("allowed", answer.denial() == null);
        if (!answer.warnings().isEmpty()) {
            response = response.with("warnings", JsonArray.ofStrings(answer.warnings()));
        }
        if (answer.denial() != null) {
            return response.with("status", JsonObject.EMPTY.with("code", 403).with("message", answer.denial()));
        }
        T changed = answer.changed();
        if (changed == null || object == null) {
            return response;
        }
        JsonArray patch = RecordPatch.between(request.object("object"), tree(type, object), tree(type, changed));
        return patch.isEmpty()
                ? response
                : response.with("patchType", "JSONPatch").with("patch", base64(patch.toString()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private <T extends KubeObject> @Nullable T object(@Nullable JsonValue document, ResourceType<T> type) {
        return document instanceof JsonObject object
                ? codec.decode(type, new ByteArrayInputStream(object.toBytes()))
                : null;
    }

    private <T extends KubeObject> JsonObject tree(ResourceType<T> type, T object) {
        return JsonObject.parse(codec.encode(type, object));
    }

    private static JsonObject conversion(JsonObject request, VersionConversions conversions) {
        String wanted = request.string("desiredAPIVersion");
        try {
            return JsonObject.EMPTY
                    .with(
                            "convertedObjects",
                            JsonArray.of(request.array("objects")
                                    .objects()
                                    .map(object -> conversions.convert(object, wanted))
                                    .toList()))
                    .with("result", JsonObject.EMPTY.with("status", "Success"));
        } catch (DecodeException | IllegalArgumentException e) {
            return JsonObject.EMPTY.with(
                    "result",
                    JsonObject.EMPTY.with("status", "Failure").with("message", String.valueOf(e.getMessage())));
        }
    }
}
