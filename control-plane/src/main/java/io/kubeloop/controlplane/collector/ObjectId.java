package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.machinery.ResourceStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Identifies an object by its kind and storage key. Immutable. */
record ObjectId(ResourceStore store, String key) {

    String namespace() {
        int slash = key.indexOf('/');
        return slash < 0 ? "" : key.substring(0, slash);
    }

    String name() {
        return key.substring(key.indexOf('/') + 1);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ObjectId that
                && key.equals(that.key)
                && store.bucket().name().equals(that.store.bucket().name());
    }

    @Override
    public int hashCode() {
        return Objects.hash(store.bucket().name(), key);
    }

    @Override
    public String toString() {
        return store.bucket().name() + " " + key;
    }
}
