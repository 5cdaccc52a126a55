package io.kubeloop.controlplane.collector;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.machinery.Meta;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.registry.ApiBackend;
import io.kubeloop.apiserver.registry.ServerResponse;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Keeps the service account {@code default} in every namespace (upstream: {@code
 * pkg/controller/serviceaccount/serviceaccounts_controller.go}). Confined to the collector's thread.
 */
final class DefaultAccounts {

    private static final String NAME = "default";
    private static final String MANAGER = "kube-controller-manager";
    private static final Set<Integer> SETTLED = Set.of(201, 403, 404, 409);

    private final ApiBackend backend;
    private final Function<ApiRequest, ServerResponse> server;
    private final ResourceStore accounts;
    private final Set<String> due = new LinkedHashSet<>();

    /**
     * Creates the keeper.
     *
     * @param server executes the requests that create accounts
     */
    DefaultAccounts(ApiBackend backend, Function<ApiRequest, ServerResponse> server) {
        this.backend = backend;
        this.server = server;
        accounts = Objects.requireNonNull(backend.storeOfKind("v1", "ServiceAccount"), "a server of service accounts");
    }

    /** Discards the scheduled namespaces: the feed delivers every namespace again. */
    void onReset() {
        due.clear();
    }

    void onUpsert(ObjectId id) {
        if (id.store().bucket() == backend.namespaces().bucket()) {
            due.add(id.key());
        }
    }

    void onDelete(ObjectId id, StoredObject last) {
        if (id.store().bucket() == accounts.bucket() && Meta.name(last.tree()).equals(NAME)) {
            due.add(Meta.namespace(last.tree()));
        }
    }

    /** Creates the missing accounts of the scheduled namespaces. A namespace stays scheduled after a failure. */
    void processPending() {
        for (String namespace : List.copyOf(due)) {
            if (lacksAccount(namespace)) {
                create(namespace);
            }
            due.remove(namespace);
        }
    }

    private boolean lacksAccount(String namespace) {
        Snapshot now = backend.storage().snapshot();
        StoredObject found = now.get(backend.namespaces().bucket(), namespace);
        return found != null
                && !Meta.isDeleting(found.tree())
                && now.get(accounts.bucket(), accounts.key(namespace, NAME)) == null;
    }

    /** The namespace may end, and another client may create the account, at the same time. */
    private void create(String namespace) {
        JsonObject account = JsonObject.EMPTY
                .with("apiVersion", "v1")
                .with("kind", "ServiceAccount")
                .with("metadata", JsonObject.EMPTY.with("name", NAME).with("namespace", namespace));
        ServerResponse response = server.apply(ApiRequest.of(
                "POST",
                accounts.type().collectionPath(namespace),
                Map.of("fieldManager", MANAGER),
                ApiRequest.Body.json(account.toBytes())));
        if (!(response instanceof ServerResponse.Document document) || !SETTLED.contains(document.code())) {
            throw new IllegalStateException(
                    "cannot create the service account " + namespace + "/" + NAME + ": " + response);
        }
    }
}
