package io.kubeloop.apiserver.registry;

import io.kubeloop.api.client.ApiRequest;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Writes the objects that a server brings itself, as a client of that server. Thread-safe. */
public final class ServerContent {

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
     * Creates an object, or changes it if it exists.
     *
     * @param object the object with its {@code apiVersion}, {@code kind} and name
     * @param change returns the wanted state of an existing object; the identity leaves the object alone
     * @throws IllegalStateException if the server rejects the write
     */
    public void ensure(JsonObject object, UnaryOperator<JsonObject> change) {
        ResourceStore store = Objects.requireNonNull(
                backend.storeOfKind(object.string("apiVersion"), object.string("kind")), () -> "not served: " + object);
        String namespace = object.string("metadata", "namespace");
        String name = object.string("metadata", "name");
        StoredObject found = backend.storage().snapshot().get(store.bucket(), store.key(namespace, name));
        String path = store.type().collectionPath(namespace);
        if (found == null) {
            send("POST", path, object);
            return;
        }
        JsonObject current = store.served(found.tree());
        JsonObject wanted = change.apply(current);
        if (!wanted.equals(current)) {
            send("PUT", path + "/" + name, wanted);
        }
    }

    private void send(String method, String path, JsonObject object) {
        ServerResponse response =
                handler.handle(ApiRequest.of(method, path, Map.of(), ApiRequest.Body.json(object.toBytes())));
        if (!(response instanceof ServerResponse.Document document) || document.code() >= 300) {
            throw new IllegalStateException("cannot write " + path + ": " + response);
        }
    }
}
