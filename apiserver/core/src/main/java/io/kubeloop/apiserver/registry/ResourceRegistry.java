/* SPDX-License-Identifier: Apache-2.0 */
package io.kubeloop.apiserver.registry;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.kubeloop.api.ResourceType;
import io.kubeloop.apiserver.rest.ComputedApi;
import io.kubeloop.apiserver.rest.ResourceDefinition;
import io.kubeloop.apiserver.rest.ResourceStore;
import io.kubeloop.apiserver.rest.ServedResource;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.table.Column;
import io.kubeloop.apiserver.table.Tables;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The table of served resources. Built-in resources stay; those of custom resource definitions come and go.
 *
 * <p>Thread-safe. Readers never block, and read a consistent state of the whole table. Changes wait for each other.
 */
public final class ResourceRegistry {

    /*
     * Invariants:
     *   R1  current is replaced under the lock, never modified. A reader that calls two methods may see two states; a
     *       reader that needs one state takes stores() once.
     *   R2  Listeners run after the new state is visible, in the thread of the change and without the lock.
     */

    private final Storage storage;
    private final List<ResourceStore> builtIn;
    private final List<ComputedApi> computed;

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<String, List<ResourceStore>> custom = new TreeMap<>();

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile State current;

    /** One state of the table: the stores by path, by kind and by bucket. */
    private record State(
            long version,
            List<ResourceStore> stores,
            Map<Path, ResourceStore> paths,
            Map<Kind, ResourceStore> kinds,
            Map<String, ResourceStore> buckets) {

        private record Path(String group, String version, String plural) {}

        private record Kind(String apiVersion, String name) {}

        static State of(long version, List<ResourceStore> stores) {
            Map<Path, ResourceStore> paths = new LinkedHashMap<>();
            Map<Kind, ResourceStore> kinds = new LinkedHashMap<>();
            Map<String, ResourceStore> buckets = new LinkedHashMap<>();
            for (ResourceStore store : stores) {
                ResourceType<?> type = store.type();
                paths.put(new Path(type.group(), type.version(), type.plural()), store);
                kinds.putIfAbsent(new Kind(type.apiVersion(), type.kind()), store);
                buckets.merge(store.bucket().name(), store, (one, two) -> one.isStorageVersion() ? one : two);
            }
            return new State(version, List.copyOf(stores), paths, kinds, buckets);
        }
    }

    /** Creates a table of the built-in resources and the computed groups, in the order of discovery. */
    ResourceRegistry(Storage storage, List<ResourceDefinition> definitions, List<ComputedApi> computed) {
        this.storage = storage;
        this.computed = List.copyOf(computed);
        builtIn = stores(definitions);
        current = State.of(1, builtIn);
    }

    private List<ResourceStore> stores(List<ResourceDefinition> definitions) {
        return definitions.stream()
                .map(definition -> new ResourceStore(
                        definition, storage.bucket(definition.storage().bucket())))
                .toList();
    }

    /** Returns the groups whose documents are computed. */
    public List<ComputedApi> computed() {
        return computed;
    }

    /** Returns the computed group that a path is below; null if there is none. O(number of these groups). */
    public @Nullable ComputedApi computedAt(String path) {
        for (ComputedApi api : computed) {
            if (path.startsWith("/apis/" + api.group() + "/")) {
                return api;
            }
        }
        return null;
    }

    /**
     * Replaces the resources of one custom resource definition, and ends the watches of its objects. The objects stay
     * in the storage, and are served again by definitions with the same bucket.
     *
     * @param owner the name of the definition
     * @param definitions one for each served version, the preferred version first; empty to remove the resources
     */
    public void replace(String owner, List<ResourceDefinition> definitions) {
        List<ResourceStore> before = exchange(owner, definitions);
        before.forEach(store -> storage.endWatches(store.bucket()));
        listeners.forEach(Runnable::run);
    }

    /**
     * Replaces the resources of one custom resource definition, and leaves the watches of its objects alone. The
     * objects must look the same as before.
     */
    public void update(String owner, List<ResourceDefinition> definitions) {
        exchange(owner, definitions);
        listeners.forEach(Runnable::run);
    }

    private List<ResourceStore> exchange(String owner, List<ResourceDefinition> definitions) {
        List<ResourceStore> before;
        lock.lock();
        try {
            List<ResourceStore> added = stores(definitions);
            before = Optional.ofNullable(added.isEmpty() ? custom.remove(owner) : custom.put(owner, added))
                    .orElse(List.of());
            List<ResourceStore> all = new ArrayList<>(builtIn);
            custom.values().forEach(all::addAll);
            current = State.of(current.version() + 1, all);
        } finally {
            lock.unlock();
        }
        return before;
    }

    /** Returns a number that grows with every change of the table. */
    public long version() {
        return current.version();
    }

    /** Adds a callback that runs after every change, on the thread that makes the change. It must not block. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** Returns the stores of all resources in all served versions: the built-in ones, then the custom ones by name. */
    public List<ResourceStore> stores() {
        return current.stores();
    }

    /** Returns one store for each bucket, that of the storage version if it is served. */
    public Collection<ResourceStore> storageStores() {
        return current.buckets().values();
    }

    /** Returns all resources, in the order of {@link #stores()}. O(n). */
    public List<ServedResource> all() {
        return current.stores().stream().map(ResourceStore::resource).toList();
    }

    /** Returns the store of the resource with this group, version and plural; null if it is not served. */
    public @Nullable ResourceStore store(String group, String version, String plural) {
        return current.paths().get(new State.Path(group, version, plural));
    }

    /** Returns the store of the resource with this {@code apiVersion} and {@code kind}; null if it is not served. */
    public @Nullable ResourceStore storeOfKind(String apiVersion, String kind) {
        return current.kinds().get(new State.Kind(apiVersion, kind));
    }

    /** Returns the resource with this group, version and plural; null if it is not served. */
    public @Nullable ServedResource find(String group, String version, String plural) {
        ResourceStore store = store(group, version, plural);
        return store == null ? null : store.resource();
    }

    /** Returns the resource with this {@code apiVersion} and {@code kind}; null if it is not served. */
    public @Nullable ServedResource findKind(String apiVersion, String kind) {
        ResourceStore store = storeOfKind(apiVersion, kind);
        return store == null ? null : store.resource();
    }

    /** Returns the columns of tables of this kind; those of any kind if it is not served. */
    public List<Column> columns(String apiVersion, String kind) {
        ResourceStore store = storeOfKind(apiVersion, kind);
        return store == null
                ? kind.equals("Scale") ? Tables.SCALE : List.of(Column.NAME, Column.AGE)
                : store.definition().columns();
    }

    /** Returns the served group versions in the form of {@code apiVersion}, without duplicates. O(n). */
    public List<String> groupVersions() {
        return current.stores().stream()
                .map(store -> store.type().apiVersion())
                .distinct()
                .toList();
    }
}
