/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the objects that a server creates itself, as a client of that server. Thread-safe. */
public final class ServerContent {

    /** The name under which the server writes. */
    private static final String MANAGER = "kube-apiserver";

    private final ApiBackend backend;
    private final ApiHandler handler;
    private final @Nullable InetSocketAddress address;

    /**
     * Creates a writer.
     *
     * @param address the address at which clients reach the server; null if it is not known
     */
    public ServerContent(ApiBackend backend, ApiHandler handler, @Nullable InetSocketAddress address) {
        this.backend = backend;
        this.handler = handler;
        this.address = address;
    }

    /** Returns the state of the server. */
    public ApiBackend backend() {
        return backend;
    }

    /** Returns the address at which clients reach the server; null if it is not known. */
    public @Nullable InetSocketAddress address() {
        return address;
    }

    /**
     * Stores an object as it is, without defaults, validation, admission and managed fields.
     *
     * @param object the object in its stored form, as {@link #ensure} would have stored it
     * @throws IllegalStateException if an object of this name exists
     */
    public void restore(JsonObject object) {
        ResourceStore store = store(object.string("apiVersion"), object.string("kind"));
        String key = store.keyOf(object);
        if (backend.storage().create(store.bucket(), key, object, null, false) == null) {
            throw new IllegalStateException("cannot restore " + store + " " + key + ": it exists");
        }
    }

    /**
     * Creates an object with its status, or changes it if it exists.
     *
     * @param object the object with its {@code apiVersion}, {@code kind} and name
     * @param change returns the wanted state of an existing object; the identity leaves the object alone
     * @throws IllegalStateException if the server rejects the write
     */
    public void ensure(JsonObject object, UnaryOperator<JsonObject> change) {
        ResourceStore store = store(object.string("apiVersion"), object.string("kind"));
        String namespace = object.string("metadata", "namespace");
        String name = object.string("metadata", "name");
        StoredObject found = backend.storage().snapshot().get(store.bucket(), store.key(namespace, name));
        String path = store.type().collectionPath(namespace);
        if (found == null) {
            send("POST", path, object);
            if (object.has("status")) {
                send(
                        "PUT",
                        path + "/" + name + "/status",
                        current(store, namespace, name).with("status", object.object("status")));
            }
            return;
        }
        JsonObject current = store.served(found.tree());
        JsonObject wanted = change.apply(current);
        if (!wanted.equals(current)) {
            send("PUT", path + "/" + name, wanted);
        }
    }

    /**
     * Changes the status of a cluster-scoped object.
     *
     * @param change returns the wanted state; the same object leaves it alone
     * @return whether the object has the wanted state now; false if another client has changed or deleted it meanwhile
     */
    public boolean updateStatus(String apiVersion, String kind, String name, UnaryOperator<JsonObject> change) {
        ResourceStore store = store(apiVersion, kind);
        StoredObject found = backend.storage().snapshot().get(store.bucket(), store.key("", name));
        if (found == null) {
            return false;
        }
        JsonObject current = store.served(found.tree());
        JsonObject wanted = change.apply(current);
        String path = store.type().collectionPath("") + "/" + name + "/status";
        return wanted.equals(current)
                || (request("PUT", path, wanted) instanceof ServerResponse.Document document && document.code() < 300);
    }

    private JsonObject current(ResourceStore store, String namespace, String name) {
        StoredObject found = backend.storage().snapshot().get(store.bucket(), store.key(namespace, name));
        return store.served(store.require(found, name).tree());
    }

    /**
     * Deletes the objects of a cluster-scoped kind that match.
     *
     * @throws IllegalStateException if the server rejects a deletion
     */
    public void remove(String apiVersion, String kind, Predicate<JsonObject> unwanted) {
        ResourceStore store = store(apiVersion, kind);
        for (StoredObject object : store.objects(backend.storage().snapshot(), "")) {
            if (unwanted.test(store.served(object.tree()))) {
                send("DELETE", store.type().collectionPath("") + "/" + object.key(), JsonObject.EMPTY);
            }
        }
    }

    private ResourceStore store(String apiVersion, String kind) {
        return Objects.requireNonNull(
                backend.storeOfKind(apiVersion, kind), () -> "not served: " + apiVersion + " " + kind);
    }

    private ServerResponse request(String method, String path, JsonObject object) {
        return handler.handle(
                ApiRequest.of(method, path, Map.of("fieldManager", MANAGER), ApiRequest.Body.json(object.toBytes())));
    }

    private void send(String method, String path, JsonObject object) {
        ServerResponse response = request(method, path, object);
        if (!(response instanceof ServerResponse.Document document) || document.code() >= 300) {
            throw new IllegalStateException("cannot write " + path + ": " + describe(response));
        }
    }

    private static String describe(ServerResponse response) {
        if (response instanceof ServerResponse.Document document) {
            StringBuilder text = new StringBuilder();
            document.pieces().forEach(piece -> text.append(StandardCharsets.UTF_8.decode(piece.duplicate())));
            return text.toString();
        }
        return "it answers with a watch";
    }
}
