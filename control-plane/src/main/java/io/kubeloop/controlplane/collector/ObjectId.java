package io.kubeloop.controlplane.collector;

import io.kubeloop.apiserver.machinery.ResourceStore;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Identifies an object by its kind and storage key. Immutable. */
record ObjectId(ResourceStore store, String key) {

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
