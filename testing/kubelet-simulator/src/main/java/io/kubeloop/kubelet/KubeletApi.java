/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.kubelet;

import io.kubeloop.api.MicroTime;
import io.kubeloop.api.Status;
import io.kubeloop.api.client.ApiException;
import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.api.client.ApiResponse;
import io.kubeloop.api.client.ApiStream;
import io.kubeloop.api.client.DecodeException;
import io.kubeloop.api.client.Patch;
import io.kubeloop.api.client.Transport;
import io.kubeloop.api.client.TransportException;
import io.kubeloop.json.tree.JsonArray;
import io.kubeloop.json.tree.JsonNull;
import io.kubeloop.json.tree.JsonObject;
import io.kubeloop.json.tree.JsonValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a scheduler and a kubelet, on JSON trees, because they read more fields of a pod than its record
 * has. Thread-safe. Every method blocks for one request and throws the exceptions of {@link
 * io.kubeloop.api.client.ResourceClient}.
 */
final class KubeletApi {

    private static final String PODS = "/api/v1/pods";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    private final Transport transport;

    KubeletApi(Transport transport) {
        this.transport = transport;
    }

    /** Returns one page of a list of all pods. */
    JsonObject listPods(String continueToken) {
        Map<String, String> query =
                continueToken.isEmpty() ? Map.of("limit", "500") : Map.of("limit", "500", "continue", continueToken);
        return call(ApiRequest.get(PODS, query));
    }

    /** Opens a watch of all pods. */
    ApiStream watchPods(String resourceVersion) {
        ApiRequest request = ApiRequest.get(
                PODS,
                Map.of(
                        "watch", "true",
                        "allowWatchBookmarks", "true",
                        "resourceVersion", resourceVersion,
                        "timeoutSeconds", "300"));
        ApiStream stream = transport.stream(request);
        if (stream.code() == 200) {
            return stream;
        }
        try (stream) {
            throw refused(request, stream.code(), stream.next());
        }
    }

    void bind(JsonObject pod, String node) {
        JsonObject binding = JsonObject.builder()
                .put("apiVersion", "v1")
                .put("kind", "Binding")
                .put(
                        "metadata",
                        JsonObject.EMPTY
                                .with("name", pod.string("metadata", "name"))
                                .with("namespace", pod.string("metadata", "namespace"))
                                .with("uid", pod.string("metadata", "uid")))
                .put(
                        "target",
                        JsonObject.EMPTY
                                .with("apiVersion", "v1")
                                .with("kind", "Node")
                                .with("name", node))
                .build();
        call(ApiRequest.of("POST", path(pod) + "/binding", Map.of(), body(ApiRequest.JSON, binding)));
    }

    /** Patches the status of a pod. The patch contains the UID, so another pod of the same name is not changed. */
    void patchStatus(JsonObject pod, JsonObject patch) {
        String type = Patch.Type.STRATEGIC_MERGE.contentType();
        call(ApiRequest.of("PATCH", path(pod) + "/status", Map.of(), body(type, patch)));
    }

    /** Removes a stopped pod. */
    void finishDeletion(JsonObject pod) {
        JsonObject options = JsonObject.builder()
                .put("apiVersion", "v1")
                .put("kind", "DeleteOptions")
                .put("gracePeriodSeconds", 0)
                .put("preconditions", JsonObject.EMPTY.with("uid", pod.string("metadata", "uid")))
                .build();
        call(ApiRequest.of("DELETE", path(pod), Map.of(), body(ApiRequest.JSON, options)));
    }

    /**
     * Creates a node, reports its status, and removes the taint of nodes that are not ready, as the node lifecycle
     * controller does; an existing node is not changed.
     */
    void register(JsonObject node) {
        JsonObject created;
        try {
            created = call(ApiRequest.of("POST", "/api/v1/nodes", Map.of(), body(ApiRequest.JSON, node)));
        } catch (ApiException e) {
            if (e.isAlreadyExists()) {
                return;
            }
            throw e;
        }
        JsonObject status = JsonObject.of("status", node.object("status"));
        String path = "/api/v1/nodes/" + node.string("metadata", "name");
        call(ApiRequest.of("PATCH", path + "/status", Map.of(), body(Patch.Type.MERGE.contentType(), status)));
        List<JsonObject> taints = created.array("spec", "taints").objects().toList();
        List<JsonObject> kept = taints.stream()
                .filter(taint -> !taint.string("key").equals(NOT_READY))
                .toList();
        if (kept.size() < taints.size()) {
            JsonObject untainted =
                    JsonObject.of("spec", JsonObject.of("taints", kept.isEmpty() ? JsonNull.NULL : JsonArray.of(kept)));
            call(ApiRequest.of("PATCH", path, Map.of(), body(Patch.Type.MERGE.contentType(), untainted)));
        }
    }

    /** Renews the lease of a node, or creates it. */
    void renewLease(String node, Instant now) {
        JsonObject spec = JsonObject.EMPTY.with("renewTime", new MicroTime(now).toString());
        try {
            JsonObject renewal = JsonObject.of("spec", spec);
            call(ApiRequest.of("PATCH", LEASES + "/" + node, Map.of(), body(Patch.Type.MERGE.contentType(), renewal)));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
            JsonObject lease = JsonObject.builder()
                    .put("apiVersion", "coordination.k8s.io/v1")
                    .put("kind", "Lease")
                    .put("metadata", JsonObject.EMPTY.with("name", node))
                    .put("spec", spec.with("holderIdentity", node).with("leaseDurationSeconds", 40))
                    .build();
            call(ApiRequest.of("POST", LEASES, Map.of(), body(ApiRequest.JSON, lease)));
        }
    }

    /** Reports the status of a node that the server does not show as ready; returns whether it did. */
    boolean reportIfLost(JsonObject node) {
        String path = "/api/v1/nodes/" + node.string("metadata", "name");
        boolean isReady = call(ApiRequest.get(path, Map.of()))
                .array("status", "conditions")
                .objects()
                .anyMatch(condition -> condition.string("type").equals("Ready")
                        && condition.string("status").equals("True"));
        if (!isReady) {
            JsonObject status =
                    JsonObject.of("status", JsonObject.of("conditions", node.array("status", "conditions")));
            call(ApiRequest.of(
                    "PATCH", path + "/status", Map.of(), body(Patch.Type.STRATEGIC_MERGE.contentType(), status)));
        }
        return !isReady;
    }

    private static String path(JsonObject pod) {
        return "/api/v1/namespaces/" + pod.string("metadata", "namespace") + "/pods/" + pod.string("metadata", "name");
    }

    private static ApiRequest.Body body(String type, JsonObject content) {
        return new ApiRequest.Body(type, content.toBytes());
    }

    private JsonObject call(ApiRequest request) {
        try (ApiResponse response = transport.execute(request)) {
            byte[] body = response.body().readAllBytes();
            if (!response.isSuccessful()) {
                throw refused(request, response.code(), body);
            }
            return JsonObject.parse(body);
        } catch (IOException e) {
            throw new TransportException(
                    TransportException.Kind.BROKEN,
                    request.describe() + ": the connection failed while the response was read",
                    e);
        }
    }

    private static ApiException refused(ApiRequest request, int code, byte @Nullable [] body) {
        return new ApiException(request.describe(), status(code, body == null ? new byte[0] : body), null);
    }

    private static Status status(int code, byte[] body) {
        try {
            if (JsonValue.parse(body) instanceof JsonObject status
                    && status.string("kind").equals("Status")) {
                return Status.failure(code, status.string("reason"), status.string("message"));
            }
        } catch (DecodeException e) {
            // The body is not a status, but for example the page of a proxy; its text is the message.
        }
        String text = new String(body, StandardCharsets.UTF_8);
        return Status.failure(code, "", text.substring(0, Math.min(200, text.length())));
    }
}
