/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.api.client;

import io.kubeloop.api.GenericObject;
import io.kubeloop.api.KubeList;
import io.kubeloop.api.ListMeta;
import io.kubeloop.api.ListMetaBuilder;
import io.kubeloop.api.ObjectMetaBuilder;
import io.kubeloop.api.ObjectName;
import io.kubeloop.api.Status;
import io.kubeloop.api.StatusReason;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A resource in memory with optimistic concurrency, and hooks that another client runs between read and write. For one
 * thread.
 */
final class StoredObjects implements ResourceClient<GenericObject> {

    private final Map<ObjectName, GenericObject> stored = new TreeMap<>();
    private final List<String> calls = new ArrayList<>();
    private final Deque<Runnable> beforeWrites = new ArrayDeque<>();
    private int version;

    /** Runs before the next write that has no hook yet. */
    void beforeWrite(Runnable otherClient) {
        beforeWrites.add(otherClient);
    }

    List<String> calls() {
        return calls;
    }

    GenericObject put(GenericObject object) {
        String next = Integer.toString(++version);
        GenericObject versioned = object.withMetadata(ObjectMetaBuilder.builder(object.metadata())
                .resourceVersion(next)
                .build());
        stored.put(object.objectName(), versioned);
        return versioned;
    }

    void remove(ObjectName name) {
        stored.remove(name);
    }

    static ApiException refusal(String verb, int code, String reason) {
        return new ApiException(verb, Status.failure(code, reason, "refused"), null);
    }

    private void write(String verb) {
        calls.add(verb);
        Runnable otherClient = beforeWrites.poll();
        if (otherClient != null) {
            otherClient.run();
        }
    }

    @Override
    public GenericObject get(ObjectName name) {
        calls.add("get");
        return existing("get", name);
    }

    private GenericObject existing(String verb, ObjectName name) {
        GenericObject object = stored.get(name);
        if (object == null) {
            throw refusal(verb, 404, StatusReason.NOT_FOUND);
        }
        return object;
    }

    @Override
    public GenericObject create(GenericObject object) {
        write("create");
        if (stored.containsKey(object.objectName())) {
            throw refusal("create", 409, StatusReason.ALREADY_EXISTS);
        }
        return put(object);
    }

    @Override
    public GenericObject update(GenericObject object) {
        write("update");
        return replace(object);
    }

    @Override
    public GenericObject updateStatus(GenericObject object) {
        write("updateStatus");
        return replace(object);
    }

    private GenericObject replace(GenericObject object) {
        String current = existing("update", object.objectName()).metadata().resourceVersion();
        if (!current.equals(object.metadata().resourceVersion())) {
            throw refusal("update", 409, StatusReason.CONFLICT);
        }
        return put(object);
    }

    /** Returns pages in the order of names; the token is the number of the next object. */
    @Override
    public KubeList<GenericObject> list(String namespace, ListOptions options) {
        calls.add("list" + options.toQuery(false));
        int from = options.continueToken().isEmpty() ? 0 : Integer.parseInt(options.continueToken());
        List<GenericObject> all = new ArrayList<>(stored.values());
        int to = (int) Math.min(all.size(), from + options.limit());
        ListMeta metadata = ListMetaBuilder.builder()
                .continueToken(to < all.size() ? Integer.toString(to) : "")
                .build();
        return new KubeList<>(metadata, all.subList(from, to));
    }

    @Override
    public WatchStream<GenericObject> watch(String namespace, ListOptions options) {
        throw new UnsupportedOperationException("watch");
    }

    @Override
    public GenericObject patch(ObjectName name, Patch patch) {
        throw new UnsupportedOperationException("patch");
    }

    @Override
    public GenericObject patch(ObjectName name, Patch patch, String subresource) {
        throw new UnsupportedOperationException("patch");
    }

    @Override
    public void delete(ObjectName name, DeleteOptions options) {
        throw new UnsupportedOperationException("delete");
    }

    @Override
    public ListerWatcher<GenericObject> listerWatcher(
            String namespace, @Nullable String labelSelector, @Nullable String fieldSelector) {
        throw new UnsupportedOperationException("listerWatcher");
    }
}
