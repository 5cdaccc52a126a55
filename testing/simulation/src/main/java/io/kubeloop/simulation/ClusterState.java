/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.simulation;

import io.kubeloop.api.KubeObject;
import io.kubeloop.api.ResourceType;
import io.kubeloop.api.client.ObjectCodec;
import io.kubeloop.apiserver.ApiServer;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.storage.Snapshot;
import io.kubeloop.apiserver.storage.StoredObject;
import io.kubeloop.json.tree.JsonObject;
import java.io.ByteArrayInputStream;
import java.util.ArrayList;
import java.util.List;

/** All objects of a control plane at one moment. Immutable and thread-safe; nothing is copied before it is read. */
public final class ClusterState {

    private final ApiServer server;
    private final Snapshot snapshot;

    private ClusterState(ApiServer server) {
        this.server = server;
        snapshot = server.backend().storage().snapshot();
    }

    /** Returns the state of a server at this moment. O(1). */
    public static ClusterState of(ApiServer server) {
        return new ClusterState(server);
    }

    /** Returns the number of changes that the server had made. */
    public long revision() {
        return snapshot.revision();
    }

    /**
     * Returns the objects of a kind, in the order of namespaces and names. O(number of them).
     *
     * @throws IllegalArgumentException if the server does not serve the kind
     */
    public List<JsonObject> objects(String apiVersion, String kind) {
        ResourceStore store = store(apiVersion, kind);
        List<JsonObject> objects = new ArrayList<>();
        for (StoredObject object : store.objects(snapshot, "")) {
            objects.add(store.served(object.tree()));
        }
        return objects;
    }

    /**
     * Returns the objects of a resource as records; see {@link #objects(String, String)}.
     *
     * @param codec a codec with the resource
     */
    public <T extends KubeObject> List<T> objects(ResourceType<T> type, ObjectCodec codec) {
        ResourceStore store = store(type.apiVersion(), type.kind());
        List<T> objects = new ArrayList<>();
        for (StoredObject object : store.objects(snapshot, "")) {
            objects.add(codec.decode(type, new ByteArrayInputStream(store.json(object))));
        }
        return objects;
    }

    /** Returns all objects that came into being after a revision or were changed since. O(number of objects). */
    public List<JsonObject> all(long since) {
        List<JsonObject> objects = new ArrayList<>();
        for (ResourceStore store : server.backend().stores()) {
            for (StoredObject object : store.objects(snapshot, "")) {
                if (object.revision() > since) {
                    objects.add(object.tree());
                }
            }
        }
        return objects;
    }

    private ResourceStore store(String apiVersion, String kind) {
        ResourceStore store = server.backend().storeOfKind(apiVersion, kind);
        if (store == null) {
            throw new IllegalArgumentException("the server does not serve " + kind + " of " + apiVersion);
        }
        return store;
    }
}
