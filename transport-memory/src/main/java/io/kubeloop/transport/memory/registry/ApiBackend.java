package io.kubeloop.transport.memory.registry;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.transport.memory.machinery.ResourceStore;
import io.kubeloop.transport.memory.machinery.RestStrategy;
import io.kubeloop.transport.memory.machinery.ServedResource;
import io.kubeloop.transport.memory.quota.QuotaLedger;
import io.kubeloop.transport.memory.service.ServiceNetwork;
import io.kubeloop.transport.memory.storage.Storage;
import io.kubeloop.transport.memory.storage.Timer;
import io.kubeloop.transport.memory.strategy.Strategies;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The state that the operations of all kinds share: storage, stores, quotas, clock and random source. Thread-safe. */
public final class ApiBackend {

    private final Storage storage;
    private final ResourceRegistry registry;
    private final Map<ServedResource, ResourceStore> stores = new LinkedHashMap<>();
    private final ResourceStore namespaces;
    private final Clock clock;
    private final Timer timer;
    private final Duration bookmarkInterval;
    private final NameGenerator names;
    private final QuotaLedger quotas;

    /**
     * Creates a backend with a store for every resource of the registry.
     *
     * @param random the source of names and UIDs; must be thread-safe
     */
    public ApiBackend(
            Storage storage,
            ResourceRegistry registry,
            Clock clock,
            Timer timer,
            Duration bookmarkInterval,
            RandomGenerator random,
            ServiceNetwork network) {
        this.storage = storage;
        this.registry = registry;
        this.clock = clock;
        this.timer = timer;
        this.bookmarkInterval = bookmarkInterval;
        this.names = new NameGenerator(random);
        for (ServedResource resource : registry.all()) {
            RestStrategy strategy = Strategies.of(resource, network);
            stores.put(resource, new ResourceStore(resource, strategy, storage.bucket(resource.toString())));
        }
        namespaces = stores.values().stream()
                .filter(store -> store.resource().type().equals(ResourceTypes.NAMESPACES))
                .findFirst()
                .orElseThrow();
        quotas = new QuotaLedger(storage, stores(), Objects.requireNonNull(storeOfKind("v1", "ResourceQuota")));
    }

    /** Returns the storage of all objects. */
    public Storage storage() {
        return storage;
    }

    ResourceRegistry registry() {
        return registry;
    }

    /** Returns the store of a resource, which must be in the registry. */
    ResourceStore store(ServedResource resource) {
        return Objects.requireNonNull(stores.get(resource), () -> "no store for " + resource);
    }

    /**
     * Returns the store of the objects with this {@code apiVersion} and {@code kind}; null if the kind is not
     * served.
     */
    public @Nullable ResourceStore storeOfKind(String apiVersion, String kind) {
        ServedResource resource = registry.findKind(apiVersion, kind);
        return resource == null ? null : store(resource);
    }

    /** Returns the stores of all served resources, in the order of the registry. Copies. */
    public List<ResourceStore> stores() {
        return List.copyOf(stores.values());
    }

    /** Returns the store of the namespaces. */
    public ResourceStore namespaces() {
        return namespaces;
    }

    /** Returns the ledger that admits writes against the quotas of their namespace. */
    public QuotaLedger quotas() {
        return quotas;
    }

    /** Returns the current time in the form that is written into objects. */
    Time now() {
        return new Time(clock.instant());
    }

    Timer timer() {
        return timer;
    }

    Duration bookmarkInterval() {
        return bookmarkInterval;
    }

    NameGenerator names() {
        return names;
    }
}
