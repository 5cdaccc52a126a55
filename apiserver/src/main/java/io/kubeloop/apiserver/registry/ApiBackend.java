package io.kubeloop.apiserver.registry;

import io.kubeloop.api.ResourceTypes;
import io.kubeloop.api.Time;
import io.kubeloop.apiserver.admission.AdmissionChain;
import io.kubeloop.apiserver.machinery.ResourceStore;
import io.kubeloop.apiserver.machinery.ServedResource;
import io.kubeloop.apiserver.storage.Storage;
import io.kubeloop.apiserver.storage.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The state that the operations of all kinds share: storage, stores, admission, clock and random source. Thread-safe. */
public final class ApiBackend {

    private final Storage storage;
    private final ApiKinds kinds;
    private final ResourceRegistry registry;
    private final Map<ServedResource, ResourceStore> stores = new LinkedHashMap<>();
    private final ResourceStore namespaces;
    private final Clock clock;
    private final Timer timer;
    private final Duration bookmarkInterval;
    private final NameGenerator names;
    private final AdmissionChain admission;

    /**
     * Creates a backend with a store for every resource of the kinds.
     *
     * @param random the source of names and UIDs; must be thread-safe
     */
    public ApiBackend(
            Storage storage,
            ApiKinds kinds,
            Clock clock,
            Timer timer,
            Duration bookmarkInterval,
            RandomGenerator random) {
        this.storage = storage;
        this.kinds = kinds;
        this.registry = new ResourceRegistry(kinds.resources());
        this.clock = clock;
        this.timer = timer;
        this.bookmarkInterval = bookmarkInterval;
        this.names = new NameGenerator(random);
        for (ServedResource resource : registry.all()) {
            stores.put(
                    resource,
                    new ResourceStore(
                            resource,
                            kinds.strategy(resource),
                            kinds.types(resource),
                            storage.bucket(resource.toString())));
        }
        namespaces = stores.values().stream()
                .filter(store -> store.resource().type().equals(ResourceTypes.NAMESPACES))
                .findFirst()
                .orElseThrow();
        admission = new AdmissionChain(kinds.admission(this));
    }

    /** Returns the storage of all objects. */
    public Storage storage() {
        return storage;
    }

    /** Returns the table of served resources. */
    public ResourceRegistry registry() {
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

    /** Returns the plug-ins that change or reject writes. */
    public AdmissionChain admission() {
        return admission;
    }

    /** Returns the kinds that the server serves from its start. */
    public ApiKinds kinds() {
        return kinds;
    }

    /** Returns the current time in the form that is written into objects. */
    public Time now() {
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
