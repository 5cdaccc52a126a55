/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.kinds.access;

import io.kubeloop.apiserver.objectmeta.Meta;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.StatusException;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The objects that a token is bound to: it ends with its service account, and with the pod, secret or node that it was
 * requested for. Thread-safe.
 */
final class TokenBinding {

    private static final String ACCOUNT = "serviceaccount";
    private static final String POD = "pod";
    private static final String NODE = "node";

    /** The time for which a deleted object that still exists keeps its tokens valid. */
    private static final long LEEWAY_SECONDS = 60;

    private static final Set<String> WEBHOOKS =
            Set.of("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration");

    private final ApiBackend backend;

    TokenBinding(ApiBackend backend) {
        this.backend = backend;
    }

    /**
     * Returns the claims about the objects of a token.
     *
     * @param reference the requested object; empty for none
     * @throws StatusException if the object does not exist, has another UID, or is of a kind that tokens cannot be
     *     bound to
     */
    JsonObject claims(JsonObject account, JsonObject reference) {
        String namespace = Meta.namespace(account);
        JsonObject claims = JsonObject.EMPTY.with("namespace", namespace).with(ACCOUNT, identity(account));
        if (reference.isEmpty()) {
            return claims;
        }
        String kind = reference.string("kind");
        String apiVersion = reference.string("apiVersion");
        if (isWebhook(reference)) {
            throw StatusException.badRequest("cannot bind token to object of type " + apiVersion + ", Kind=" + kind
                    + " (feature gate APIServerWebhookAuthenticationToken is disabled)");
        }
        if (apiVersion.contains("/") || !List.of("Pod", "Node", "Secret").contains(kind)) {
            String group = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw StatusException.badRequest("cannot bind token to object of type " + group + ", Kind=" + kind);
        }
        String name = reference.string("name");
        ResourceStore store = store(kind);
        JsonObject bound = store.require(find(kind, namespace, name), name).tree();
        String uid = reference.string("uid");
        if (kind.equals("Pod") && !bound.string("spec", "serviceAccountName").equals(Meta.name(account))) {
            throw StatusException.badRequest("cannot bind token for serviceaccount \"" + Meta.name(account)
                    + "\" to pod running with different serviceaccount name.");
        }
        if (!uid.isEmpty() && !uid.equals(Meta.uid(bound))) {
            throw StatusException.preconditionFailed(
                    "",
                    kind,
                    name,
                    "the UID in the bound object reference (" + uid + ") does not match the UID in record."
                            + " The object might have been deleted and then recreated");
        }
        return switch (kind) {
            case "Pod" -> withNode(claims.with(POD, identity(bound)), bound.string("spec", "nodeName"));
            case "Node" -> claims.with(NODE, identity(bound));
            default -> claims.with("secret", identity(bound));
        };
    }

    /** Returns whether a reference names a configuration of webhooks, for which no token is issued by default. */
    static boolean isWebhook(JsonObject reference) {
        return reference.string("apiVersion").equals("admissionregistration.k8s.io/v1")
                && WEBHOOKS.contains(reference.string("kind"));
    }

    private JsonObject withNode(JsonObject claims, String name) {
        if (name.isEmpty()) {
            return claims;
        }
        StoredObject node = find("Node", "", name);
        return claims.with(NODE, node == null ? JsonObject.EMPTY.with("name", name) : identity(node.tree()));
    }

    private static JsonObject identity(JsonObject object) {
        return JsonObject.EMPTY.with("name", Meta.name(object)).with("uid", Meta.uid(object));
    }

    private ResourceStore store(String kind) {
        return Objects.requireNonNull(backend.storeOfKind("v1", kind), kind);
    }

    private @Nullable StoredObject find(String kind, String namespace, String name) {
        ResourceStore store = store(kind);
        return backend.storage().snapshot().get(store.bucket(), store.key(namespace, name));
    }

    /** Returns whether the objects in the claims of a token still exist, also if others have got their names. */
    boolean holds(JsonObject claims) {
        return exists("ServiceAccount", claims, ACCOUNT)
                && (!claims.has("secret") || exists("Secret", claims, "secret"))
                && (claims.has(POD)
                        ? exists("Pod", claims, POD) // the node is for information
                        : !claims.has(NODE) || exists("Node", claims, NODE));
    }

    private boolean exists(String kind, JsonObject claims, String claim) {
        StoredObject found = find(kind, claims.string("namespace"), claims.string(claim, "name"));
        if (found == null || !Meta.uid(found.tree()).equals(claims.string(claim, "uid"))) {
            return false;
        }
        String deleted = Meta.text(found.tree(), "deletionTimestamp");
        return deleted.isEmpty()
                || !Instant.parse(deleted)
                        .plusSeconds(LEEWAY_SECONDS)
                        .isBefore(backend.now().instant());
    }
}
